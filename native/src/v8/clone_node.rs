//! Typed arrays in structured clones as Node writes them between processes: host objects with its own two tags.
//!
//! rt writes most messages in V8's own form, which Node reads, too; `clone_views` writes those that hold Buffers. The
//! classes of views go by Node's numbers.
use std::ptr::{NonNull, null};

use super::api::{Handle, Raw, v8};
use super::buffer::new_uint8_array;
use super::scope::{NO_HANDLE, Scope};

const VIEW: u32 = 0;
const OBJECT: u32 = 1;

/// Read what follows V8's tag of a host object; null for what Node does not write, or after an exception.
///
/// # Safety
/// `reader` is a live `ValueDeserializer` that has just read the tag.
pub unsafe fn read(scope: &Scope<'_>, reader: Raw) -> Handle {
    // SAFETY: the caller's promise; handles are tested before they are used as what they should be.
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
    // SAFETY: as for `read`; fills one integer.
    unsafe { (v8().deserializer_u32)(reader, &mut value) }.then_some(value)
}

unsafe fn view(scope: &Scope<'_>, reader: Raw) -> Option<Handle> {
    // SAFETY: as for `read`; the bytes lie in the message, are as many as was asked for, and are copied at once. No
    // JavaScript may run here, so the views are made by V8's own functions, each over the whole of its buffer.
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
                super::clone_views::as_buffer(scope, array.handle());
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
