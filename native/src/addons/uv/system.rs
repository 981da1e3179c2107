//! libuv's functions for the system: process, environment, folders, memory, clocks, libraries. They map to the C
//! library.
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;

use super::locks::to_uv_error;

/// Writes `text` and its NUL into a buffer of `*size` bytes, and the length into `size`; if the buffer is too small,
/// writes the required size.
///
/// # Safety
/// The pointers are null, or `buffer` has `*size` bytes.
unsafe fn write_text(text: &[u8], buffer: *mut c_char, size: *mut usize) -> c_int {
    if buffer.is_null() || size.is_null() {
        return -libc::EINVAL;
    }
    // SAFETY: guaranteed by the caller.
    unsafe {
        match *size {
            0 => -libc::EINVAL,
            room if room <= text.len() => {
                *size = text.len() + 1;
                -libc::ENOBUFS
            }
            _ => {
                std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), text.len());
                *buffer.add(text.len()) = 0;
                *size = text.len();
                0
            }
        }
    }
}

fn variable(name: &CStr) -> Option<Vec<u8>> {
    // SAFETY: the name ends in NUL; the C library's text is copied at once.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CStr::from_ptr(value).to_bytes().to_vec())
    }
}

fn last_error() -> c_int {
    -std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL)
}

/// Define functions of libuv; their arguments follow the contract in uv.h.
macro_rules! uv {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        /// # Safety
        /// As documented in uv.h.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            // SAFETY: the caller guarantees that texts end in NUL and pointers are null or valid for writes.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    )*};
}

/// `uv_lib_t`.
#[repr(C)]
pub struct Library {
    handle: *mut c_void,
    error: *mut c_char,
}

/// `uv_timeval64_t` and `uv_timespec64_t`.
#[repr(C)]
pub struct Time {
    seconds: i64,
    part: i32,
}

unsafe fn remember_error(library: &mut Library) -> c_int {
    // SAFETY: the C library's text is copied at once; strdup made the other one.
    unsafe {
        let text = libc::dlerror();
        libc::free(library.error.cast());
        library.error = if text.is_null() { std::ptr::null_mut() } else { libc::strdup(text) };
        if library.error.is_null() { 0 } else { -1 }
    }
}

