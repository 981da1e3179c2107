//! Calls into addons that may throw C++ exceptions, which are caught at the border and become the environment's
//! exception.
//!
//! Frames of V8 and Rust cannot be unwound by such an exception, and Rust's catch ends the process on a foreign one.
//! Each call therefore goes through a few instructions with unwind tables and a personality routine that catches every
//! exception. No frame of rt lies between an addon's `throw` and its call, so no cleanup is skipped.
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use super::env::Env;
use crate::v8::api::v8;

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".hidden rt_addon_call",
    ".hidden rt_addon_thrown",
    ".globl rt_addon_call",
    ".globl rt_addon_thrown",
    "rt_addon_call:", // four arguments, the function in r8, the place for an exception in r9
    ".cfi_startproc",
    ".cfi_personality 0x1b, {personality}",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push r9",
    "sub rsp, 8",
    "call r8",
    "jmp 2f",
    "rt_addon_thrown:", // rax holds the exception
    "mov rcx, [rbp - 8]",
    "mov [rcx], rax",
    "xor eax, eax",
    "2:",
    "leave",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    personality = sym personality,
);

#[cfg(target_arch = "aarch64")]
std::arch::global_asm!(
    ".hidden rt_addon_call",
    ".hidden rt_addon_thrown",
    ".globl rt_addon_call",
    ".globl rt_addon_thrown",
    "rt_addon_call:", // four arguments, the function in x4, the place for an exception in x5
    ".cfi_startproc",
    ".cfi_personality 0x1b, {personality}",
    "stp x29, x30, [sp, -32]!",
    ".cfi_def_cfa_offset 32",
    ".cfi_offset x29, -32",
    ".cfi_offset x30, -24",
    "mov x29, sp",
    ".cfi_def_cfa_register x29",
    "str x5, [sp, 16]",
    "blr x4",
    "b 2f",
    "rt_addon_thrown:", // x0 holds the exception
    "ldr x1, [x29, 16]",
    "str x0, [x1]",
    "mov x0, 0",
    "2:",
    "mov sp, x29",
    "ldp x29, x30, [sp], 32",
    ".cfi_def_cfa sp, 0",
    ".cfi_restore x29",
    ".cfi_restore x30",
    "ret",
    ".cfi_endproc",
    personality = sym personality,
);

/// The arguments of a call, as words; functions with fewer parameters ignore the rest.
pub type Words = [usize; 4];

unsafe extern "C" {
    fn rt_addon_call(
        one: usize,
        two: usize,
        three: usize,
        four: usize,
        function: *const c_void,
        exception: *mut *mut c_void,
    ) -> usize;
    fn rt_addon_thrown();
}

// The system's unwinder, which Rust's panics use too.
unsafe extern "C" {
    fn _Unwind_SetGR(context: *mut c_void, register: c_int, value: usize);
    fn _Unwind_SetIP(context: *mut c_void, address: usize);
    fn _Unwind_DeleteException(exception: *mut c_void);
    fn _Unwind_Backtrace(each: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int, data: *mut c_void) -> c_int;
}

/// Initialise the system's unwinder, which fills its tables during the first walk. An addon may link its own unwinder,
/// so this one may not have run yet.
fn wake_unwinder() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    unsafe extern "C" fn stop(_context: *mut c_void, _data: *mut c_void) -> c_int {
        const END_OF_STACK: c_int = 5;
        END_OF_STACK
    }
    // SAFETY: the walk ends at its first frame.
    ONCE.call_once(|| unsafe {
        _Unwind_Backtrace(stop, null_mut());
    });
}

/// The personality routine for frames of `rt_addon_call`: catches every exception, but not a thread cancellation.
unsafe extern "C" fn personality(
    version: c_int,
    actions: c_int,
    _class: u64,
    exception: *mut c_void,
    context: *mut c_void,
) -> c_int {
    const SEARCH: c_int = 1;
    const HANDLER_FRAME: c_int = 4;
    const FORCED: c_int = 8;
    const FATAL: c_int = 3;
    const FOUND: c_int = 6;
    const INSTALL: c_int = 7;
    const CONTINUE: c_int = 8;
    match () {
        () if version != 1 => FATAL,
        () if actions & FORCED != 0 => CONTINUE,
        () if actions & SEARCH != 0 => FOUND,
        () if actions & HANDLER_FRAME == 0 => CONTINUE,
        () => {
            wake_unwinder();
            // SAFETY: the context belongs to the unwinder; the address lies in the frame being examined.
            unsafe {
                _Unwind_SetGR(context, 0, exception as usize);
                _Unwind_SetIP(context, rt_addon_thrown as *const () as usize);
            }
            INSTALL
        }
    }
}

