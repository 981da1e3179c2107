//! `uv_loop_t` as a stand-in for an environment's loop: addon data, the time, and libuv's error texts.
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use super::super::env::Env;
use super::super::types::Data;
use super::locks::uv_hrtime;

const NANOSECONDS_PER_MS: u64 = 1_000_000;
/// libuv 1.51.0.
const VERSION: u32 = 1 << 16 | 51 << 8;

/// `uv_loop_t`, with the member that addons may use.
#[repr(C)]
pub struct Loop {
    data: Cell<Data>,
    env: Cell<*const Env>,
}

/// The environment whose loop `uv_default_loop` returns: the first one, as long as it is open.
static FIRST: AtomicPtr<Env> = AtomicPtr::new(null_mut());

impl Loop {
    pub const fn new() -> Self {
        Self { data: Cell::new(null_mut()), env: Cell::new(null()) }
    }

    /// The loop of an environment, which is never freed.
    pub fn of(env: &'static Env) -> *const Loop {
        env.event_loop.env.set(env);
        &raw const env.event_loop
    }

    /// Registers a new environment for `uv_default_loop`.
    pub fn offer(env: &'static Env) {
        let first = FIRST.load(Ordering::Acquire);
        // SAFETY: the pointer is null or an environment, and these are never freed.
        if unsafe { first.as_ref() }.is_none_or(|first| !first.is_open()) {
            FIRST.store(std::ptr::from_ref(env).cast_mut(), Ordering::Release);
        }
    }

    /// The environment of an addon's loop.
    ///
    /// # Safety
    /// The pointer is null or a loop of an environment.
    pub unsafe fn env(this: *const Loop) -> Option<&'static Env> {
        // SAFETY: guaranteed by the caller; environments are never freed.
        unsafe { this.as_ref()?.env.get().as_ref() }.filter(|env| env.state.is_owner() && env.is_open())
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_default_loop() -> *const Loop {
    // SAFETY: the pointer is null or an environment, and these are never freed.
    unsafe { FIRST.load(Ordering::Acquire).as_ref() }.map_or(null(), Loop::of)
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_loop_get_data(this: *const Loop) -> Data {
    // SAFETY: guaranteed by the caller.
    unsafe { (*this).data.get() }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_loop_set_data(this: *const Loop, data: Data) {
    // SAFETY: guaranteed by the caller.
    unsafe { (*this).data.set(data) };
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_loop_alive(this: *const Loop) -> c_int {
    // SAFETY: guaranteed by the caller.
    let core = unsafe { Loop::env(this) }.and_then(|env| env.addons.core());
    core.is_some_and(|core| core.references.get() > 0).into()
}

/// Milliseconds of the clock of `uv_hrtime`.
#[unsafe(no_mangle)]
pub extern "C" fn uv_now(_this: *const Loop) -> u64 {
    uv_hrtime() / NANOSECONDS_PER_MS
}

/// Does nothing, as `uv_now` reads the clock each time.
#[unsafe(no_mangle)]
pub extern "C" fn uv_update_time(_this: *const Loop) {}

#[unsafe(no_mangle)]
pub extern "C" fn uv_version() -> u32 {
    VERSION
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_version_string() -> *const c_char {
    c"1.51.0".as_ptr()
}

/// A text that is never freed, the same for the same number.
fn intern(number: c_int, text: impl FnOnce() -> String) -> *const c_char {
    static TEXTS: Mutex<Vec<(c_int, CString)>> = Mutex::new(Vec::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = texts.iter().find(|(known, _)| *known == number) {
        return known.as_ptr();
    }
    let text = CString::new(text()).unwrap_or_default();
    let pointer = text.as_ptr(); // on the heap, so it does not move when the list grows
    texts.push((number, text));
    pointer
}

/// libuv's message for an error, a negative errno.
#[unsafe(no_mangle)]
pub extern "C" fn uv_strerror(error: c_int) -> *const c_char {
    intern(error.wrapping_mul(2), || crate::fs::error_words(error.wrapping_neg()).1)
}

/// The name of an error, such as ENOENT.
#[unsafe(no_mangle)]
pub extern "C" fn uv_err_name(error: c_int) -> *const c_char {
    intern(error.wrapping_mul(2).wrapping_add(1), || crate::fs::error_words(error.wrapping_neg()).0)
}
