//! Handles that wait: timers, and polls of descriptors.
use std::cell::Cell;
use std::ffi::{c_int, c_short, c_void};
use std::rc::Rc;
use std::sync::Arc;

use crate::event_loop::{Core, Slot};

use super::event_loop::Loop;
use super::handles::{Callback, Handle, Kind, State, init, state_of};
use super::locks::uv_hrtime;

const UV_POLL: c_int = 8;
const UV_TIMER: c_int = 13;
const NANOSECONDS_PER_MS: u64 = 1_000_000;

// --- Descriptors.

type PollCallback = unsafe extern "C" fn(*mut Handle, c_int, c_int);

const READABLE: c_int = 1;
const WRITABLE: c_int = 2;
const DISCONNECT: c_int = 4;
const PRIORITIZED: c_int = 8;

struct Poll {
    descriptor: c_int,
}

impl Kind for Poll {
    fn stop(&self, core: &Rc<Core>) {
        core.unwatch(self.descriptor, Slot::Readable);
        core.unwatch(self.descriptor, Slot::Writable);
    }
}

/// The events of `wanted` for which a descriptor is ready, or its error.
fn ready(descriptor: c_int, wanted: c_int) -> Result<c_int, c_int> {
    const PAIRS: [(c_int, c_short); 4] = [
        (READABLE, libc::POLLIN | libc::POLLHUP),
        (WRITABLE, libc::POLLOUT),
        (DISCONNECT, libc::POLLRDHUP | libc::POLLHUP),
        (PRIORITIZED, libc::POLLPRI),
    ];
    let events = PAIRS.iter().filter(|(bit, _)| wanted & bit != 0).fold(0, |all, (_, events)| all | events);
    let mut poll = libc::pollfd { fd: descriptor, events, revents: 0 };
    // SAFETY: the array has one entry; the call does not wait.
    unsafe { libc::poll(&mut poll, 1, 0) };
    if poll.revents & (libc::POLLERR | libc::POLLNVAL) != 0 && poll.revents & libc::POLLPRI == 0 {
        return Err(-libc::EBADF);
    }
    Ok(PAIRS
        .iter()
        .filter(|(bit, events)| wanted & bit != 0 && poll.revents & events != 0)
        .fold(0, |all, (bit, _)| all | bit))
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_poll_init(event_loop: *const Loop, handle: *mut Handle, descriptor: c_int) -> c_int {
    // SAFETY: guaranteed by the caller; the call only changes a flag of the descriptor.
    unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        if flags == -1 {
            return -libc::EBADF;
        }
        libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK);
        init(event_loop, handle, UV_POLL, false, Box::new(Poll { descriptor }))
    }
}

/// # Safety
/// As for `uv_poll_init`, which is the same on this system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_poll_init_socket(event_loop: *const Loop, handle: *mut Handle, socket: c_int) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { uv_poll_init(event_loop, handle, socket) }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_poll_start(handle: *mut Handle, events: c_int, callback: Option<PollCallback>) -> c_int {
    // SAFETY: the caller guarantees a handle of this kind, for which the addon provided the function.
    unsafe {
        let (Some((state, own)), Some(callback)) = (state_of::<Poll>(handle), callback) else { return -libc::EINVAL };
        let Some(core) = state.env.addons.core().filter(|_| !state.is_closing()) else { return -libc::EINVAL };
        let descriptor = (*own).descriptor;
        (*own).stop(&core);
        state.set_active(events != 0);
        for (slot, wanted) in [(Slot::Readable, events & !WRITABLE), (Slot::Writable, events & WRITABLE)] {
            if wanted == 0 {
                continue;
            }
            let own_state = state.clone();
            let on_ready = move |_: &Rc<Core>| match ready(descriptor, wanted) {
                Ok(0) => Ok(()),
                Ok(events) => own_state.call(callback as *const c_void, [0, events as usize]),
                Err(error) => own_state.call(callback as *const c_void, [error as usize, 0]),
            };
            if let Err(error) = core.watch(descriptor, slot, Rc::new(on_ready)) {
                (*own).stop(&core);
                state.set_active(false);
                return -error.raw_os_error();
            }
        }
    }
    0
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_poll_stop(handle: *mut Handle) -> c_int {
    // SAFETY: as for `uv_poll_start`.
    unsafe {
        if let Some((state, own)) = state_of::<Poll>(handle) {
            if let Some(core) = state.env.addons.core() {
                (*own).stop(&core);
            }
            state.set_active(false);
        }
    }
    0
}

// --- Timers.

/// A system timer (timerfd), opened on first start.
struct Timer {
    descriptor: Cell<c_int>,
    callback: Cell<Option<Callback>>,
    /// Nanoseconds of `uv_hrtime`.
    due: Cell<u64>,
    repeat_ms: Cell<u64>,
}

