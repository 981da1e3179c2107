//! The entry point of the process: this module is preloaded into the interpreter, whose `main` is called only if it is needed.
//!
//! The dynamic linker finds `__libc_start_main`, which calls `main`, here first. Without a request of the launcher, it calls
//! the C library's.
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::catch_unwind;
use std::sync::OnceLock;

use super::{attaching, begin as beginning};
use crate::v8::early;

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type StartMain =
    unsafe extern "C" fn(Main, c_int, *mut *mut c_char, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_int;

static INTERPRETER: OnceLock<Main> = OnceLock::new();

/// The process's command line, as `main` receives it.
#[derive(Clone, Copy)]
pub struct CommandLine {
    pub count: c_int,
    pub words: *mut *mut c_char,
}

impl CommandLine {
    /// Returns a copy of the words, which lives as long as the process: a program's title overwrites the original.
    pub fn copied(&self) -> CommandLine {
        let words = self.read().into_iter().map(|word| CString::from(word).into_raw());
        let words: Vec<*mut c_char> = words.chain([std::ptr::null_mut()]).collect();
        CommandLine { count: self.count, words: Box::leak(words.into_boxed_slice()).as_mut_ptr() }
    }

    pub fn read(&self) -> Vec<&'static CStr> {
        // SAFETY: the kernel passes `count` strings, which live as long as the process.
        (0..self.count as usize).map(|index| unsafe { CStr::from_ptr(*self.words.add(index)) }).collect()
    }
}

/// Called by the start-up code of every process that this module is preloaded into.
///
/// # Safety
/// Has the requirements of the C library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: Main,
    count: c_int,
    words: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    linker_fini: *mut c_void,
    stack_end: *mut c_void,
) -> c_int {
    // SAFETY: the next definition of the function is the C library's; its arguments are passed on unchanged.
    unsafe {
        let next = libc::dlsym(libc::RTLD_NEXT, c"__libc_start_main".as_ptr());
        if next.is_null() {
            libc::abort(); // nothing can be started without a C library
        }
        let next = std::mem::transmute::<*mut c_void, StartMain>(next);
        let _ = INTERPRETER.set(main);
        let first = if early::has_program() { begin } else { main };
        next(first, count, words, init, fini, linker_fini, stack_end)
    }
}

/// Called instead of the interpreter's `main`.
unsafe extern "C" fn begin(count: c_int, words: *mut *mut c_char, environment: *mut *mut c_char) -> c_int {
    let line = CommandLine { count, words };
    match catch_unwind(|| beginning::run(line)) {
        Ok(None) => {}
        // SAFETY: ends the process. All output has been written; no destructors need to run.
        Ok(Some(status)) => unsafe { libc::_exit(status) },
        Err(_) => attaching::fail("a native function has panicked"), // and has printed its message
    }
    let main = INTERPRETER.get().expect("kept before this is called");
    // SAFETY: calls the interpreter's own `main` with its original arguments.
    unsafe { main(count, words, environment) }
}
