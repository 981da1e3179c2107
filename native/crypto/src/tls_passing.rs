//! Bytes through an open connection: incoming bytes, decrypted into the caller's memory, and outgoing ones. `tls_step`
//! reports all other events.
use std::ffi::c_int;

use crate::sys as ffi;
use crate::tls::{Connection, with};
use crate::tls_input::Input;
use crate::tls_io::{FULL, count_unsent, is_more, is_quiet, problem, send_out};
use rt_wire::tls_functions::{MORE, NEWS};

/// `Functions::take`.
pub unsafe extern "C" fn take(number: u64, data: *const u8, size: usize, room: *mut u8, most: usize) -> i64 {
    const NOT_OPEN: i64 = -1;
    // SAFETY: the caller guarantees `size` readable bytes and `most` writable bytes that nothing else uses.
    let (data, room) = unsafe { (slice(data, size), std::slice::from_raw_parts_mut(room, most)) };
    with(number, |connection| {
        if !connection.is_done.get() {
            return Ok(NOT_OPEN);
        }
        // SAFETY: the connection is live.
        let input = unsafe { Input::of(connection.ssl) };
        Ok(input.lend(data, || decrypt(connection, room)))
    })
    .unwrap_or(NOT_OPEN)
}

fn decrypt(connection: &Connection, room: &mut [u8]) -> i64 {
    let mut filled = 0;
    while filled < room.len() {
        let rest = &mut room[filled..];
        // SAFETY: a live connection, and a buffer of the given size.
        let size = unsafe { ffi::SSL_read(connection.ssl, rest.as_mut_ptr().cast(), rest.len() as c_int) };
        if size > 0 {
            filled += size as usize;
            // Consecutive full records form one block; after another record a new block begins.
            if size as usize == FULL {
                continue;
            }
            break;
        }
        let (error, flags) = problem(connection, size);
        let is_plain = error.is_none() && flags == 0 && !is_more(connection) && is_quiet(connection);
        if error.is_some() {
            connection.problem.set(error);
        }
        return filled as i64 | if is_plain { 0 } else { NEWS };
    }
    // SAFETY: the connection is live.
    let is_all = !is_more(connection) && unsafe { ffi::SSL_pending(connection.ssl) } == 0;
    let kind = match (is_quiet(connection), is_all) {
        (false, _) => NEWS,
        (true, false) => MORE,
        (true, true) => 0,
    };
    filled as i64 | kind
}

/// `Functions::put`.
pub unsafe extern "C" fn put(
    number: u64,
    descriptor: c_int,
    first: *const u8,
    first_size: usize,
    second: *const u8,
    second_size: usize,
) -> i64 {
    const NOT_NOW: i64 = -1;
    const FIRST_ONLY: i64 = 2;
    // SAFETY: the caller guarantees the number of bytes.
    let parts = unsafe { [slice(first, first_size), slice(second, second_size)] };
    with(number, |connection| {
        if !connection.is_done.get() || count_unsent(connection) > 0 {
            return Ok(NOT_NOW);
        }
        let joined;
        let parts: &[&[u8]] = if first_size + second_size <= FULL && first_size > 0 && second_size > 0 {
            joined = parts.concat();
            &[&joined]
        } else {
            &parts
        };
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            // SAFETY: the connection is live; the slice has that many readable bytes. The output takes all.
            let size = unsafe { ffi::SSL_write(connection.ssl, part.as_ptr().cast(), part.len() as c_int) };
            if size <= 0 {
                return Ok(if at == 0 { NOT_NOW } else { FIRST_ONLY });
            }
        }
        Ok(i64::from(!send_out(connection, descriptor)))
    })
    .unwrap_or(NOT_NOW)
}

/// # Safety
/// `data` points to `size` readable bytes, unless `size` is zero.
unsafe fn slice<'a>(data: *const u8, size: usize) -> &'a [u8] {
    // SAFETY: guaranteed by the caller.
    if size == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data, size) } }
}
