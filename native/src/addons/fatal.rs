//! The end of the process that an addon asks for, or has come to where Node ends it.
use std::ffi::c_char;

use crate::v8::api::v8;

use super::types::AUTO_LENGTH;

/// `napi_fatal_error`: the process ends, for that is what an addon calls it for.
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
        // SAFETY: as much text as told, or up to its NUL.
        unsafe {
            let length = if length == AUTO_LENGTH { libc::strlen(text) } else { length };
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
        }
    };
    // SAFETY: only asks; an isolate that is current is this thread's, and its state is alive.
    unsafe {
        let isolate = (v8().isolate_current)();
        if !isolate.is_null()
            && let Some(addons) = super::engine::Addons::known(crate::v8::State::of(isolate))
        {
            let _ = addons.core().map(|core| core.flush()); // so that what the program has printed comes first
        }
    }
    told(&text(location, location_length), &text(message, message_length))
}

/// End the process, with `message` on standard error.
pub fn end(message: &str) -> ! {
    told("", message)
}

fn told(location: &str, message: &str) -> ! {
    eprintln!("FATAL ERROR: {location} {message}");
    crate::v8::heap::fatal_report::write(message);
    std::process::abort()
}
