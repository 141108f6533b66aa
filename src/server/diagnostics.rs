//! Findings as the protocol has them.

use std::path::Path;

use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location as PlaceOfFile,
    Message, Uri,
};

use super::lines::Places;
use crate::diagnostics::{Finding, Severity, rules};

/// What is told of a document: the findings in it. (Those in files that it includes are told of these.)
pub fn diagnostics(findings: &[Finding], path: &Path, uri: &Uri, places: &Places<'_>) -> Vec<Diagnostic> {
    let here = findings.iter().filter(|finding| finding.location.path == path);
    here.map(|finding| diagnostic(finding, path, uri, places)).collect()
}

fn diagnostic(finding: &Finding, path: &Path, uri: &Uri, places: &Places<'_>) -> Diagnostic {
    let here = |location: &crate::diagnostics::Location| location.path == path;
    // A person looks for the subscript that is wrong, not for the statement that it has a part in.
    let primary = finding.marks.iter().find(|mark| mark.is_primary && here(&mark.location));
    let location = primary.map_or(&finding.location, |mark| &mark.location);
    let mut sentences = vec![finding.message.clone()];
    sentences.extend(primary.filter(|mark| !mark.label.is_empty()).map(|mark| capitalised(&mark.label)));
    sentences.extend(finding.remarks().map(str::to_owned));
    sentences.extend(finding.inferred().map(|text| format!("Inferred: {text}")));
    let related = finding.marks.iter().filter(|mark| here(&mark.location) && !mark.label.is_empty());
    let related = related.map(|mark| DiagnosticRelatedInformation {
        location: PlaceOfFile { uri: uri.clone(), range: places.range(&mark.location) },
        message: mark.label.clone(),
    });
    Diagnostic {
        range: places.range(location),
        severity: Some(severity(finding.severity)),
        code: Some(Code::String(finding.rule.code.to_owned())),
        source: Some("camfort-rs".to_owned()),
        message: Message::String(sentences.join("\n")),
        tags: (finding.rule == &rules::UNUSED_ALLOW).then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: Some(related.collect()),
        ..Diagnostic::default()
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Note => DiagnosticSeverity::Information,
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
