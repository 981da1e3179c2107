//! `uv_async_t`: any thread can have a function of the addon called on the loop; several requests may be merged into
//! one call.
use std::ffi::{c_int, c_void};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::event_loop::{Core, Inbox, Task};

use super::event_loop::Loop;
use super::handles::{Callback, Handle, Kind, State, init, state_of};

const UV_ASYNC: c_int = 1;

struct Async {
    inbox: Arc<Inbox>,
    callback: Option<Callback>,
    /// Whether the loop was notified and has not reacted yet.
    is_sent: AtomicBool,
}

impl Kind for Async {
    fn stop(&self, _core: &Rc<Core>) {}
}

/// Calls the addon, on the loop.
///
/// # Safety
/// `own` is the state's.
unsafe fn dispatch(state: &Arc<State>, own: *const Async) -> pyo3::PyResult<()> {
    // SAFETY: guaranteed by the caller; the addon provided the function for this handle, which lives until it is
    // closed.
    unsafe {
        (*own).is_sent.store(false, Ordering::Release);
        let Some(callback) = (*own).callback else { return Ok(()) };
        state.call(callback as *const c_void, [0, 0])
    }
}

/// # Safety
/// As documented in uv.h: a loop of `napi_get_uv_event_loop`, on its thread, and memory for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_async_init(
    event_loop: *const Loop,
    handle: *mut Handle,
    callback: Option<Callback>,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let Some(inbox) = Loop::env(event_loop).and_then(|env| env.addons.inbox()) else { return -libc::EINVAL };
        let own = Async { inbox, callback, is_sent: AtomicBool::new(false) };
        init(event_loop, handle, UV_ASYNC, true, Box::new(own))
    }
}

/// # Safety
/// As documented in uv.h: a handle that is not closed. Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_async_send(handle: *mut Handle) -> c_int {
    // SAFETY: guaranteed by the caller; the data of the kind lives as long as the state, which the task keeps.
    unsafe {
        let Some((state, own)) = state_of::<Async>(handle) else { return -libc::EINVAL };
        if !(*own).is_sent.swap(true, Ordering::AcqRel) {
            let inbox = (*own).inbox.clone();
            let own = own as usize;
            inbox.send(Task::Native(Box::new(move |_| dispatch(&state, own as *const Async))));
        }
    }
    0
}
