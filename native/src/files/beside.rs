//! Libraries of rt's own that lie beside this module, each opened when it is first needed, and never closed.
use std::ffi::{CStr, CString, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::NonNull;

/// The address of a function in the library of that name; the error says what is wrong.
pub fn function_in(library: &str, function: &CStr) -> Result<NonNull<c_void>, String> {
    let path = folder().unwrap_or_default().join(library);
    let c_path = CString::new(path.as_os_str().as_bytes()).map_err(|_| "its path holds NUL".to_owned())?;
    // SAFETY: a path that ends in NUL, of a library that is rt's own; the names end in NUL, too.
    unsafe {
        let library = libc::dlopen(c_path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if library.is_null() {
            return Err(CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned());
        }
        let found = libc::dlsym(library, function.as_ptr());
        NonNull::new(found).ok_or_else(|| format!("{} is not rt's", path.display()))
    }
}

/// The folder that this module is in.
fn folder() -> Option<PathBuf> {
    // SAFETY: asks which library an address of ours is in; the name it gives ends in NUL and stays.
    unsafe {
        let mut info = std::mem::zeroed::<libc::Dl_info>();
        if libc::dladdr(folder as *const c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        let name = OsStr::from_bytes(CStr::from_ptr(info.dli_fname).to_bytes());
        PathBuf::from(name).parent().map(PathBuf::from)
    }
}
