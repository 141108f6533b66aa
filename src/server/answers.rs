//! The answers to requests about a document.

use std::path::Path;

use gen_lsp_types::{
    CodeActionParams, CodeActionResponse, DefinitionParams, DocumentSymbolResponse, HoverParams, InlayHintParams,
    PrepareRenameParams, PrepareRenameResult, RenameParams,
};
use lsp_server::{ErrorCode, ExtractError, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::actions::{self, Subject};
use super::documents::Known;
use super::hover::hover;
use super::lines::Places;
use super::regions::{self, Regions};
use super::symbols;
use crate::analysis::Session;
use crate::analysis::stencil::Assist;

/// The answer to a request about a document of which this is known.
pub fn answer(request: Request, path: &Path, known: &Known, session: &Session<'_, Assist>) -> Response {
    let places = Places::new(&known.document.text);
    let outcome = &known.outcome;
    let regions = || Regions { path, uri: &known.document.uri, outcome, places: &places, session };
    match request.method.as_str() {
        "textDocument/hover" => respond(request, |parameters: HoverParams| {
            let at = places.line_column(parameters.text_document_position_params.position);
            Ok(hover(outcome, path, &places, at))
        }),
        "textDocument/codeAction" => respond(request, |parameters: CodeActionParams| {
            let subject = Subject { uri: &known.document.uri, path, places: &places, outcome };
            let mut actions = actions::actions(&subject, parameters.range);
            if let Some(only) = parameters.context.only {
                let is_wanted = |kind: &gen_lsp_types::CodeActionKind| {
                    let kind = kind.to_string();
                    only.iter().map(ToString::to_string).any(|wanted| kind.starts_with(&wanted))
                };
                actions.retain(|action| action.kind.as_ref().is_some_and(is_wanted));
            }
            Ok(actions.into_iter().map(CodeActionResponse::CodeAction).collect::<Vec<_>>())
        }),
        "textDocument/documentSymbol" => respond(request, |_: gen_lsp_types::DocumentSymbolParams| {
            Ok(DocumentSymbolResponse::DocumentSymbolList(symbols::symbols(outcome, &places)))
        }),
        "textDocument/inlayHint" => respond(request, |parameters: InlayHintParams| {
            Ok(symbols::hints(outcome, &places, parameters.range.start, parameters.range.end))
        }),
        "textDocument/definition" => respond(request, |parameters: DefinitionParams| {
            Ok(regions().declaration(parameters.text_document_position_params.position))
        }),
        "textDocument/prepareRename" => respond(request, |parameters: PrepareRenameParams| {
            let regions = regions();
            let mention = regions.mention(parameters.text_document_position_params.position);
            Ok(mention.map(|mention| PrepareRenameResult::Range(places.range(&mention.location))))
        }),
        "textDocument/rename" => respond(request, |parameters: RenameParams| {
            regions::check_name(&parameters.new_name)?;
            regions().rename(parameters.text_document_position_params.position, &parameters.new_name)
        }),
        _ => {
            let message = format!("'{}' is not supported", request.method);
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        }
    }
}

/// Answers a request whose parameters are of a type; an `Err` is told to the person who asked.
fn respond<P: DeserializeOwned, R: Serialize>(request: Request, act: impl FnOnce(P) -> Result<R, String>) -> Response {
    let (id, method) = (request.id.clone(), request.method.clone());
    match request.extract::<P>(&method) {
        Ok((id, parameters)) => match act(parameters) {
            Ok(result) => Response::new_ok(id, result),
            Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
        },
        Err(ExtractError::JsonError { error, .. }) => {
            Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string())
        }
        Err(ExtractError::MethodMismatch(_)) => {
            Response::new_err(id, ErrorCode::InternalError as i32, "another method".to_owned())
        }
    }
}
