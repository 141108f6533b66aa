//! The thread that analyses documents and answers requests.
//!
//! What other files tell (their modules, what their functions read) is kept in a session of the analysis. A session
//! ends when that may have changed: when another document than the one that is edited is to be analysed, or a file was
//! changed on the disk. The index of modules is made anew only when a file defines other modules than before.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crossbeam_channel::Sender;
use gen_lsp_types::{LogMessageParams, MessageType};
use lsp_server::{ErrorCode, Message, Notification, Response};

use super::answers;
use super::background::{Board, Look, Waiting};
use super::comparison::ProjectComparison;
use super::documents::{Document, Documents, Known};
use super::queue::{Job, Queue};
use super::settings::{DataSettings, GuardSettings, LoadSettings, STACK_BYTES, ServerSettings};
use crate::analysis::Session;
use crate::analysis::inputs::InputOptions;
use crate::analysis::shapes::ShapeOptions;
use crate::analysis::stencil::{Assist, AssistOptions, AssistOutcome};
use crate::names::ModuleSummary;
use crate::workspace::{Driver, ModuleSearch, Project, SourceOptions};

/// So many analyses a session lasts at most, as what its solver remembers grows.
const LONGEST_SESSION: usize = 500;

/// The worker.
pub struct Worker<'w> {
    /// The open documents.
    pub documents: &'w Documents,
    /// What is to be done.
    pub queue: &'w Queue,
    /// Where messages go.
    pub sender: Sender<Message>,
    /// Where diagnostics go.
    pub board: Board,
    /// Reads the configuration.
    pub load: &'w LoadSettings<'w>,
    /// The folders that the editor shows.
    pub roots: Vec<PathBuf>,
    /// The threads that index files.
    pub driver: Driver,
    /// What the editor wants the project to be compared with.
    pub guard_base: Option<String>,
}

/// What must be done before the next job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Session,
    Project,
    Settings,
    Stop,
}

/// What is kept over sessions.
#[derive(Default)]
struct State {
    /// The files of the project, and the modules of each.
    paths: Vec<PathBuf>,
    modules: Vec<Vec<ModuleSummary>>,
    known: HashMap<PathBuf, Known>,
}

impl State {
    /// Looks for the modules of a file again: whether they are others.
    fn reindex(&mut self, search: &ModuleSearch<'_>, path: &Path) -> bool {
        let Ok(at) = self.paths.binary_search_by(|known| known.as_path().cmp(path)) else { return false };
        let now = search.look(path).modules;
        let is_new = now != self.modules[at];
        self.modules[at] = now;
        is_new
    }
}

