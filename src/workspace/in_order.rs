//! Work on many items in parallel, with the results taken one by one in the order of the items.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Items per thread that may be under way or wait until their results are taken: enough to keep all threads busy behind
/// an item that takes long, few enough that results don't pile up.
const ITEMS_PER_THREAD: usize = 64;

/// Results that are waited for together, fewer than may wait: to wake a thread for each would cost more than to read
/// some files.
const RESULTS_AT_ONCE: usize = 16;

/// Lets the threads work on all items, and takes each result on the calling thread, which must be none of them, in the
/// order of the items and soon after it is there. Where `take` breaks no further item is begun, and what it broke with
/// is given back.
///
/// # Panics
///
/// When `work` does, once the results before are taken.
pub fn in_order<T: Sync, R: Send, B: Send>(
    threads: &rayon::ThreadPool,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<B>,
) -> Option<B> {
    let thread_count = threads.current_num_threads();
    let queue = Queue::new(items.len(), ITEMS_PER_THREAD * thread_count);
    let serve = || {
        while let Some(number) = queue.begin() {
            queue.end(number, catch_unwind(AssertUnwindSafe(|| work(&items[number]))));
        }
    };
    threads.in_place_scope(|scope| {
        (0..thread_count).for_each(|_| scope.spawn(|_| serve()));
        // However this ends, the threads must not wait for room any more.
        let _stop = Stop(&queue);
        for _ in items {
            match queue.next() {
                Ok(result) => {
                    if let ControlFlow::Break(broken) = take(result) {
                        return Some(broken);
                    }
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        None
    })
}

/// What passes between the threads that work and the one that takes.
struct Queue<R> {
    state: Mutex<State<R>>,
    /// A result is there.
    ready: Condvar,
    /// A result was taken.
    room: Condvar,
    items: usize,
    most: usize,
}

struct State<R> {
    /// So many results were taken.
    taken: usize,
    /// The results from that of item `taken` on; `None` while it is under way.
    results: VecDeque<Option<thread::Result<R>>>,
    /// So many threads wait for room.
    waiting: usize,
    stopped: bool,
}

impl<R> State<R> {
    /// So many items were begun.
    fn begun(&self) -> usize {
        self.taken + self.results.len()
    }
}

impl<R> Queue<R> {
    fn new(items: usize, most: usize) -> Self {
        let state = State { taken: 0, results: VecDeque::new(), waiting: 0, stopped: false };
        Queue { state: Mutex::new(state), ready: Condvar::new(), room: Condvar::new(), items, most }
    }

    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next item to be worked on, once there is room for its result.
    fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        while !state.stopped && state.results.len() >= self.most {
            state.waiting += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        let number = state.begun();
        if state.stopped || number == self.items {
            return None;
        }
        state.results.push_back(None);
        Some(number)
    }

    fn end(&self, number: usize, result: thread::Result<R>) {
        let mut state = self.state();
        let place = number - state.taken;
        state.results[place] = Some(result);
        let is_first_ready = matches!(state.results.front(), Some(Some(_)));
        let is_worth_it = state.results.len() >= RESULTS_AT_ONCE || state.begun() == self.items;
        drop(state);
        if is_first_ready && is_worth_it {
            self.ready.notify_one();
        }
    }

    /// The result of the next item, once it is there; there must be one.
    fn next(&self) -> thread::Result<R> {
        let mut state = self.state();
        loop {
            if let Some(Some(_)) = state.results.front()
                && let Some(Some(result)) = state.results.pop_front()
            {
                state.taken += 1;
                let is_waited_for = state.waiting > 0;
                drop(state);
                if is_waited_for {
                    self.room.notify_one();
                }
                return result;
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops the threads when it is dropped.
struct Stop<'q, R>(&'q Queue<R>);

impl<R> Drop for Stop<'_, R> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn threads() -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads can be had")
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..2000).collect();
        let mut taken = Vec::new();
        let work = |&item: &usize| {
            if item % 7 == 0 {
                thread::yield_now();
            }
            item * 2
        };
        let broken = in_order(&threads(), &items, work, |result| {
            taken.push(result);
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(broken, None);
        assert_eq!(taken, items.iter().map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn no_more_items_are_begun_than_there_is_room_for() {
        let items = vec![(); 10_000];
        let begun = AtomicUsize::new(0);
        let mut taken = 0;
        let broken = in_order(
            &threads(),
            &items,
            |()| begun.fetch_add(1, Ordering::SeqCst),
            |_| {
                taken += 1;
                assert!(begun.load(Ordering::SeqCst) < taken + 3 * ITEMS_PER_THREAD + 1);
                if taken == 500 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!((broken, taken), (Some("enough"), 500));
        assert!(begun.load(Ordering::SeqCst) < 500 + 3 * ITEMS_PER_THREAD + 1);
    }

    #[test]
    fn a_panic_comes_through() {
        let items: Vec<usize> = (0..1000).collect();
        let mut taken = 0;
        let all = catch_unwind(AssertUnwindSafe(|| {
            in_order(
                &threads(),
                &items,
                |&item| assert!(item != 300),
                |()| {
                    taken += 1;
                    ControlFlow::<()>::Continue(())
                },
            )
        }));
        assert_eq!((all.is_err(), taken), (true, 300));
    }
}
