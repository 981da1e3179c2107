//! rt's own libraries installed beside this module, each opened on first use and never closed.
use std::ffi::{CStr, CString, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::NonNull;

/// The address of a function in a library; the error describes what failed.
pub fn function_in(library: &str, function: &CStr) -> Result<NonNull<c_void>, String> {
    let path = folder().unwrap_or_default().join(library);
    let c_path = CString::new(path.as_os_str().as_bytes()).map_err(|_| "its path holds NUL".to_owned())?;
    // SAFETY: the path and the names end in NUL; the library is rt's own.
    unsafe {
        let library = libc::dlopen(c_path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if library.is_null() {
            return Err(CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned());
        }
        let found = libc::dlsym(library, function.as_ptr());
        NonNull::new(found).ok_or_else(|| format!("{} is not rt's", path.display()))
    }
}

/// The folder of this module.
fn folder() -> Option<PathBuf> {
    // SAFETY: looks up the library that contains an address of this module; its name ends in NUL and is never freed.
    unsafe {
        let mut info = std::mem::zeroed::<libc::Dl_info>();
        if libc::dladdr(folder as *const c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        let name = OsStr::from_bytes(CStr::from_ptr(info.dli_fname).to_bytes());
        PathBuf::from(name).parent().map(PathBuf::from)
    }
}
