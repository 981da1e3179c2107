//! What addons of Node-API use of libuv's loop: `uv_async_t`, by which any thread has a function of the addon called on the loop.
//! There is no libuv here: `napi_get_uv_event_loop` gives a place that stands for the environment's loop, and nothing else of
//! libuv is there for it.
//!
//!     uv_async_init --> ACTIVE --uv_close--> CLOSING --the loop's next turn--> the addon's memory again
//!                       ACTIVE --uv_async_send, from any thread, several as one--> its callback on the loop
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::event_loop::{Inbox, Task};

use super::env::Env;
use super::types::Data;

type AsyncCallback = unsafe extern "C" fn(*mut AsyncHandle);
type CloseCallback = unsafe extern "C" fn(*mut AsyncHandle);

const UV_ASYNC: c_int = 1;

/// `uv_loop_t`, as far as addons may look: what they keep there.
#[repr(C)]
pub struct Loop {
    data: Cell<Data>,
    env: Cell<*const Env>,
}

impl Loop {
    pub const fn new() -> Self {
        Self { data: Cell::new(null_mut()), env: Cell::new(null()) }
    }

    /// The loop of an environment, which lives for ever.
    pub fn of(env: &'static Env) -> *const Loop {
        env.event_loop.env.set(env);
        &raw const env.event_loop
    }
}

/// `uv_async_t`: the addon's memory, of 128 bytes; the first four members are libuv's public ones.
#[repr(C)]
pub struct AsyncHandle {
    data: Data,
    event_loop: *const Loop,
    kind: c_int,
    close: Option<CloseCallback>,
    /// Ours: one count of an Arc, from `uv_async_init` until the addon is told that the handle is closed.
    state: *const State,
}

struct State {
    env: &'static Env,
    inbox: Arc<Inbox>,
    handle: *mut AsyncHandle,
    callback: Option<AsyncCallback>,
    /// The loop is told already.
    is_sent: AtomicBool,
    is_closing: AtomicBool,
    is_referenced: AtomicBool,
}

// SAFETY: threads use `is_sent` and the inbox, which are made for that; the rest is used by the loop's thread only.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

impl State {
    fn reference(&self, wanted: bool) {
        if self.is_referenced.swap(wanted, Ordering::AcqRel) != wanted {
            self.env.addons.refer(if wanted { 1 } else { -1 });
        }
    }

    fn send(self: Arc<Self>) {
        if !self.is_sent.swap(true, Ordering::AcqRel) {
            let inbox = self.inbox.clone();
            inbox.send(Task::Native(Box::new(move |_| self.dispatch())));
        }
    }

    /// Call into the addon from the loop, inside a callback of V8.
    fn dispatch(self: Arc<Self>) -> pyo3::PyResult<()> {
        self.is_sent.store(false, Ordering::Release);
        let env = self.env;
        if self.is_closing.load(Ordering::Acquire) || !env.is_open() {
            return Ok(());
        }
        let Some(callback) = self.callback else { return Ok(()) };
        env.addons.perform(Box::new(move || {
            // SAFETY: the addon gave the function for this handle, which is its own until it is closed.
            env.addons.enter(env, |_| unsafe { callback(self.handle) });
        }))
    }
}

/// The state behind a handle, which the addon may not have made.
///
/// # Safety
/// The pointer is null, or a handle that `uv_async_init` has filled and that is not closed.
unsafe fn known(handle: *const AsyncHandle) -> Option<&'static State> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref().and_then(|handle| handle.state.as_ref()) }
}

/// # Safety
/// As uv.h has it: a loop of `napi_get_uv_event_loop`, on its thread, and memory for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_async_init(
    event_loop: *const Loop,
    handle: *mut AsyncHandle,
    callback: Option<AsyncCallback>,
) -> c_int {
    // SAFETY: the loop is null or in an environment, and the handle null or memory of the addon; what is there may be anything.
    unsafe {
        let Some(env) = event_loop.as_ref().and_then(|it| it.env.get().as_ref()) else { return -libc::EINVAL };
        let Some(inbox) = env.addons.inbox().filter(|_| !handle.is_null()) else { return -libc::EINVAL };
        let state = Arc::new(State {
            env,
            inbox,
            handle,
            callback,
            is_sent: AtomicBool::new(false),
            is_closing: AtomicBool::new(false),
            is_referenced: AtomicBool::new(false),
        });
        state.reference(true);
        (*handle).event_loop = event_loop;
        (*handle).kind = UV_ASYNC;
        (*handle).close = None;
        (*handle).state = Arc::into_raw(state);
    }
    0
}

/// # Safety
/// As uv.h has it: a handle that is not closed. Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_async_send(handle: *mut AsyncHandle) -> c_int {
    // SAFETY: the caller's promise; the count is the handle's own, one more is taken here.
    unsafe {
        let Some(state) = known(handle) else { return -libc::EINVAL };
        Arc::increment_strong_count(state);
        Arc::from_raw(state).send();
    }
    0
}

/// # Safety
/// As uv.h has it: a handle that is not closing, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_close(handle: *mut AsyncHandle, callback: Option<CloseCallback>) {
    // SAFETY: the caller's promise; the count that the handle has is taken back once, after its last use.
    unsafe {
        let Some(state) = known(handle) else { return };
        if state.is_closing.swap(true, Ordering::AcqRel) {
            return;
        }
        (*handle).close = callback;
        let state = Arc::from_raw(state);
        let env = state.env;
        env.addons.later(move || {
            state.reference(false);
            (*handle).state = null();
            if let Some(callback) = callback {
                env.addons.enter(env, |_| callback(handle));
            }
        });
    }
}

/// # Safety
/// As uv.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_is_closing(handle: *const AsyncHandle) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { known(handle).is_none_or(|state| state.is_closing.load(Ordering::Acquire)).into() }
}

/// # Safety
/// As uv.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_is_active(handle: *const AsyncHandle) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { (uv_is_closing(handle) == 0).into() }
}

/// # Safety
/// As uv.h has it, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_ref(handle: *mut AsyncHandle) {
    // SAFETY: the caller's promise.
    if let Some(state) = unsafe { known(handle) } {
        state.reference(true);
    }
}

/// # Safety
/// As uv.h has it, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_unref(handle: *mut AsyncHandle) {
    // SAFETY: the caller's promise.
    if let Some(state) = unsafe { known(handle) } {
        state.reference(false);
    }
}

/// # Safety
/// As uv.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_has_ref(handle: *const AsyncHandle) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { known(handle).is_some_and(|state| state.is_referenced.load(Ordering::Acquire)).into() }
}

/// # Safety
/// As uv.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_handle_get_data(handle: *const AsyncHandle) -> Data {
    // SAFETY: the caller's promise.
    unsafe { (*handle).data }
}

/// # Safety
/// As uv.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_handle_set_data(handle: *mut AsyncHandle, data: Data) {
    // SAFETY: the caller's promise.
    unsafe { (*handle).data = data };
}
