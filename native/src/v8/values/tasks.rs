//! Observes the tasks that V8 posts for an engine's thread (FinalizationRegistry, Atomics.waitAsync, garbage
//! collection), so that the event loop knows whether one is waiting and when the next delayed one is due.
//!
//! V8's default platform keeps the tasks in a task runner for each isolate and offers no notification. The runner's
//! virtual table is replaced by a copy whose four posting functions record the task and then call V8's own. A runner
//! with an unexpected table is left alone; the event loop then has to pump without being notified.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use pyo3::PyResult;

use super::inner::Closing;
use super::scope::Scope;
use super::state::State;
use crate::v8::api::layout::{TABLE_HEAD, TASK_RUNNER_TABLE};
use crate::v8::api::process;
use crate::v8::api::share::Share;
use crate::v8::api::{Raw, v8};

/// The observed tasks of an isolate's task runner.
pub struct Queue {
    is_waiting: AtomicBool,
    due: Mutex<BinaryHeap<Reverse<Instant>>>,
    /// The descriptor to write a byte to when another thread posts a task; negative for none.
    waker: AtomicI32,
    owner: libc::pthread_t,
}

/// One engine's task runner.
pub struct Watch {
    queue: Arc<Queue>,
    runner: Share,
}

/// The queues by the addresses of their runners, shared because any thread may post tasks.
static QUEUES: Mutex<Option<HashMap<usize, Arc<Queue>>>> = Mutex::new(None);

