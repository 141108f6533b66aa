//! What is to be done, handed from the thread that listens to the one that works.
//!
//! Requests come before the documents that wait for their diagnostics, and a document waits once however often it was
//! changed: so the newest text is analysed, and none twice. What a change means for other documents is looked at when
//! nobody types.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_server::{Request, RequestId};

/// After so long without anything to do, nobody is typing.
const IDLE: Duration = Duration::from_millis(400);

/// Something to be done.
#[derive(Debug)]
pub enum Job {
    /// Read the configuration and all files again.
    Configure,
    /// Look at files that were changed by others, and at all that is open.
    Refresh(BTreeSet<PathBuf>),
    /// Answer a request about a document.
    Answer(Request, PathBuf),
    /// Analyse a document.
    Check(PathBuf),
}

/// The jobs that wait.
#[derive(Debug, Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    configure: bool,
    changed_files: BTreeSet<PathBuf>,
    requests: VecDeque<(Request, PathBuf)>,
    documents: VecDeque<PathBuf>,
    /// The request that is being answered, and whether nobody wants the answer any more.
    running: Option<(RequestId, bool)>,
    /// Whether other documents are to be looked at again when nothing else has been to be done for a while.
    refresh_when_idle: bool,
    is_closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job.
    pub fn add(&self, job: Job) {
        let mut state = self.lock();
        match job {
            Job::Configure => state.configure = true,
            Job::Refresh(files) => state.changed_files.extend(files),
            Job::Answer(request, path) => state.requests.push_back((request, path)),
            Job::Check(path) if state.documents.contains(&path) => {}
            Job::Check(path) => state.documents.push_back(path),
        }
        self.changed.notify_one();
    }

    /// Puts a job back where it was.
    pub fn put_back(&self, job: Job) {
        let mut state = self.lock();
        match job {
            Job::Answer(request, path) => state.requests.push_front((request, path)),
            Job::Check(path) if state.documents.contains(&path) => {}
            Job::Check(path) => state.documents.push_front(path),
            other @ (Job::Configure | Job::Refresh(_)) => {
                drop(state);
                self.add(other);
            }
        }
    }

    /// Takes back a request: the id, if it was not begun.
    pub fn cancel(&self, id: &RequestId) -> Option<RequestId> {
        let mut state = self.lock();
        if let Some((running, is_unwanted)) = &mut state.running
            && running == id
        {
            *is_unwanted = true;
            return None;
        }
        let at = state.requests.iter().position(|(request, _)| request.id == *id)?;
        state.requests.remove(at).map(|(request, _)| request.id)
    }

    /// The next job; waits for one. `None` when there will be none.
    pub fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if std::mem::take(&mut state.configure) {
                return Some(Job::Configure);
            }
            if !state.changed_files.is_empty() {
                return Some(Job::Refresh(std::mem::take(&mut state.changed_files)));
            }
            if let Some((request, path)) = state.requests.pop_front() {
                state.running = Some((request.id.clone(), false));
                return Some(Job::Answer(request, path));
            }
            if let Some(path) = state.documents.pop_front() {
                return Some(Job::Check(path));
            }
            if !state.refresh_when_idle {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let waited = self.changed.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            if waited.1.timed_out() {
                state.refresh_when_idle = false;
                return Some(Job::Refresh(BTreeSet::new()));
            }
        }
    }

    /// Asks for a look at all that is open when nothing else has been to be done for a while.
    pub fn refresh_when_idle(&self) {
        self.lock().refresh_when_idle = true;
    }

    /// Ends a request: whether its answer is still wanted.
    pub fn end_request(&self) -> bool {
        self.lock().running.take().is_none_or(|(_, is_unwanted)| !is_unwanted)
    }

    /// A document that nobody looks at any more waits for nothing.
    pub fn forget(&self, path: &Path) {
        self.lock().documents.retain(|waiting| waiting != path);
    }

    /// There will be no more jobs.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: i32) -> Request {
        Request::new(RequestId::from(id), "textDocument/hover".to_owned(), ())
    }

    #[test]
    fn requests_come_first_and_a_document_waits_once() {
        let queue = Queue::default();
        let path = PathBuf::from("/a.f90");
        queue.add(Job::Check(path.clone()));
        queue.add(Job::Check(path.clone()));
        queue.add(Job::Answer(request(1), path.clone()));
        assert!(matches!(queue.next(), Some(Job::Answer(..))));
        assert!(queue.end_request());
        assert!(matches!(queue.next(), Some(Job::Check(_))));
        queue.add(Job::Check(path.clone()));
        queue.forget(&path);
        queue.close();
        assert!(queue.next().is_none());
    }

    #[test]
    fn what_is_cancelled_is_not_answered() {
        let queue = Queue::default();
        for id in [1, 2] {
            queue.add(Job::Answer(request(id), PathBuf::new()));
        }
        assert!(matches!(queue.next(), Some(Job::Answer(..))));
        assert_eq!(queue.cancel(&RequestId::from(1)), None);
        assert!(!queue.end_request());
        assert_eq!(queue.cancel(&RequestId::from(2)), Some(RequestId::from(2)));
        assert_eq!(queue.cancel(&RequestId::from(3)), None);
    }
}
