//! The language server: what `check`, `infer` and `shapes` say, as one types.
//!
//! One thread listens ([`serve`]): it keeps the `documents` up to date and puts what is to be done into a `queue`. The
//! other one works (`worker`): it analyses the newest text of a document, sends its diagnostics, and gives `answers` to
//! requests from what is known of it then. A third one (`background`) looks longer when nobody types. An open document
//! stands for its file everywhere, saved or not. Findings in files that a document includes are told when these are
//! open themselves.
//!
//! Glossary: a *position* is one of the protocol, in UTF-16 code units; `lines` has the way from and to places as a
//! person counts them.

mod actions;
mod answers;
mod background;
mod comparison;
mod diagnostics;
mod documents;
mod hover;
mod lines;
mod picture;
mod queue;
mod regions;
mod settings;
mod symbols;
mod worker;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Context;
use gen_lsp_types::{
    CancelParams, CodeActionKind, CodeActionOptions, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, Id, InitializeParams,
    InitializeResult, PublishDiagnosticsParams, RenameOptions, Save, ServerCapabilities, ServerInfo, TextDocumentSync,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceFolders,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;

use crate::workspace::discovery;
use crate::workspace::{Driver, files};
use background::Board;
use documents::{Document, Documents, path_of};
use queue::{Job, Queue};
use settings::STACK_BYTES;
pub use settings::{DataSettings, GuardSettings, LoadSettings, ServerSettings};
use worker::{Worker, cancelled};

/// Serves an editor until it says good-bye.
///
/// # Errors
///
/// When the editor breaks the protocol.
pub fn serve(connection: &Connection, driver: Driver, load: &LoadSettings<'_>) -> anyhow::Result<()> {
    let (id, parameters) = connection.initialize_start()?;
    let parameters: InitializeParams = serde_json::from_value(parameters).context("initialize")?;
    let roots = roots(&parameters);
    let options = serde_json::to_value(&parameters.initialization_options).unwrap_or_default();
    let wants_hints = options.get("inlayHints").and_then(serde_json::Value::as_bool);
    let guard_base = options.get("guard").and_then(serde_json::Value::as_str).map(str::to_owned);
    let result = InitializeResult {
        capabilities: capabilities(wants_hints.unwrap_or(false)),
        server_info: Some(ServerInfo::new("camfort-rs".to_owned(), Some(env!("CARGO_PKG_VERSION").to_owned()))),
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let (documents, queue) = (Documents::default(), Queue::default());
    let sender = connection.sender.clone();
    let board = Board::new(sender.clone());
    let worker = Worker { documents: &documents, queue: &queue, sender, board, load, roots, driver, guard_base };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, || worker.run()).context("no thread could be started")?;
        let listener = Listener { connection, documents: &documents, queue: &queue };
        let ended = listener.listen();
        queue.close();
        let _ = thread.join();
        ended
    })
}

/// The folders that the editor shows.
#[allow(deprecated, reason = "older editors know no folders")]
fn roots(parameters: &InitializeParams) -> Vec<PathBuf> {
    match &parameters.workspace_folders_initialize_params.workspace_folders {
        Some(WorkspaceFolders::WorkspaceFolderList(folders)) if !folders.is_empty() => {
            folders.iter().map(|folder| path_of(&folder.uri)).collect()
        }
        _ => parameters.root_uri.iter().map(path_of).collect(),
    }
}

/// What is offered.
fn capabilities(hints: bool) -> ServerCapabilities {
    let kinds = vec![CodeActionKind::QuickFix, CodeActionKind::RefactorRewrite];
    let actions = CodeActionOptions { code_action_kinds: Some(kinds), ..CodeActionOptions::default() };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(Save::Bool(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_action_provider: Some(actions.into()),
        rename_provider: Some(RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into()),
        inlay_hint_provider: hints.then(|| true.into()),
        ..ServerCapabilities::default()
    }
}

/// The thread that listens.
struct Listener<'l> {
    connection: &'l Connection,
    documents: &'l Documents,
    queue: &'l Queue,
}

