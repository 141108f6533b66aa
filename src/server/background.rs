//! What takes longer than a person waits at a key: the thread that looks at documents when nobody types.
//!
//! It lives as long as a project, and says what `shapes` and `guard` find. What the other thread found is told at once
//! and again with it, since the protocol has one list of diagnostics for a document.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_channel::Sender;
use gen_lsp_types::{Diagnostic, PublishDiagnosticsParams};
use lsp_server::{Message, Notification};

use super::comparison::ProjectComparison;
use super::diagnostics::diagnostics;
use super::documents::{Document, Documents};
use super::lines::Places;
use super::settings::DataSettings;
use crate::analysis::inputs::{self, DataPath, InputOptions, Inputs, data_path};
use crate::analysis::shapes::{ShapeOptions, Shapes};
use crate::analysis::stencil::Check;
use crate::analysis::{Analysis, Session};
use crate::diagnostics::Finding;
use crate::workspace::{Project, files};

/// After so long without a change, nobody is typing.
const IDLE: Duration = Duration::from_millis(400);

/// The documents that wait for a longer look.
#[derive(Debug, Default)]
pub struct Waiting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    documents: BTreeSet<PathBuf>,
    is_closed: bool,
}

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a document.
    pub fn add(&self, path: PathBuf) {
        self.lock().documents.insert(path);
        self.changed.notify_one();
    }

    /// There will be no more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// The next document, when none has been added for a while. `None` when there will be none.
    fn next(&self) -> Option<PathBuf> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if state.documents.is_empty() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let waited = self.changed.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            if waited.1.timed_out()
                && !state.is_closed
                && let Some(path) = state.documents.pop_first()
            {
                return Some(path);
            }
        }
    }
}

/// The diagnostics that editors were told, by document.
#[derive(Debug)]
pub struct Board {
    sender: Sender<Message>,
    told: Mutex<HashMap<PathBuf, Told>>,
}

#[derive(Debug)]
struct Told {
    version: i32,
    diagnostics: Vec<Diagnostic>,
}

impl Board {
    /// Nothing was told yet.
    pub fn new(sender: Sender<Message>) -> Self {
        Board { sender, told: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells what was found in a document.
    pub fn tell(&self, path: &Path, document: &Document, findings: &[Finding]) {
        let diagnostics = of_document(path, document, findings);
        let mut told = self.lock();
        self.publish(document, diagnostics.clone());
        told.insert(path.to_path_buf(), Told { version: document.version, diagnostics });
    }

    /// Tells what was found in it besides, unless there is nothing, or another version was looked at since.
    fn tell_more(&self, path: &Path, document: &Document, findings: &[Finding]) {
        let more = of_document(path, document, findings);
        let told = self.lock();
        let first = told.get(path).filter(|first| first.version == document.version && !more.is_empty());
        if let Some(first) = first {
            self.publish(document, first.diagnostics.iter().cloned().chain(more).collect());
        }
    }

    /// Where nobody listens any more, there is nobody to tell.
    fn publish(&self, document: &Document, diagnostics: Vec<Diagnostic>) {
        let (uri, version) = (document.uri.clone(), Some(document.version));
        let parameters = PublishDiagnosticsParams { uri, version, diagnostics };
        let notification = Notification::new("textDocument/publishDiagnostics".to_owned(), parameters);
        let _ = self.sender.send(notification.into());
    }
}

fn of_document(path: &Path, document: &Document, findings: &[Finding]) -> Vec<Diagnostic> {
    diagnostics(findings, path, &document.uri, &Places::new(&document.text))
}

/// A longer look at documents.
pub struct Look<'l> {
    /// The project that they belong to.
    pub project: &'l Project,
    /// What is asked of the analysis of shapes.
    pub shapes: &'l ShapeOptions,
    /// What is asked of that of data files.
    pub inputs: &'l InputOptions,
    /// Data files, and the programs that read them.
    pub data: &'l [DataSettings],
    /// What the project is compared with, if the editor wants that.
    pub comparison: Option<ProjectComparison<'l>>,
    /// The open documents.
    pub documents: &'l Documents,
    /// Where diagnostics go.
    pub board: &'l Board,
    /// Where sentences about the comparison go.
    pub log: &'l (dyn Fn(String) + Sync),
}

impl Look<'_> {
    /// Looks at the documents that wait, until there will be none.
    pub fn run(&self, waiting: &Waiting) {
        while let Some(path) = waiting.next() {
            let Some(document) = self.documents.get(&path) else { continue };
            // An internal error in what both threads use is told by the other one.
            let findings = catch_unwind(AssertUnwindSafe(|| self.findings(&path, &document))).unwrap_or_default();
            if self.documents.get(&path).is_some_and(|now| now == document) {
                self.board.tell_more(&path, &document, &findings);
            }
        }
    }

    fn findings(&self, path: &Path, document: &Document) -> Vec<Finding> {
        if !document.is_fortran {
            return self.in_data(path, document);
        }
        let session: Session<'_, Shapes> = Session::new(self.project, self.shapes.clone());
        let mut findings = session.analyse(&self.project.view(path, document.text.as_bytes())).findings;
        // What the other thread finds too, it tells.
        findings.retain(|finding| !finding.rule.is_reported_by(Check::NAME));
        self.shapes.levels.apply(&mut findings);
        // Git knows of saved files.
        let is_saved = || files::read(path).is_ok_and(|bytes| bytes == document.text.as_bytes());
        if let Some(comparison) = self.comparison.as_ref().filter(|_| is_saved()) {
            match comparison.findings(path, self.project.options()) {
                Ok(found) => findings.extend(found),
                Err(error) => (self.log)(format!("{error:#}")),
            }
        }
        findings
    }

    /// What is wrong with a data file, by the programs that the configuration names.
    fn in_data(&self, path: &Path, document: &Document) -> Vec<Finding> {
        let mut findings = Vec::new();
        for DataSettings { name, sources, .. } in self.data.iter().filter(|it| it.path == path) {
            let session: Session<'_, Inputs> = Session::new(self.project, self.inputs.clone());
            for source in self.project.paths().iter().filter(|source| source.starts_with(sources)) {
                let Ok(bytes) = self.project.options().files.read(source) else { continue };
                for plan in session.analyse(&self.project.view(source, bytes)).plans {
                    let Some(data) = data_path(&plan, name.as_deref(), path.to_path_buf()) else { continue };
                    let data = [DataPath { text: Some(Arc::clone(&document.text)), ..data }];
                    findings.extend(inputs::findings(&plan, &data, &inputs::check(&plan, &data).facts));
                }
            }
        }
        self.shapes.levels.apply(&mut findings);
        findings
    }
}