uv! {
    fn uv_os_getpid() -> c_int {
        libc::getpid()
    }

    fn uv_os_getppid() -> c_int {
        libc::getppid()
    }

    fn uv_os_getenv(name: *const c_char, buffer: *mut c_char, size: *mut usize) -> c_int {
        if name.is_null() {
            return -libc::EINVAL;
        }
        match variable(CStr::from_ptr(name)) {
            Some(value) => write_text(&value, buffer, size),
            None => -libc::ENOENT,
        }
    }

    fn uv_os_setenv(name: *const c_char, value: *const c_char) -> c_int {
        if name.is_null() || value.is_null() {
            return -libc::EINVAL;
        }
        if libc::setenv(name, value, 1) == 0 { 0 } else { last_error() }
    }

    fn uv_os_unsetenv(name: *const c_char) -> c_int {
        if name.is_null() {
            return -libc::EINVAL;
        }
        if libc::unsetenv(name) == 0 { 0 } else { last_error() }
    }

    fn uv_os_gethostname(buffer: *mut c_char, size: *mut usize) -> c_int {
        let mut name = [0u8; 256];
        if libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) != 0 {
            return last_error();
        }
        write_text(name.split(|byte| *byte == 0).next().unwrap_or_default(), buffer, size)
    }

    fn uv_os_homedir(buffer: *mut c_char, size: *mut usize) -> c_int {
        match std::env::home_dir() {
            Some(folder) => write_text(folder.as_os_str().as_bytes(), buffer, size),
            None => -libc::ENOENT,
        }
    }

    fn uv_os_tmpdir(buffer: *mut c_char, size: *mut usize) -> c_int {
        let found = [c"TMPDIR", c"TMP", c"TEMP", c"TEMPDIR"].into_iter().find_map(variable);
        let mut folder = found.unwrap_or_else(|| b"/tmp".to_vec());
        if folder.len() > 1 && folder.ends_with(b"/") {
            folder.pop();
        }
        write_text(&folder, buffer, size)
    }

    fn uv_cwd(buffer: *mut c_char, size: *mut usize) -> c_int {
        match std::env::current_dir() {
            Ok(folder) => write_text(folder.as_os_str().as_bytes(), buffer, size),
            Err(problem) => -problem.raw_os_error().unwrap_or(libc::EIO),
        }
    }

    fn uv_exepath(buffer: *mut c_char, size: *mut usize) -> c_int {
        match std::env::current_exe() {
            Ok(path) => {
                if buffer.is_null() || size.is_null() || *size == 0 {
                    return -libc::EINVAL;
                }
                let bytes = path.as_os_str().as_bytes();
                write_text(&bytes[..bytes.len().min(*size - 1)], buffer, size)
            }
            Err(problem) => -problem.raw_os_error().unwrap_or(libc::EIO),
        }
    }

    fn uv_available_parallelism() -> u32 {
        std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
    }

    fn uv_get_total_memory() -> u64 {
        libc::sysconf(libc::_SC_PHYS_PAGES) as u64 * libc::sysconf(libc::_SC_PAGESIZE) as u64
    }

    fn uv_get_free_memory() -> u64 {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
    }

    fn uv_resident_set_memory(size: *mut usize) -> c_int {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let Some(pages) = text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()) else { return -libc::EINVAL };
        *size = pages * libc::sysconf(libc::_SC_PAGESIZE) as usize;
        0
    }

    fn uv_getrusage(usage: *mut libc::rusage) -> c_int {
        if libc::getrusage(libc::RUSAGE_SELF, usage) == 0 { 0 } else { last_error() }
    }

    fn uv_uptime(seconds: *mut f64) -> c_int {
        let mut time = std::mem::zeroed::<libc::timespec>();
        if libc::clock_gettime(libc::CLOCK_BOOTTIME, &mut time) != 0 {
            return last_error();
        }
        *seconds = time.tv_sec as f64;
        0
    }

    fn uv_loadavg(averages: *mut f64) -> () {
        libc::getloadavg(averages, 3);
    }

    fn uv_gettimeofday(time: *mut Time) -> c_int {
        if time.is_null() {
            return -libc::EINVAL;
        }
        let mut now = std::mem::zeroed::<libc::timespec>();
        libc::clock_gettime(libc::CLOCK_REALTIME, &mut now);
        *time = Time { seconds: now.tv_sec, part: (now.tv_nsec / 1000) as i32 };
        0
    }

    fn uv_clock_gettime(clock: c_int, time: *mut Time) -> c_int {
        if time.is_null() {
            return -libc::EFAULT;
        }
        let clock = match clock {
            0 => libc::CLOCK_MONOTONIC,
            1 => libc::CLOCK_REALTIME,
            _ => return -libc::EINVAL,
        };
        let mut now = std::mem::zeroed::<libc::timespec>();
        if libc::clock_gettime(clock, &mut now) != 0 {
            return last_error();
        }
        *time = Time { seconds: now.tv_sec, part: now.tv_nsec as i32 };
        0
    }

    fn uv_translate_sys_error(code: c_int) -> c_int {
        to_uv_error(code.abs())
    }

    fn uv_dlopen(path: *const c_char, library: *mut Library) -> c_int {
        libc::dlerror();
        library.write(Library { handle: libc::dlopen(path, libc::RTLD_LAZY), error: std::ptr::null_mut() });
        if (*library).handle.is_null() { remember_error(&mut *library) } else { 0 }
    }

    fn uv_dlsym(library: *mut Library, name: *const c_char, found: *mut *mut c_void) -> c_int {
        libc::dlerror();
        *found = libc::dlsym((*library).handle, name);
        remember_error(&mut *library)
    }

    fn uv_dlclose(library: *mut Library) -> () {
        libc::free((*library).error.cast());
        (*library).error = std::ptr::null_mut();
        if !(*library).handle.is_null() {
            libc::dlclose((*library).handle);
            (*library).handle = std::ptr::null_mut();
        }
    }

    fn uv_dlerror(library: *const Library) -> *const c_char {
        if (*library).error.is_null() { c"no error".as_ptr() } else { (*library).error }
    }

    fn uv_err_name_r(code: c_int, buffer: *mut c_char, size: usize) -> *mut c_char {
        copy_text(CStr::from_ptr(super::event_loop::uv_err_name(code)), buffer, size)
    }

    fn uv_strerror_r(code: c_int, buffer: *mut c_char, size: usize) -> *mut c_char {
        copy_text(CStr::from_ptr(super::event_loop::uv_strerror(code)), buffer, size)
    }
}

/// Writes as much of a text as fits.
unsafe fn copy_text(text: &CStr, buffer: *mut c_char, size: usize) -> *mut c_char {
    let bytes = text.to_bytes();
    if size > 0 {
        let mut room = size;
        let part = CString::new(&bytes[..bytes.len().min(size - 1)]).unwrap_or_default();
        // SAFETY: the caller guarantees the size of the buffer.
        unsafe { write_text(part.as_bytes(), buffer, &mut room) };
    }
    buffer
}
