//! Handles that are called once in every turn of the loop: idle and prepare handles before it waits, check handles
//! afterwards. While an idle handle is active, the loop does not wait.
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use crate::event_loop::{Core, Phase, Watcher};

use super::event_loop::Loop;
use super::handles::{Callback, Handle, Kind, init, state_of};

const UV_CHECK: c_int = 2;
const UV_IDLE: c_int = 6;
const UV_PREPARE: c_int = 9;

struct Turn {
    phase: Phase,
    /// Its number in the loop; zero for none.
    number: Cell<usize>,
}

impl Kind for Turn {
    fn stop(&self, core: &Rc<Core>) {
        core.leave_turns(self.number.take());
    }
}

fn phase_of(kind: c_int) -> Phase {
    match kind {
        UV_IDLE => Phase::Idle,
        UV_PREPARE => Phase::Prepare,
        _ => Phase::Check,
    }
}

unsafe fn make(event_loop: *const Loop, handle: *mut Handle, kind: c_int) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { init(event_loop, handle, kind, false, Box::new(Turn { phase: phase_of(kind), number: Cell::new(0) })) }
}

unsafe fn start(handle: *mut Handle, callback: Option<Callback>) -> c_int {
    // SAFETY: the caller guarantees a handle of this kind, for which the addon provided the function.
    unsafe {
        let (Some((state, own)), Some(callback)) = (state_of::<Turn>(handle), callback) else { return -libc::EINVAL };
        let Some(core) = state.env.addons.core().filter(|_| !state.is_closing()) else { return -libc::EINVAL };
        if state.is_active() {
            return 0;
        }
        state.set_active(true);
        let watcher = {
            let state = state.clone();
            move |_: &Rc<Core>| match state.is_active() {
                true => state.call(callback as *const c_void, [0, 0]),
                false => Ok(()),
            }
        };
        (*own).number.set(core.join_turns((*own).phase, Rc::new(watcher) as Rc<dyn Watcher>));
    }
    0
}

unsafe fn stop(handle: *mut Handle) -> c_int {
    // SAFETY: as for `start`.
    unsafe {
        if let Some((state, own)) = state_of::<Turn>(handle) {
            if let Some(core) = state.env.addons.core() {
                (*own).stop(&core);
            }
            state.set_active(false);
        }
    }
    0
}

macro_rules! turns {
    ($($init:ident, $start:ident, $stop:ident: $kind:expr;)*) => {$(
        /// # Safety
        /// As documented in uv.h, on the loop's thread.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $init(event_loop: *const Loop, handle: *mut Handle) -> c_int {
            // SAFETY: guaranteed by the caller.
            unsafe { make(event_loop, handle, $kind) }
        }

        /// # Safety
        /// As documented in uv.h, on the loop's thread.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $start(handle: *mut Handle, callback: Option<Callback>) -> c_int {
            // SAFETY: guaranteed by the caller.
            unsafe { start(handle, callback) }
        }

        /// # Safety
        /// As documented in uv.h, on the loop's thread.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $stop(handle: *mut Handle) -> c_int {
            // SAFETY: guaranteed by the caller.
            unsafe { stop(handle) }
        }
    )*};
}

turns! {
    uv_idle_init, uv_idle_start, uv_idle_stop: UV_IDLE;
    uv_prepare_init, uv_prepare_start, uv_prepare_stop: UV_PREPARE;
    uv_check_init, uv_check_start, uv_check_stop: UV_CHECK;
}