impl Kind for Timer {
    fn stop(&self, core: &Rc<Core>) {
        let descriptor = self.descriptor.replace(-1);
        if descriptor >= 0 {
            core.unwatch(descriptor, Slot::Readable);
            // SAFETY: the timer owns the descriptor, which is closed once.
            unsafe { libc::close(descriptor) };
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if self.descriptor.get() >= 0 {
            // SAFETY: as above.
            unsafe { libc::close(self.descriptor.get()) };
        }
    }
}

impl Timer {
    fn set(&self, core: &Rc<Core>, state: &Arc<State>, delay_ms: u64) -> c_int {
        const SOONEST: u64 = 1; // zero would disarm the timer
        let nanoseconds = delay_ms.saturating_mul(NANOSECONDS_PER_MS);
        self.due.set(uv_hrtime().saturating_add(nanoseconds));
        let delay = nanoseconds.max(SOONEST);
        let value = libc::timespec {
            tv_sec: (delay / 1_000_000_000).min(i64::MAX as u64) as libc::time_t,
            tv_nsec: (delay % 1_000_000_000) as libc::c_long,
        };
        let once = libc::itimerspec { it_interval: libc::timespec { tv_sec: 0, tv_nsec: 0 }, it_value: value };
        // SAFETY: the timer owns the descriptor, and the structure is only read.
        unsafe {
            if self.descriptor.get() < 0 {
                let timer = libc::timerfd_create(libc::CLOCK_MONOTONIC, libc::TFD_NONBLOCK | libc::TFD_CLOEXEC);
                if timer < 0 {
                    return -libc::EMFILE;
                }
                self.descriptor.set(timer);
            }
            libc::timerfd_settime(self.descriptor.get(), 0, &once, std::ptr::null_mut());
        }
        state.set_active(true);
        if core.is_watched(self.descriptor.get(), Slot::Readable) {
            return 0;
        }
        let state = state.clone();
        let own = std::ptr::from_ref(self);
        // SAFETY: the data of the kind lives as long as the state, which the watcher keeps.
        let callback = move |core: &Rc<Core>| unsafe { (*own).ring(core, &state) };
        match core.watch(self.descriptor.get(), Slot::Readable, Rc::new(callback)) {
            Ok(()) => 0,
            Err(error) => -error.raw_os_error(),
        }
    }

    /// Handles an expired timer: as in libuv, it is restarted, or stopped, before its callback is called.
    fn ring(&self, core: &Rc<Core>, state: &Arc<State>) -> pyo3::PyResult<()> {
        let Some(callback) = self.callback.get().filter(|_| state.is_active()) else { return Ok(()) };
        match self.repeat_ms.get() {
            0 => {
                self.stop(core);
                state.set_active(false);
            }
            repeat_ms => {
                self.set(core, state, repeat_ms);
            }
        }
        // SAFETY: the addon provided the function for this handle.
        unsafe { state.call(callback as *const c_void, [0, 0]) }
    }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_init(event_loop: *const Loop, handle: *mut Handle) -> c_int {
    let own =
        Timer { descriptor: Cell::new(-1), callback: Cell::new(None), due: Cell::new(0), repeat_ms: Cell::new(0) };
    // SAFETY: guaranteed by the caller.
    unsafe { init(event_loop, handle, UV_TIMER, false, Box::new(own)) }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_start(
    handle: *mut Handle,
    callback: Option<Callback>,
    timeout_ms: u64,
    repeat_ms: u64,
) -> c_int {
    // SAFETY: the caller guarantees a handle of this kind.
    unsafe {
        let Some((state, own)) = state_of::<Timer>(handle).filter(|_| callback.is_some()) else { return -libc::EINVAL };
        let Some(core) = state.env.addons.core().filter(|_| !state.is_closing()) else { return -libc::EINVAL };
        (*own).callback.set(callback);
        (*own).repeat_ms.set(repeat_ms);
        (*own).set(&core, &state, timeout_ms)
    }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_stop(handle: *mut Handle) -> c_int {
    // SAFETY: as above.
    unsafe {
        if let Some((state, own)) = state_of::<Timer>(handle) {
            if let Some(core) = state.env.addons.core() {
                (*own).stop(&core);
            }
            state.set_active(false);
        }
    }
    0
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_again(handle: *mut Handle) -> c_int {
    // SAFETY: as above.
    unsafe {
        let Some((state, own)) = state_of::<Timer>(handle).filter(|(_, own)| (**own).callback.get().is_some()) else {
            return -libc::EINVAL;
        };
        match (state.env.addons.core(), (*own).repeat_ms.get()) {
            (Some(core), repeat_ms) if repeat_ms > 0 => (*own).set(&core, &state, repeat_ms),
            _ => 0,
        }
    }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_set_repeat(handle: *mut Handle, repeat_ms: u64) {
    // SAFETY: as above.
    if let Some((_, own)) = unsafe { state_of::<Timer>(handle) } {
        // SAFETY: the data lives as long as its state.
        unsafe { (*own).repeat_ms.set(repeat_ms) };
    }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_get_repeat(handle: *const Handle) -> u64 {
    // SAFETY: as above; the field is read while the state is held.
    unsafe { state_of::<Timer>(handle).map_or(0, |(_state, own)| (*own).repeat_ms.get()) }
}

/// # Safety
/// As documented in uv.h, on the loop's thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_timer_get_due_in(handle: *const Handle) -> u64 {
    // SAFETY: as above.
    unsafe {
        state_of::<Timer>(handle)
            .filter(|(state, _)| state.is_active())
            .map_or(0, |(_state, own)| (*own).due.get().saturating_sub(uv_hrtime()) / NANOSECONDS_PER_MS)
    }
}