fn with_queues<R>(work: impl FnOnce(&mut HashMap<usize, Arc<Queue>>) -> R) -> R {
    work(QUEUES.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// Observe the task runner of a fresh isolate.
pub fn watch(state: &State) {
    // SAFETY: platform and isolate are live; V8 transfers the share.
    let runner = unsafe {
        let priority = 2; // user-blocking; all priorities share one runner
        Share::new((v8().task_runner)(process::platform(), state.isolate, priority))
    };
    let slot = runner.object() as *mut *const usize;
    // SAFETY: a C++ object begins with the address of its virtual table, TABLE_HEAD words into the table.
    let Some(table) = watched_table(unsafe { *slot }) else { return };
    // SAFETY: the call only returns the calling thread's id.
    let owner = unsafe { libc::pthread_self() };
    let due = Mutex::default();
    let queue = Arc::new(Queue { is_waiting: AtomicBool::new(false), due, waker: AtomicI32::new(-1), owner });
    with_queues(|queues| queues.insert(slot as usize, queue.clone()));
    // SAFETY: as above; the copy is never freed, and nothing else uses the runner of a fresh isolate yet.
    unsafe { *slot = table };
    state.inner().tasks.replace(Some(Watch { queue, runner }));
    state.at_close(Closing::Tasks, forget);
}

/// Releases the task runner of an isolate that is about to be disposed of.
fn forget(state: &State) {
    if let Some(watch) = state.inner().tasks.take() {
        // SAFETY: platform and isolate are live; no task that the isolate posts from here on is run.
        unsafe { (v8().isolate_gone)(process::platform(), state.isolate) };
        with_queues(|queues| queues.remove(&(watch.runner.object() as usize)));
    }
}

/// A copy of a runner's table with the posting functions below, shared by all runners.
fn watched_table(own: *const usize) -> Option<*const usize> {
    static TABLE: OnceLock<Option<(usize, [usize; TASK_RUNNER_TABLE])>> = OnceLock::new();
    let (known, table) = TABLE.get_or_init(|| copied_table(own)).as_ref()?;
    (*known == own as usize).then(|| table[TABLE_HEAD..].as_ptr())
}

fn copied_table(own: *const usize) -> Option<(usize, [usize; TASK_RUNNER_TABLE])> {
    // SAFETY: tables of this class have TASK_RUNNER_TABLE words; objects refer to the word after the first TABLE_HEAD.
    let mut table = unsafe { *(own.sub(TABLE_HEAD) as *const [usize; TASK_RUNNER_TABLE]) };
    let replaced = [
        (v8().post_task as usize, post_task as *const () as usize),
        (v8().post_non_nestable as usize, post_non_nestable as *const () as usize),
        (v8().post_delayed as usize, post_delayed as *const () as usize),
        (v8().post_non_nestable_delayed as usize, post_non_nestable_delayed as *const () as usize),
    ];
    for (theirs, ours) in replaced {
        *table.iter_mut().find(|word| **word == theirs)? = ours;
    }
    Some((own as usize, table))
}

fn note(runner: Raw, delay_s: Option<f64>) {
    let Some(queue) = with_queues(|queues| queues.get(&(runner as usize)).cloned()) else { return };
    match delay_s.and_then(|delay| Duration::try_from_secs_f64(delay).ok()) {
        None => queue.is_waiting.store(true, Ordering::Release),
        Some(delay) => {
            // Slightly late rather than early, as V8 read its clock before.
            let due = Instant::now().checked_add(delay);
            queue.due.lock().unwrap_or_else(PoisonError::into_inner).extend(due.map(Reverse));
        }
    }
    let waker = queue.waker.load(Ordering::Acquire);
    // SAFETY: the byte outlives the call; a closed or full descriptor is harmless.
    unsafe {
        if waker >= 0 && libc::pthread_equal(libc::pthread_self(), queue.owner) == 0 {
            libc::write(waker, [0u8].as_ptr().cast(), 1);
        }
    }
}

unsafe extern "C" fn post_task(runner: Raw, task: Raw, location: Raw) {
    // SAFETY: V8's own function with V8's own arguments; ownership of the task is passed on.
    unsafe { (v8().post_task)(runner, task, location) };
    note(runner, None);
}

unsafe extern "C" fn post_non_nestable(runner: Raw, task: Raw, location: Raw) {
    // SAFETY: as above.
    unsafe { (v8().post_non_nestable)(runner, task, location) };
    note(runner, None);
}

unsafe extern "C" fn post_delayed(runner: Raw, task: Raw, delay_s: f64, location: Raw) {
    // SAFETY: as above.
    unsafe { (v8().post_delayed)(runner, task, delay_s, location) };
    note(runner, Some(delay_s));
}

unsafe extern "C" fn post_non_nestable_delayed(runner: Raw, task: Raw, delay_s: f64, location: Raw) {
    // SAFETY: as above.
    unsafe { (v8().post_non_nestable_delayed)(runner, task, delay_s, location) };
    note(runner, Some(delay_s));
}

/// Writes a byte to `descriptor` for each task that another thread posts.
pub fn wake_by(state: &State, descriptor: i32) {
    if let Some(queue) = queue_of(state) {
        queue.waker.store(descriptor, Ordering::Release);
    }
}

/// Runs one task; false if none is due. Needs no GIL.
pub fn pump(scope: &Scope<'_>) -> PyResult<bool> {
    let queue = queue_of(scope.state);
    let start = Instant::now();
    if let Some(queue) = &queue {
        queue.is_waiting.store(false, Ordering::Release);
    }
    // SAFETY: the platform and the isolate are live; the scope proves the isolate current.
    let ran = scope.work_detached(|| unsafe { (v8().platform_pump)(process::platform(), scope.isolate, false) });
    if let Some(queue) = &queue {
        if !matches!(ran, Ok(false)) {
            queue.is_waiting.store(true, Ordering::Release); // there may be more
        } else {
            let mut due = queue.due.lock().unwrap_or_else(PoisonError::into_inner);
            while due.peek().is_some_and(|Reverse(next)| *next <= start) {
                due.pop();
            }
        }
    }
    ran
}

/// The ms until a task is due: 0 if one is waiting, None if there is none.
pub fn delay_ms(state: &State) -> Option<f64> {
    let queue = queue_of(state)?;
    if queue.is_waiting.load(Ordering::Acquire) {
        return Some(0.0);
    }
    let due = queue.due.lock().unwrap_or_else(PoisonError::into_inner);
    due.peek().map(|Reverse(next)| next.saturating_duration_since(Instant::now()).as_secs_f64() * 1000.0)
}

fn queue_of(state: &State) -> Option<Arc<Queue>> {
    state.inner().tasks.borrow().as_ref().map(|watch| watch.queue.clone())
}
