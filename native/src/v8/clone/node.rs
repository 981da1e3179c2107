//! Typed arrays in structured clones as Node writes them between processes: host objects with two tags of Node's.
//!
//! rt writes most messages in V8's format, which Node reads as well; `views` writes those that hold Buffers. Node
//! numbers the view classes.
use std::ptr::{NonNull, null};

use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::buffer::new_uint8_array;
use crate::v8::values::scope::{NO_HANDLE, Scope};

const VIEW: u32 = 0;
const OBJECT: u32 = 1;

/// Reads what follows V8's tag of a host object; null if Node does not write it, or after an exception.
///
/// # Safety
/// `reader` is a live `ValueDeserializer` that has just read the tag.
pub unsafe fn read(scope: &Scope<'_>, reader: Raw) -> Handle {
    // SAFETY: guaranteed by the caller; the type of each handle is tested before use.
    unsafe {
        match number(reader) {
            Some(VIEW) => view(scope, reader).unwrap_or(NO_HANDLE),
            Some(OBJECT) => {
                let value = (v8().deserializer_read)(reader, scope.context.handle());
                if !value.is_null() && (v8().is_object)(value) { value } else { NO_HANDLE }
            }
            _ => NO_HANDLE,
        }
    }
}

unsafe fn number(reader: Raw) -> Option<u32> {
    let mut value = 0;
    // SAFETY: as for `read`; the call fills one integer.
    unsafe { (v8().deserializer_u32)(reader, &mut value) }.then_some(value)
}

unsafe fn view(scope: &Scope<'_>, reader: Raw) -> Option<Handle> {
    // SAFETY: as for `read`; the message holds `size` bytes, which are copied at once. No JavaScript may run here, so
    // V8's own functions create the views, each over the whole of its buffer.
    unsafe {
        let class = number(reader)?;
        let size = number(reader)? as usize;
        let mut bytes = null();
        if !(v8().deserializer_raw)(reader, size, &mut bytes) {
            return None;
        }
        let (array, data) = new_uint8_array(scope, size)?;
        if let Some(bytes) = NonNull::new(bytes.cast_mut()) {
            bytes.as_ptr().copy_to_nonoverlapping(data, size);
        }
        let (make, width) = match class {
            0 => (v8().int8_array_new, 1),
            1 => return Some(array.handle()),
            10 => {
                super::views::as_buffer(scope, array.handle());
                return Some(array.handle());
            }
            2 => (v8().uint8_clamped_array_new, 1),
            3 => (v8().int16_array_new, 2),
            4 => (v8().uint16_array_new, 2),
            5 => (v8().int32_array_new, 4),
            6 => (v8().uint32_array_new, 4),
            7 => (v8().float32_array_new, 4),
            8 => (v8().float64_array_new, 8),
            9 => (v8().data_view_new, 1),
            11 => (v8().big_int64_array_new, 8),
            12 => (v8().big_uint64_array_new, 8),
            13 => (v8().float16_array_new, 2),
            _ => return None,
        };
        if !size.is_multiple_of(width) {
            return None;
        }
        let made = make((v8().view_buffer)(array.handle()), 0, size / width);
        (!made.is_null()).then_some(made)
    }
}
