//! Buffers whose memory is a file (`RT.mmap`).
use crate::v8::api::mapped_files::with_mapped;
use crate::v8::values::buffer;
use crate::v8::values::function::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("rt_mapFile", map_file)];

/// `rt_mapFile(descriptor, offset, size, isShared, isSynchronous)`: the bytes, or an errno.
fn map_file(call: &Call<'_>) -> bool {
    let (offset, size) = (call.integer(1).max(0), call.integer(2));
    if size <= 0 {
        call.answer_number(f64::from(libc::EINVAL));
        return true;
    }
    let flags = match (call.is_true(3), call.is_true(4)) {
        (_, true) => libc::MAP_SHARED_VALIDATE | libc::MAP_SYNC,
        (true, false) => libc::MAP_SHARED,
        (false, false) => libc::MAP_PRIVATE,
    };
    let make = || buffer::new_uint8_array(&call.scope, size as usize);
    match with_mapped(call.integer(0) as i32, offset, size as usize, flags, make) {
        Ok(Some((array, _))) => call.answer(array),
        Ok(None) => call.answer_number(f64::from(libc::ENOMEM)),
        Err(number) => call.answer_number(f64::from(number)),
    }
    true
}