/// Calls a function of an addon; the error describes what it threw.
///
/// # Safety
/// The function takes at most these words, returns one or nothing, and its contract holds.
pub unsafe fn attempt(function: *const c_void, words: Words) -> Result<usize, String> {
    let mut exception = null_mut();
    // SAFETY: guaranteed by the caller.
    let result = unsafe { rt_addon_call(words[0], words[1], words[2], words[3], function, &mut exception) };
    if exception.is_null() {
        return Ok(result);
    }
    // SAFETY: the unwinder passed ownership of the exception.
    Err(unsafe { take_description(exception) })
}

/// As `attempt`, but an exception becomes the environment's, and the result is zero.
///
/// # Safety
/// As for `attempt`, inside a V8 callback.
#[inline]
pub unsafe fn call(env: &Env, function: *const c_void, words: Words) -> usize {
    let mut exception = null_mut();
    // SAFETY: guaranteed by the caller.
    let result = unsafe { rt_addon_call(words[0], words[1], words[2], words[3], function, &mut exception) };
    if !exception.is_null() {
        // SAFETY: as in `attempt`.
        env.set_error(&unsafe { take_description(exception) });
    }
    result
}

/// The C++ library, if it is a shared one. A library linked statically into an addon cannot be used.
struct Library(*mut c_void);

impl Library {
    fn load_library() -> Option<Library> {
        // SAFETY: only checks whether the library is loaded; the handle is never closed.
        let handle = unsafe { libc::dlopen(c"libstdc++.so.6".as_ptr(), libc::RTLD_NOLOAD | libc::RTLD_LAZY) };
        (!handle.is_null()).then_some(Library(handle))
    }

    fn find(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is live and the name ends in NUL.
        unsafe { libc::dlsym(self.0, name.as_ptr()) }
    }
}

/// Frees an exception, and returns its description.
unsafe fn take_description(exception: *mut c_void) -> String {
    const PLAIN: u64 = u64::from_be_bytes(*b"GNUCC++\0");
    // SAFETY: an exception begins with its class. Those of libstdc++ have their type ten words before and the object
    // after the four words of the unwinder. The library, which is loaded, examines both as its own catch clauses do.
    unsafe {
        if *exception.cast::<u64>() != PLAIN {
            _Unwind_DeleteException(exception);
            return "an exception of another language left the addon".to_owned();
        }
        let kind = *exception.cast::<*mut c_void>().sub(10);
        let name = *kind.cast::<*const c_char>().add(1);
        let library = Library::load_library();
        let description = match &library {
            None => CStr::from_ptr(name).to_string_lossy().into_owned(),
            Some(library) => {
                let text = what(library, kind, exception.cast::<usize>().add(4).cast());
                format!("{}{}", demangle(library, name), text.map(|text| format!(": {text}")).unwrap_or_default())
            }
        };
        let functions = library.map(|library| [library.find(c"__cxa_begin_catch"), library.find(c"__cxa_end_catch")]);
        match functions.filter(|found| found.iter().all(|function| !function.is_null())) {
            None => _Unwind_DeleteException(exception),
            Some([begin, end]) => {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void) -> *mut c_void>(begin)(exception);
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(end)();
            }
        }
        format!("an exception of C++ left the addon: {description}")
    }
}

unsafe fn demangle(library: &Library, name: *const c_char) -> String {
    type Demangle = unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;
    // SAFETY: the name belongs to a live type; the function has this signature and returns memory from malloc, or null.
    unsafe {
        let plain = CStr::from_ptr(name).to_string_lossy().into_owned();
        let function = library.find(c"__cxa_demangle");
        if function.is_null() {
            return plain;
        }
        let mut status = 0;
        let made = std::mem::transmute::<*mut c_void, Demangle>(function)(name, null_mut(), null_mut(), &mut status);
        if made.is_null() {
            return plain;
        }
        let text = CStr::from_ptr(made).to_string_lossy().into_owned();
        libc::free(made.cast());
        text
    }
}

/// `what()` of an object that is a `std::exception`.
unsafe fn what(library: &Library, kind: *mut c_void, object: *mut c_void) -> Option<String> {
    const DO_CATCH: usize = 4; // index in the virtual table of std::type_info
    const WHAT: usize = 2; // index in the virtual table of std::exception
    type DoCatch = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void, u32) -> bool;
    type What = unsafe extern "C" fn(*mut c_void) -> *const c_char;
    let base = library.find(c"_ZTISt9exception");
    if base.is_null() {
        return None;
    }
    // SAFETY: types and objects of the C++ library begin with the address of their virtual table.
    unsafe {
        let mut object = object;
        let do_catch = *(*base.cast::<*const DoCatch>()).add(DO_CATCH);
        if !do_catch(base, kind, &mut object, 1) {
            return None;
        }
        let text = (*(*object.cast::<*const What>()).add(WHAT))(object);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    }
}

impl Env {
    /// Throws an Error with this message when the addon returns.
    pub fn set_error(&self, message: &str) {
        let scope = self.scope();
        if let Some(message) = scope.text(message.as_bytes()) {
            // SAFETY: the string is live, and the isolate is current because an addon was running.
            self.set_exception(unsafe { (v8().error_new)(message.handle(), null_mut()) });
        }
    }
}
