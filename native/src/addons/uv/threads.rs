//! libuv's threads, keys, barriers and sleep; on Linux they are POSIX's under other names.
use std::ffi::{c_char, c_int, c_void};
use std::time::Duration;

use libc::{pthread_barrier_t, pthread_key_t, pthread_t};

use super::super::types::Data;
use super::locks::{must, to_uv_error};

type Entry = unsafe extern "C" fn(Data);

/// `uv_thread_options_t`.
#[repr(C)]
pub struct Options {
    flags: u32,
    stack_size: usize,
}

const HAS_STACK_SIZE: u32 = 1;
const SMALLEST_STACK: usize = 16 << 10;
const PAGE: usize = 4096;

struct Begin(Entry, Data);

extern "C" fn begin(argument: *mut c_void) -> *mut c_void {
    // SAFETY: the box comes from `uv_thread_create_ex` and is released once; the addon provided the function with its
    // argument.
    unsafe {
        let Begin(entry, data) = *Box::from_raw(argument.cast::<Begin>());
        entry(data);
    }
    std::ptr::null_mut()
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_thread_create_ex(
    thread: *mut pthread_t,
    options: *const Options,
    entry: Option<Entry>,
    data: Data,
) -> c_int {
    let Some(entry) = entry else { return -libc::EINVAL };
    // SAFETY: guaranteed by the caller; the attributes are initialised before use, and the thread owns the box if it
    // starts.
    unsafe {
        let stack_size = options.as_ref().filter(|options| options.flags & HAS_STACK_SIZE != 0).map(|it| it.stack_size);
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        must(libc::pthread_attr_init(&mut attributes));
        if let Some(size) = stack_size.filter(|size| *size > 0) {
            must(libc::pthread_attr_setstacksize(&mut attributes, size.next_multiple_of(PAGE).max(SMALLEST_STACK)));
        }
        let argument = Box::into_raw(Box::new(Begin(entry, data)));
        let result = libc::pthread_create(thread, &attributes, begin, argument.cast());
        if result != 0 {
            drop(Box::from_raw(argument));
        }
        must(libc::pthread_attr_destroy(&mut attributes));
        to_uv_error(result)
    }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_thread_create(thread: *mut pthread_t, entry: Option<Entry>, data: Data) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { uv_thread_create_ex(thread, std::ptr::null(), entry, data) }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_thread_join(thread: *const pthread_t) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { to_uv_error(libc::pthread_join(*thread, std::ptr::null_mut())) }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_thread_detach(thread: *const pthread_t) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { to_uv_error(libc::pthread_detach(*thread)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_self() -> pthread_t {
    // SAFETY: the call only reads.
    unsafe { libc::pthread_self() }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_thread_equal(one: *const pthread_t, other: *const pthread_t) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { (*one == *other).into() }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_thread_setname(name: *const c_char) -> c_int {
    // SAFETY: the caller guarantees a text that ends in NUL.
    unsafe { to_uv_error(libc::pthread_setname_np(libc::pthread_self(), name)) }
}

unsafe extern "C" {
    fn pthread_once(guard: *mut c_int, routine: unsafe extern "C" fn()) -> c_int;
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_once(guard: *mut c_int, routine: unsafe extern "C" fn()) {
    // SAFETY: guaranteed by the caller.
    unsafe { must(pthread_once(guard, routine)) };
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_key_create(key: *mut pthread_key_t) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { to_uv_error(libc::pthread_key_create(key, None)) }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_key_delete(key: *mut pthread_key_t) {
    // SAFETY: guaranteed by the caller.
    unsafe { must(libc::pthread_key_delete(*key)) };
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_key_get(key: *mut pthread_key_t) -> Data {
    // SAFETY: guaranteed by the caller.
    unsafe { libc::pthread_getspecific(*key) }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_key_set(key: *mut pthread_key_t, value: Data) {
    // SAFETY: guaranteed by the caller.
    unsafe { must(libc::pthread_setspecific(*key, value)) };
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_barrier_init(barrier: *mut pthread_barrier_t, count: u32) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { to_uv_error(libc::pthread_barrier_init(barrier, std::ptr::null(), count)) }
}

/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_barrier_destroy(barrier: *mut pthread_barrier_t) {
    // SAFETY: guaranteed by the caller.
    unsafe { must(libc::pthread_barrier_destroy(barrier)) };
}

/// Returns one to the thread that arrived last, zero to the others.
///
/// # Safety
/// As documented in uv.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uv_barrier_wait(barrier: *mut pthread_barrier_t) -> c_int {
    // SAFETY: guaranteed by the caller.
    let result = unsafe { libc::pthread_barrier_wait(barrier) };
    if result == libc::PTHREAD_BARRIER_SERIAL_THREAD {
        return 1;
    }
    must(result);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sleep(ms: u32) {
    std::thread::sleep(Duration::from_millis(ms.into()));
}
