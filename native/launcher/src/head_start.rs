//! Requests the head start of V8 from the native module, in the environment of the interpreter (`rt_wire::head_start`).
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use rt_wire::head_start::{ORDER, PRELOAD};

/// Makes the native module start V8 in the interpreter that is executed next.
///
/// `fields` are those of the start image, beginning with the path of the module; the request has a line for each. Does nothing
/// without fields, if a field contains a line end, or if the path contains a character that separates entries of LD_PRELOAD.
/// `program` is a descriptor of the record with which the module runs a program without Python.
pub fn request(fields: &[Vec<u8>], program: Option<i32>) {
    let Some(module) = fields.first() else { return };
    let is_plain = |byte: &u8| !matches!(byte, b':' | b' ' | b'\t' | b'\n' | b'$');
    if !module.iter().all(is_plain) || fields.iter().any(|field| field.contains(&b'\n')) {
        return;
    }
    let preloaded = std::env::var_os(PRELOAD);
    let preloaded = preloaded.as_deref().map_or(&b""[..], OsStr::as_bytes);
    let all = if preloaded.is_empty() { module.clone() } else { [module, &b":"[..], preloaded].concat() };
    let mut request = fields.join(&b'\n');
    request.push(b'\n');
    request.extend(program.map(|descriptor| descriptor.to_string().into_bytes()).unwrap_or_default());
    request.push(b'\n');
    request.extend_from_slice(preloaded);
    // SAFETY: this process has one thread.
    unsafe {
        std::env::set_var(PRELOAD, OsStr::from_bytes(&all));
        std::env::set_var(ORDER, OsStr::from_bytes(&request));
    }
}

/// Undoes `request` after the interpreter could not be executed.
pub fn withdraw() {
    let Some(request) = std::env::var_os(ORDER) else { return };
    let preloaded = request.as_bytes().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    // SAFETY: this process has one thread.
    unsafe {
        std::env::remove_var(ORDER);
        match preloaded {
            b"" => std::env::remove_var(PRELOAD),
            preloaded => std::env::set_var(PRELOAD, OsStr::from_bytes(preloaded)),
        }
    }
}
