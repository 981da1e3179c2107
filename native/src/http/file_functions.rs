//! Answers whose body is part of a file (`native/src/http/file_part.rs`), opened here, so that JavaScript holds no
//! descriptor.
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;

use super::file_part::FilePart;
use super::parser_functions::{integer, number};
use super::server::Written;
use super::server_functions::{append, text, with_server};
use crate::v8::api::layout::{CallbackInfo, small_integer};
use crate::v8::api::v8;
use crate::v8::{Call, Natives, guarded};

pub const NATIVES: Natives = &[("httpServerWriteFile", write_file)];

/// `httpServerWriteFile(id, connection, head, path, start, length)`: as `httpServerWrite`, 3 where it waits for the
/// next turn, or a negative errno.
pub extern "C" fn write_file(info: &CallbackInfo) {
    guarded(info, |call| {
        let connection = number(call, 1);
        let [start, length] = [4, 5].map(|index| large(call, index));
        let outcome = match open(&text(call, 3)) {
            Err(error) => -error.raw_os_error().unwrap_or(libc::EINVAL),
            Ok(file) => {
                let mut head = Vec::new();
                append(call, call.argument(2), &mut head);
                let part = FilePart::new(file, start, length);
                match with_server(call, |server| server.write_file(connection, &head, part)) {
                    Some(Written::All) => 0,
                    Some(Written::Waits) => 1,
                    Some(Written::More) => 3,
                    Some(Written::Gone) | None => 2,
                }
            }
        };
        call.answer(integer(&call.scope, outcome));
    });
}

/// Open a file without blocking, whatever is at the path by now: a FIFO would wait for its other end.
fn open(path: &str) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::from_raw_os_error(libc::EISDIR)) }
}

/// A number that may be larger than a small integer; zero for what is none.
fn large(call: &Call<'_>, index: usize) -> u64 {
    let value = call.argument(index);
    if let Some(small) = small_integer(value.word()) {
        return small.max(0) as u64;
    }
    // SAFETY: the handle is live and was tested to be a number.
    unsafe { if (v8().is_number)(value.handle()) { (v8().number_value)(value.handle()) as u64 } else { 0 } }
}
