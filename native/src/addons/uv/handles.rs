//! What all libuv handles share: the public members in the addon's memory, and the state behind them.
//!
//!     uv_…_init --> IDLE <--start, stop--> ACTIVE --uv_close--> CLOSING --the loop's next turn--> the addon's memory again
//!
//! A handle keeps the program alive while it is active and referenced, which it is until `uv_unref`.
use std::ffi::{c_int, c_void};
use std::ptr::null;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::event_loop::Core;

use super::super::env::Env;
use super::super::thrown::call;
use super::super::types::Data;
use super::event_loop::Loop;

pub type Callback = unsafe extern "C" fn(*mut Handle);

/// `uv_handle_t`; every kind has at least this size.
#[repr(C)]
pub struct Handle {
    data: Data,
    event_loop: *const Loop,
    kind: c_int,
    close: Option<Callback>,
    /// rt's state: one count of an Arc, from `uv_…_init` until the addon's close callback.
    state: *const State,
}

/// The behaviour of a kind of handle, on the loop's thread.
pub trait Kind {
    /// Stops waiting for events.
    fn stop(&self, core: &Rc<Core>);
}

pub struct State {
    pub env: &'static Env,
    pub handle: *mut Handle,
    kind: Box<dyn Kind>,
    is_active: AtomicBool,
    is_closing: AtomicBool,
    is_referenced: AtomicBool,
    /// Whether it is counted among the handles that keep the program alive.
    is_counted: AtomicBool,
}

// SAFETY: other threads use a handle only through `waking`, whose state is thread-safe; everything else is used by the
// loop's thread.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

impl State {
    fn settle(&self) {
        let wanted = self.is_active() && self.is_referenced.load(Ordering::Acquire);
        if self.is_counted.swap(wanted, Ordering::AcqRel) != wanted {
            self.env.addons.refer(if wanted { 1 } else { -1 });
        }
    }

    pub fn set_active(&self, is_active: bool) {
        self.is_active.store(is_active, Ordering::Release);
        self.settle();
    }

    pub fn is_active(&self) -> bool {
        self.is_active.load(Ordering::Acquire)
    }

    pub fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }

    /// Calls into the addon from the loop, inside a V8 callback, followed by ticks and microtasks.
    ///
    /// # Safety
    /// The function takes the handle and these words.
    pub unsafe fn call(self: &Arc<Self>, function: *const c_void, words: [usize; 2]) -> pyo3::PyResult<()> {
        let env = self.env;
        if self.is_closing() || !env.is_open() {
            return Ok(());
        }
        let handle = self.handle;
        let function = function as usize;
        env.addons.perform(Box::new(move || {
            env.addons.enter(env, |env| {
                // SAFETY: guaranteed by the caller.
                unsafe { call(env, function as *const c_void, [handle as usize, words[0], words[1], 0]) };
            });
        }))
    }
}

/// Initialise a handle in the addon's memory; `kind` is its number in uv.h.
///
/// # Safety
/// The loop is null or belongs to an environment; the handle is null or memory of the addon with any content.
pub unsafe fn init(
    event_loop: *const Loop,
    handle: *mut Handle,
    kind: c_int,
    is_active: bool,
    own: Box<dyn Kind>,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let Some(env) = Loop::env(event_loop).filter(|_| !handle.is_null()) else { return -libc::EINVAL };
        let state = Arc::new(State {
            env,
            handle,
            kind: own,
            is_active: AtomicBool::new(is_active),
            is_closing: AtomicBool::new(false),
            is_referenced: AtomicBool::new(true),
            is_counted: AtomicBool::new(false),
        });
        state.settle();
        (*handle).event_loop = event_loop;
        (*handle).kind = kind;
        (*handle).close = None;
        (*handle).state = Arc::into_raw(state);
    }
    0
}

/// The state of a handle, and that of its kind.
///
/// # Safety
/// The pointer is null, or an initialised handle of that kind that is not closed.
pub unsafe fn state_of<K>(handle: *const Handle) -> Option<(Arc<State>, *const K)> {
    // SAFETY: guaranteed by the caller; the handle owns a count, and one more is taken here.
    unsafe {
        let state = handle.as_ref()?.state;
        if state.is_null() {
            return None;
        }
        Arc::increment_strong_count(state);
        let state = Arc::from_raw(state);
        let own = std::ptr::from_ref(&*state.kind).cast::<K>();
        Some((state, own))
    }
}

unsafe fn of<'a>(handle: *const Handle) -> Option<&'a State> {
    // SAFETY: guaranteed by the caller.
    unsafe { handle.as_ref().and_then(|handle| handle.state.as_ref()) }
}

/// # Safety
/// As documented in uv.h: a handle that is not closing, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_close(handle: *mut Handle, callback: Option<Callback>) {
    // SAFETY: guaranteed by the caller; the handle's count is released once, after its last use.
    unsafe {
        let Some(state) = of(handle) else { return };
        if state.is_closing.swap(true, Ordering::AcqRel) {
            return;
        }
        (*handle).close = callback;
        let state = Arc::from_raw(state);
        let env = state.env;
        if let Some(core) = env.addons.core() {
            state.kind.stop(&core);
        }
        env.addons.close_later(Box::new(move || {
            state.set_active(false);
            (*handle).state = null();
            if let Some(callback) = callback {
                env.addons.enter(env, |env| {
                    call(env, callback as Data, [handle as usize, 0, 0, 0]);
                });
            }
        }));
    }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_is_closing(handle: *const Handle) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { of(handle).is_none_or(State::is_closing).into() }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_is_active(handle: *const Handle) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { of(handle).is_some_and(|state| state.is_active() && !state.is_closing()).into() }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_ref(handle: *mut Handle) {
    // SAFETY: guaranteed by the caller.
    if let Some(state) = unsafe { of(handle) } {
        state.is_referenced.store(true, Ordering::Release);
        state.settle();
    }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_unref(handle: *mut Handle) {
    // SAFETY: guaranteed by the caller.
    if let Some(state) = unsafe { of(handle) } {
        state.is_referenced.store(false, Ordering::Release);
        state.settle();
    }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_has_ref(handle: *const Handle) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { of(handle).is_some_and(|state| state.is_referenced.load(Ordering::Acquire)).into() }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_handle_get_data(handle: *const Handle) -> Data {
    // SAFETY: guaranteed by the caller.
    unsafe { (*handle).data }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_handle_set_data(handle: *mut Handle, data: Data) {
    // SAFETY: guaranteed by the caller.
    unsafe { (*handle).data = data };
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_handle_get_loop(handle: *const Handle) -> *const Loop {
    // SAFETY: guaranteed by the caller.
    unsafe { (*handle).event_loop }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_handle_get_type(handle: *const Handle) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { (*handle).kind }
}