impl Worker<'_> {
    /// Works until the queue is closed.
    pub fn run(&self) {
        loop {
            let ServerSettings { source, paths, assist, shapes, inputs, data, guard } = match (self.load)(&self.roots) {
                Ok(settings) => settings,
                Err(error) => {
                    self.log(MessageType::Error, format!("{error:#}"));
                    ServerSettings::default()
                }
            };
            let documents = self.documents.clone();
            let overlay = move |path: &Path| {
                let document = documents.get(&crate::diagnostics::paths::resolved(path))?;
                Some(document.text.as_bytes().to_vec())
            };
            let options = SourceOptions { files: source.files.clone().with_overlay(overlay), ..source };
            let search = ModuleSearch::new(&options);
            let modules = self.driver.map(&paths, |path| search.look(path).modules);
            let mut state = State { paths, modules, known: HashMap::new() };
            self.check_all();
            loop {
                let project = Project::new(&state.paths, state.modules.concat(), options.clone());
                match self.work_on(&project, &assist, (&shapes, &inputs, &data, guard.as_ref()), &mut state) {
                    Next::Session | Next::Project => {}
                    Next::Settings => break,
                    Next::Stop => return,
                }
            }
        }
    }

    /// Works as long as a project lasts, with a thread beside that looks longer at documents.
    fn work_on(
        &self,
        project: &Project,
        assist: &AssistOptions,
        (shapes, inputs, data, guard): (&ShapeOptions, &InputOptions, &[DataSettings], Option<&GuardSettings>),
        state: &mut State,
    ) -> Next {
        let (waiting, paths) = (Waiting::default(), state.paths.clone());
        let comparison = self.guard_base.as_deref().zip(guard).map(|(base, settings)| ProjectComparison {
            base,
            roots: &self.roots,
            paths: &paths,
            settings,
            driver: &self.driver,
        });
        let log = |message| self.log(MessageType::Warning, message);
        let look = Look {
            project,
            shapes,
            inputs,
            data,
            comparison,
            documents: self.documents,
            board: &self.board,
            log: &log,
        };
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            if let Err(error) = builder.spawn_scoped(scope, || look.run(&waiting)) {
                self.log(MessageType::Error, format!("no thread could be started: {error}"));
            }
            let mut next = Next::Session;
            while next == Next::Session {
                next = self.serve(&Session::new(project, assist.clone()), state, &waiting);
            }
            waiting.close();
            next
        })
    }

    /// Every open document waits for its diagnostics.
    fn check_all(&self) {
        self.documents.paths().into_iter().for_each(|path| self.queue.add(Job::Check(path)));
    }

    /// Does jobs as long as a session lasts.
    fn serve(&self, session: &Session<'_, Assist>, state: &mut State, waiting: &Waiting) -> Next {
        let search = ModuleSearch::new(session.project().options());
        // The document that was changed since the session began: what it tells others is not known any more.
        let mut edited: Option<PathBuf> = None;
        for _ in 0..LONGEST_SESSION {
            let Some(job) = self.queue.next() else { return Next::Stop };
            let path = match &job {
                Job::Configure => return Next::Settings,
                Job::Refresh(files) => {
                    let has_new_modules = self.refresh(files, &search, state);
                    return if has_new_modules { Next::Project } else { Next::Session };
                }
                Job::Answer(_, path) | Job::Check(path) => path.clone(),
            };
            let Some(document) = self.documents.get(&path) else {
                state.known.remove(&path);
                self.refuse(job);
                continue;
            };
            let is_known = state.known.get(&path).is_some_and(|known| known.document == document);
            if !is_known {
                if edited.as_ref().is_some_and(|edited| *edited != path) {
                    self.queue.put_back(job);
                    return Next::Session;
                }
                let is_edit = state.known.contains_key(&path);
                if is_edit && state.reindex(&search, &path) {
                    state.known.retain(|known, _| *known == path);
                    self.check_all();
                    self.queue.put_back(job);
                    return Next::Project;
                }
                if is_edit {
                    edited = Some(path.clone());
                    if self.documents.paths().len() > 1 {
                        self.queue.refresh_when_idle();
                    }
                }
                let outcome = match document.is_fortran {
                    true => self.analyse(session, &path, &document),
                    false => AssistOutcome::default(),
                };
                self.board.tell(&path, &document, &outcome.findings);
                waiting.add(path.clone());
                state.known.insert(path.clone(), Known { document, outcome });
            }
            if let (Job::Answer(request, _), Some(known)) = (job, state.known.get(&path)) {
                let id = request.id.clone();
                let response = answers::answer(request, &path, known, session);
                let response = match self.queue.end_request() {
                    true => response,
                    false => cancelled(id),
                };
                self.send(response.into());
            }
        }
        Next::Session
    }

    /// Files were changed by others: whether they define other modules now.
    fn refresh(&self, files: &BTreeSet<PathBuf>, search: &ModuleSearch<'_>, state: &mut State) -> bool {
        let is_new: Vec<bool> = files.iter().map(|path| state.reindex(search, path)).collect();
        state.known.clear();
        self.check_all();
        is_new.contains(&true)
    }

    /// Answers a request about a document that is not open.
    fn refuse(&self, job: Job) {
        if let Job::Answer(request, _) = job {
            self.queue.end_request();
            let message = "the document is not open".to_owned();
            self.send(Response::new_err(request.id, ErrorCode::InvalidParams as i32, message).into());
        }
    }

    /// Analyses a document. An internal error is logged, and nothing is known then.
    fn analyse(&self, session: &Session<'_, Assist>, path: &Path, document: &Document) -> AssistOutcome {
        let analyse = || session.analyse(&session.project().view(path, document.text.as_bytes()));
        catch_unwind(AssertUnwindSafe(analyse)).unwrap_or_else(|_| {
            let text = format!("internal error in '{}': please report it with this file", path.display());
            self.log(MessageType::Error, text);
            AssistOutcome::default()
        })
    }

    fn log(&self, severity: MessageType, message: String) {
        let parameters = LogMessageParams { kind: severity, message };
        self.send(Notification::new("window/logMessage".to_owned(), parameters).into());
    }

    /// Where nobody listens any more, there is nobody to tell.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}

/// The answer to a request that was taken back.
pub fn cancelled(id: lsp_server::RequestId) -> Response {
    Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned())
}
