//! `uv_queue_work`: runs on a thread of the loop's pool and completes on the loop.
//!
//!     QUEUED --taken by a thread--> RUNNING --done--> its after-work callback
//!     QUEUED --uv_cancel--> CANCELLED --> its after-work callback, with UV_ECANCELED
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::event_loop::{Inbox, Task};

use super::super::env::Env;
use super::super::thrown::{attempt, call};
use super::super::types::Data;
use super::event_loop::Loop;

type Work = unsafe extern "C" fn(*mut Request);
type AfterWork = unsafe extern "C" fn(*mut Request, c_int);

const UV_WORK: c_int = 7;
const QUEUED: u8 = 0;
const RUNNING: u8 = 1;
const CANCELLED: u8 = 2;

/// `uv_work_t`, the addon's memory: the public members, and rt's state in place of libuv's reserved words.
#[repr(C)]
pub struct Request {
    data: Data,
    kind: c_int,
    /// One count of an Arc, until the addon's after-work callback.
    state: *const State,
    reserved: [usize; 5],
    event_loop: *const Loop,
}

struct State {
    env: &'static Env,
    inbox: Arc<Inbox>,
    request: *mut Request,
    after: Option<AfterWork>,
    step: AtomicU8,
}

// SAFETY: pool threads call the work with the request that the addon provided for that, and read `step`; the rest
// belongs to the loop.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

/// Calls the after-work callback on the loop; an exception thrown on the pool thread is uncaught.
fn complete(state: Arc<State>, status: c_int, thrown: Option<String>) {
    let inbox = state.inbox.clone();
    inbox.send(Task::Native(Box::new(move |core| {
        core.refer(-1);
        let env = state.env;
        // SAFETY: this releases the request's count; nothing reads it afterwards, as the addon may reuse its memory.
        unsafe { drop(Arc::from_raw(std::mem::replace(&mut (*state.request).state, std::ptr::null()))) };
        if let Some(text) = thrown {
            env.addons.perform(Box::new(move || env.addons.enter(env, |env| env.set_error(&text))))?;
        }
        let Some(after) = state.after else { return Ok(()) };
        let request = state.request;
        // SAFETY: the addon provided the function for this request.
        let words = [request as usize, status as usize, 0, 0];
        env.addons.perform(Box::new(move || {
            env.addons.enter(env, |env| unsafe {
                call(env, after as Data, words);
            });
        }))
    })));
}

/// # Safety
/// As documented in uv.h: a loop of `napi_get_uv_event_loop`, on its thread, and memory for a request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_queue_work(
    event_loop: *const Loop,
    request: *mut Request,
    work: Option<Work>,
    after: Option<AfterWork>,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let (Some(env), Some(work)) = (Loop::env(event_loop), work) else { return -libc::EINVAL };
        let core = env.addons.core().filter(|_| !env.addons.is_ending.get());
        let (Some(core), Some(inbox)) = (core, env.addons.inbox()) else { return -libc::EINVAL };
        let state = Arc::new(State { env, inbox, request, after, step: AtomicU8::new(QUEUED) });
        (*request).kind = UV_WORK;
        (*request).event_loop = event_loop;
        (*request).state = Arc::into_raw(state.clone());
        core.refer(1);
        let submitted = core.submit(Box::new(move || {
            let transition = state.step.compare_exchange(QUEUED, RUNNING, Ordering::AcqRel, Ordering::Acquire);
            if transition.is_ok() {
                let thrown = attempt(work as Data, [state.request as usize, 0, 0, 0]).err();
                complete(state, 0, thrown);
            }
        }));
        if submitted.is_err() {
            core.refer(-1);
            drop(Arc::from_raw(std::mem::replace(&mut (*request).state, std::ptr::null())));
            return -libc::EMFILE;
        }
    }
    0
}

/// Cancels a request; only work can be cancelled, and only before a thread takes it.
///
/// # Safety
/// As documented in uv.h: a request of `uv_queue_work` that has not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_cancel(request: *mut Request) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let Some(state) = request.as_ref().filter(|request| request.kind == UV_WORK).map(|request| request.state)
        else {
            return -libc::EINVAL;
        };
        if state.is_null() {
            return -libc::EBUSY;
        }
        let cancelled = (*state).step.compare_exchange(QUEUED, CANCELLED, Ordering::AcqRel, Ordering::Acquire);
        if cancelled.is_err() {
            return -libc::EBUSY;
        }
        Arc::increment_strong_count(state);
        complete(Arc::from_raw(state), -libc::ECANCELED, None);
    }
    0
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_req_get_data(request: *const Request) -> Data {
    // SAFETY: guaranteed by the caller.
    unsafe { (*request).data }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_req_set_data(request: *mut Request, data: Data) {
    // SAFETY: guaranteed by the caller.
    unsafe { (*request).data = data };
}
