//! libuv's locks, which addons use beside Node-API; on Linux they are POSIX's under other names.
//!
//! As in libuv, failures that a correct program cannot cause, such as unlocking a free lock, end the process.
use std::ffi::c_int;

use libc::{pthread_cond_t, pthread_mutex_t, pthread_mutexattr_t, pthread_rwlock_t, sem_t};

const NANOSECONDS: u64 = 1_000_000_000;

/// Zero, or a negative errno, as in libuv.
pub fn to_uv_error(result: c_int) -> c_int {
    -result
}

/// The same for a call that sets errno.
fn errno_to_uv_error(result: c_int) -> c_int {
    if result == 0 { 0 } else { -std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL) }
}

pub fn must(result: c_int) {
    if result != 0 {
        std::process::abort();
    }
}

/// Functions of libuv over one of POSIX: `may` and `errno` return its error, `must` ends the process on an error.
macro_rules! locks {
    (may: $($name:ident($($argument:ident: $type:ty),*) = $body:expr;)*) => { locks!(@ c_int, to_uv_error, $($name($($argument: $type),*) = $body;)*); };
    (must: $($name:ident($($argument:ident: $type:ty),*) = $body:expr;)*) => { locks!(@ (), must, $($name($($argument: $type),*) = $body;)*); };
    (errno: $($name:ident($($argument:ident: $type:ty),*) = $body:expr;)*) => { locks!(@ c_int, errno_to_uv_error, $($name($($argument: $type),*) = $body;)*); };
    (@ $result:ty, $convert:ident, $($name:ident($($argument:ident: $type:ty),*) = $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            // SAFETY: the addon's part of the contract in uv.h: each argument has that type, and was initialised before
            // use.
            unsafe { $convert($body) }
        }
    )*};
}

locks! { may:
    uv_mutex_init(mutex: *mut pthread_mutex_t) = libc::pthread_mutex_init(mutex, std::ptr::null());
    uv_mutex_init_recursive(mutex: *mut pthread_mutex_t) = {
        let mut kind = std::mem::zeroed::<pthread_mutexattr_t>();
        must(libc::pthread_mutexattr_init(&mut kind));
        must(libc::pthread_mutexattr_settype(&mut kind, libc::PTHREAD_MUTEX_RECURSIVE));
        let result = libc::pthread_mutex_init(mutex, &kind);
        must(libc::pthread_mutexattr_destroy(&mut kind));
        result
    };
    uv_mutex_trylock(mutex: *mut pthread_mutex_t) = libc::pthread_mutex_trylock(mutex);
    uv_rwlock_init(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_init(lock, std::ptr::null());
    uv_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_tryrdlock(lock);
    uv_rwlock_trywrlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_trywrlock(lock);
    uv_cond_init(condition: *mut pthread_cond_t) = {
        let mut kind = std::mem::zeroed::<libc::pthread_condattr_t>();
        must(libc::pthread_condattr_init(&mut kind));
        must(libc::pthread_condattr_setclock(&mut kind, libc::CLOCK_MONOTONIC));
        let result = libc::pthread_cond_init(condition, &kind);
        must(libc::pthread_condattr_destroy(&mut kind));
        result
    };
    uv_cond_timedwait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, timeout: u64) = {
        let end = uv_hrtime().saturating_add(timeout);
        let end = libc::timespec { tv_sec: (end / NANOSECONDS) as libc::time_t, tv_nsec: (end % NANOSECONDS) as libc::c_long };
        let result = libc::pthread_cond_timedwait(condition, mutex, &end);
        if result != libc::ETIMEDOUT {
            must(result);
        }
        result
    };
}

locks! { must:
    uv_mutex_destroy(mutex: *mut pthread_mutex_t) = libc::pthread_mutex_destroy(mutex);
    uv_mutex_lock(mutex: *mut pthread_mutex_t) = libc::pthread_mutex_lock(mutex);
    uv_mutex_unlock(mutex: *mut pthread_mutex_t) = libc::pthread_mutex_unlock(mutex);
    uv_rwlock_destroy(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_destroy(lock);
    uv_rwlock_rdlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_rdlock(lock);
    uv_rwlock_rdunlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_unlock(lock);
    uv_rwlock_wrlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_wrlock(lock);
    uv_rwlock_wrunlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_unlock(lock);
    uv_cond_destroy(condition: *mut pthread_cond_t) = libc::pthread_cond_destroy(condition);
    uv_cond_signal(condition: *mut pthread_cond_t) = libc::pthread_cond_signal(condition);
    uv_cond_broadcast(condition: *mut pthread_cond_t) = libc::pthread_cond_broadcast(condition);
    uv_cond_wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) = libc::pthread_cond_wait(condition, mutex);
    uv_sem_destroy(semaphore: *mut sem_t) = libc::sem_destroy(semaphore);
    uv_sem_post(semaphore: *mut sem_t) = libc::sem_post(semaphore);
    uv_sem_wait(semaphore: *mut sem_t) = retry_interrupted(|| libc::sem_wait(semaphore));
}

locks! { errno:
    uv_sem_init(semaphore: *mut sem_t, value: u32) = libc::sem_init(semaphore, 0, value);
    uv_sem_trywait(semaphore: *mut sem_t) = retry_interrupted(|| libc::sem_trywait(semaphore));
}

/// Repeat the call if a signal interrupts it.
fn retry_interrupted(mut act: impl FnMut() -> c_int) -> c_int {
    loop {
        let result = act();
        if result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return result;
        }
    }
}

/// Nanoseconds of the monotonic clock.
#[unsafe(no_mangle)]
pub extern "C" fn uv_hrtime() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call fills the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * NANOSECONDS + now.tv_nsec as u64
}
