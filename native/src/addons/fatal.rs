//! The end of the process, requested by an addon or in cases where Node ends it too.
use std::ffi::c_char;

use crate::v8::api::v8;

use super::types::AUTO_LENGTH;

/// `napi_fatal_error`: ends the process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_fatal_error(
    location: *const c_char,
    location_length: usize,
    message: *const c_char,
    message_length: usize,
) -> ! {
    let text = |text: *const c_char, length: usize| {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: the text has the given length, or ends in NUL.
        unsafe {
            let length = if length == AUTO_LENGTH { libc::strlen(text) } else { length };
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
        }
    };
    // SAFETY: the call only reads; a current isolate belongs to this thread, and its state is alive.
    unsafe {
        let isolate = (v8().isolate_current)();
        if !isolate.is_null()
            && let Some(addons) = super::engine::Addons::find(crate::v8::State::of(isolate))
        {
            let _ = addons.core().map(|core| core.flush()); // so that the program's output comes first
        }
    }
    report_and_abort(&text(location, location_length), &text(message, message_length))
}

/// Ends the process with `message` on standard error.
pub fn end(message: &str) -> ! {
    report_and_abort("", message)
}

fn report_and_abort(location: &str, message: &str) -> ! {
    eprintln!("FATAL ERROR: {location} {message}");
    crate::v8::heap::fatal_report::write(message);
    std::process::abort()
}