impl Listener<'_> {
    /// Listens until the editor says good-bye or is gone.
    fn listen(&self) -> anyhow::Result<()> {
        for message in &self.connection.receiver {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    self.request(request);
                }
                Message::Notification(notification) => self.notification(notification),
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn request(&self, request: Request) {
        let uri = request.params.pointer("/textDocument/uri").and_then(serde_json::Value::as_str);
        match uri.map(|uri| path_of(&uri.into())) {
            Some(path) => self.queue.add(Job::Answer(request, path)),
            None => {
                let message = format!("'{}' is not supported", request.method);
                self.send(Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message).into());
            }
        }
    }

    /// Takes note of something; what can't be read or is not known is passed over.
    fn notification(&self, notification: Notification) {
        let method = notification.method.clone();
        match method.as_str() {
            "textDocument/didOpen" => read(notification, |parameters| self.open(parameters)),
            "textDocument/didChange" => read(notification, |parameters: DidChangeTextDocumentParams| {
                let identifier = parameters.text_document;
                let path = path_of(&identifier.text_document_identifier.uri);
                self.documents.change(&path, identifier.version, parameters.content_changes);
                self.queue.add(Job::Check(path));
            }),
            "textDocument/didSave" => read(notification, |parameters: DidSaveTextDocumentParams| {
                self.refresh([path_of(&parameters.text_document.uri)]);
            }),
            "textDocument/didClose" => read(notification, |parameters| self.close(parameters)),
            "workspace/didChangeWatchedFiles" => read(notification, |parameters: DidChangeWatchedFilesParams| {
                self.refresh(parameters.changes.iter().map(|change| path_of(&change.uri)));
            }),
            "workspace/didChangeConfiguration" => self.queue.add(Job::Configure),
            "$/cancelRequest" => read(notification, |parameters: CancelParams| {
                let id = match parameters.id {
                    Id::Int(number) => RequestId::from(number),
                    Id::String(text) => RequestId::from(text),
                };
                if let Some(id) = self.queue.cancel(&id) {
                    self.send(cancelled(id).into());
                }
            }),
            _ => {}
        }
    }

    fn open(&self, parameters: DidOpenTextDocumentParams) {
        let opened = parameters.text_document;
        let path = path_of(&opened.uri);
        let is_saved = files::read(&path).is_ok_and(|bytes| bytes == opened.text.as_bytes());
        let language = serde_json::to_string(&opened.language_id).unwrap_or_default().to_ascii_lowercase();
        let is_fortran = discovery::is_fortran(&path) || language.contains("fortran");
        let (uri, version, text) = (opened.uri, opened.version, opened.text.into());
        let document = Document { uri, version, text, is_fortran };
        self.documents.open(path.clone(), document);
        match is_saved {
            true => self.queue.add(Job::Check(path)),
            // Others may have seen the file.
            false => self.refresh([path]),
        }
    }

    fn close(&self, parameters: DidCloseTextDocumentParams) {
        let path = path_of(&parameters.text_document.uri);
        self.queue.forget(&path);
        if let Some(uri) = self.documents.close(&path) {
            let nothing = PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() };
            self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), nothing).into());
            self.refresh([path]);
        }
    }

    /// Files are others now. The configuration may be one of them, and a file may be new.
    fn refresh(&self, paths: impl IntoIterator<Item = PathBuf>) {
        let paths: BTreeSet<PathBuf> = paths.into_iter().collect();
        let is_configuration =
            |path: &PathBuf| path.file_name().is_some_and(|name| name == "camfort.toml" || name == "fpm.toml");
        self.queue.add(if paths.iter().any(is_configuration) { Job::Configure } else { Job::Refresh(paths) });
    }

    fn send(&self, message: Message) {
        let _ = self.connection.sender.send(message);
    }
}

/// Hands on the parameters of a notification, if they are what they should be.
fn read<P: DeserializeOwned>(notification: Notification, act: impl FnOnce(P)) {
    let method = notification.method.clone();
    if let Ok(parameters) = notification.extract(&method) {
        act(parameters);
    }
}
