//! Responses whose body is part of a file (`file_part`), which is opened here, so that JavaScript holds no descriptor.
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;

use super::file_part::FilePart;
use super::numbers;
use super::parser_functions::number;
use super::server::WriteOutcome;
use super::server_functions::{append, text, with_server};
use crate::v8::{Call, CallbackInfo, Natives, guarded};

pub const NATIVES: Natives = &[("httpServerWriteFile", write_file)];

/// `httpServerWriteFile(id, connection, head, path, start, length)`: as `httpServerWrite`; 3 if it waits for the next
/// turn, or a negative errno.
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
                    Some(WriteOutcome::All) => numbers::WRITTEN,
                    Some(WriteOutcome::Waits) => numbers::QUEUED,
                    Some(WriteOutcome::More) => numbers::TURN_FOLLOWS,
                    Some(WriteOutcome::Gone) | None => numbers::CLIENT_GONE,
                }
            }
        };
        call.answer_number(outcome.into());
    });
}

/// Opens a file without blocking, as a FIFO would block until its other end is open.
fn open(path: &str) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::from_raw_os_error(libc::EISDIR)) }
}

/// A number that may exceed a small integer; zero for anything else.
fn large(call: &Call<'_>, index: usize) -> u64 {
    call.number(index).unwrap_or(0.0) as u64
}
