//! Bytes through a TLS connection: incoming bytes, outgoing bytes, and the progress of the handshake.
use std::cell::RefCell;
use std::ffi::c_int;

use crate::bio::Bio;
use crate::errors;
use crate::errors::Failure;
use crate::functions::functions;
use crate::sys as ffi;
use crate::tls::{Connection, with};
use crate::tls_input::Input;
use crate::tls_output::Output;
use crate::values::{Bytes, IntoValue, Outcome, Remaining, Target, Value};

fn output(connection: &Connection) -> Vec<u8> {
    // SAFETY: a live connection that is not used meanwhile.
    unsafe { Output::of(connection.ssl) }.take()
}

const HANDSHAKE_DONE: u32 = 1;
const CLOSED: u32 = 2;
const WAITS_AT_HELLO: u32 = 4;
const WAITS_AT_CERTIFICATE: u32 = 8;
const MORE: u32 = 16;

/// (a protocol error, None if the connection only waits; flags for what it waits for).
pub fn problem(connection: &Connection, result: c_int) -> (Option<Failure>, u32) {
    // SAFETY: the connection is live.
    match unsafe { ffi::SSL_get_error(connection.ssl, result) } {
        ffi::SSL_ERROR_WANT_READ | ffi::SSL_ERROR_WANT_WRITE => (None, 0),
        ffi::SSL_ERROR_WANT_CLIENT_HELLO_CB => (None, WAITS_AT_HELLO),
        ffi::SSL_ERROR_WANT_X509_LOOKUP => (None, WAITS_AT_CERTIFICATE),
        ffi::SSL_ERROR_ZERO_RETURN => (None, CLOSED),
        _ => {
            let first = errors::peek();
            if first == 0 {
                return (Some(errors::with_code("Error", "ECONNRESET", "read ECONNRESET")), 0);
            }
            let words = Bio::new();
            // SAFETY: the BIO is live; the call empties the queue.
            unsafe { ffi::ERR_print_errors(words.0) };
            (Some(errors::with_message(first, &String::from_utf8_lossy(&words.take()))), 0)
        }
    }
}

/// How many bytes OpenSSL has not read.
fn waiting(connection: &Connection) -> usize {
    // SAFETY: the connection is live.
    unsafe { Input::of(connection.ssl) }.waiting()
}

pub fn is_more(connection: &Connection) -> bool {
    waiting(connection) > 0
}

pub const FULL: usize = 16 * 1024; // the largest plaintext of a record

thread_local! {
    /// A buffer for passing bytes, reused so that it stays in the processor's cache.
    static PASSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` with that buffer; nested calls, from the program for example, use another.
fn with_passage<R>(work: impl FnOnce(&mut [u8]) -> R) -> R {
    let mut passage = PASSAGE.take();
    passage.resize(4 * FULL, 0);
    let result = work(&mut passage);
    PASSAGE.replace(passage);
    result
}

/// The plaintext, one block per record; consecutive full records form one block. Followed by the result of `problem`.
fn read_all(connection: &Connection) -> (Vec<Vec<u8>>, Option<Failure>, u32) {
    with_passage(|passage| {
        let mut blocks: Vec<Vec<u8>> = Vec::new();
        let part = &mut passage[..FULL];
        let mut was_full = false;
        loop {
            // SAFETY: a live connection, and a buffer of the given size.
            let size = unsafe { ffi::SSL_read(connection.ssl, part.as_mut_ptr().cast(), part.len() as c_int) };
            if size <= 0 {
                let (error, flags) = problem(connection, size);
                // The record held no plaintext but, for example, a session ticket, which is reported before more is
                // read.
                if error.is_none() && flags == 0 && is_more(connection) {
                    if connection.notes.lock().expect("no holder panics").sessions.is_empty() {
                        continue;
                    }
                    return (blocks, None, MORE);
                }
                return (blocks, error, flags);
            }
            let data = &part[..size as usize];
            match blocks.last_mut() {
                Some(last) if was_full => last.extend_from_slice(data),
                _ => {
                    let mut block =
                        Vec::with_capacity(if data.len() == FULL { FULL + waiting(connection) } else { data.len() });
                    block.extend_from_slice(data);
                    blocks.push(block);
                }
            }
            was_full = data.len() == FULL;
        }
    })
}

/// Passes incoming bytes, and drives the connection as `tls_step` does.
fn tls_receive(number: u64, data: Bytes) -> Outcome<Value> {
    with(number, |connection| {
        // SAFETY: the connection is live.
        let input = unsafe { Input::of(connection.ssl) };
        input.lend(data, || step(connection))
    })
}

/// Returns whether there is nothing to send, and nothing to report but plaintext.
pub fn is_quiet(connection: &Connection) -> bool {
    let notes = connection.notes.lock().expect("no holder panics");
    let has_news = notes.thrown.is_some() || !notes.sessions.is_empty() || !notes.keys.is_empty();
    !has_news && notes.begun == notes.ended && notes.ended <= connection.heard.get() && count_unsent(connection) == 0
}

/// Drive the connection until it needs input, or a client has received a session: [bytes to send, blocks of plaintext,
/// flags, error or None, sessions with their ids, key log lines, number of handshakes begun].
fn tls_step(number: u64) -> Outcome<Value> {
    with(number, step)
}

fn step(connection: &Connection) -> Outcome<Value> {
    let mut flags = 0;
    let mut error = None;
    let mut clear = Vec::new();
    if !connection.is_done.get() {
        // SAFETY: the connection is live.
        let result = unsafe { ffi::SSL_do_handshake(connection.ssl) };
        if result == 1 {
            connection.is_done.set(true);
            flags |= HANDSHAKE_DONE;
        } else {
            let (found, more) = problem(connection, result);
            error = found;
            flags |= more;
        }
    }
    if let Some(found) = connection.problem.take() {
        error = Some(found);
    }
    if connection.is_done.get() && error.is_none() {
        // What `tls_passing` has found is reported before more is read.
        let has_sessions = !connection.notes.lock().expect("no holder panics").sessions.is_empty();
        let more;
        (clear, error, more) = if has_sessions { (Vec::new(), None, MORE) } else { read_all(connection) };
        flags |= more;
    }
    let mut notes = connection.notes.lock().expect("no holder panics");
    if let Some(thrown) = notes.thrown.take() {
        return Err(thrown);
    }
    if notes.ended > connection.heard.replace(notes.ended) && connection.is_done.get() {
        flags |= HANDSHAKE_DONE;
    }
    let begun = notes.begun;
    let sessions = std::mem::take(&mut notes.sessions);
    let keys = std::mem::take(&mut notes.keys);
    drop(notes);
    let problem = match error {
        None => Value::Nothing,
        Some(Failure::Thrown(thrown)) => return Err(Failure::Thrown(thrown)),
        Some(Failure::OfClass { message, mut facts, .. }) => {
            facts.put("message", message);
            facts.into_value()
        }
    };
    let sessions: Vec<Vec<Vec<u8>>> = sessions.into_iter().map(|(id, data)| vec![id, data]).collect();
    Ok(Value::List(vec![
        output(connection).into_value(),
        clear.into_value(),
        flags.into_value(),
        problem,
        sessions.into_value(),
        keys.into_value(),
        begun.into_value(),
    ]))
}

/// Encrypt; returns the output, or None if writing is not possible now.
fn tls_write(number: u64, data: Bytes) -> Outcome<Option<Vec<u8>>> {
    with(number, |connection| {
        if data.is_empty() {
            return Ok(Some(output(connection)));
        }
        // SAFETY: the connection is live; the slice has that many readable bytes. The memory BIO takes all.
        let size = unsafe { ffi::SSL_write(connection.ssl, data.as_ptr().cast(), data.len() as c_int) };
        if size > 0 {
            return Ok(Some(output(connection)));
        }
        match problem(connection, size) {
            (Some(error), _) => Err(error),
            _ => Ok(None),
        }
    })
}

/// Encrypt, leaving the output for `tls_take`; returns its size, 0 if writing is not possible now.
fn tls_encrypt(number: u64, data: Bytes) -> Outcome<usize> {
    with(number, |connection| {
        // SAFETY: the connection is live; the slice has that many readable bytes. The memory BIO takes all.
        let size = unsafe { ffi::SSL_write(connection.ssl, data.as_ptr().cast(), data.len() as c_int) };
        if size > 0 {
            return Ok(count_unsent(connection));
        }
        match problem(connection, size) {
            (Some(error), _) => Err(error),
            _ => Ok(0),
        }
    })
}

pub fn count_unsent(connection: &Connection) -> usize {
    // SAFETY: a live connection that is not used meanwhile.
    unsafe { Output::of(connection.ssl) }.rest().len()
}

/// Fills `target` with outgoing bytes; returns their number.
fn tls_take(number: u64, target: Target) -> Outcome<usize> {
    with(number, |connection| {
        // SAFETY: a live connection that is not used meanwhile.
        let output = unsafe { Output::of(connection.ssl) };
        let size = output.rest().len().min(target.0.len());
        target.0[..size].copy_from_slice(&output.rest()[..size]);
        output.advance(size);
        Ok(size)
    })
}

/// How much plaintext is encrypted before it is sent.
const PIECE: usize = 4 * FULL;

/// Encrypts buffers and sends the output through `descriptor`, a socket without other pending output: None if everything
/// is sent. Otherwise [the first incompletely encrypted buffer, how many of its bytes are encrypted, output to send
/// before the rest].
fn tls_send(number: u64, descriptor: c_int, buffers: Remaining) -> Outcome<Option<(usize, usize, Vec<u8>)>> {
    let Remaining(parts) = buffers;
    with(number, |connection| {
        for (at, part) in parts.iter().enumerate() {
            let mut done = 0;
            while done < part.len() {
                let piece = &part[done..part.len().min(done + PIECE)];
                // SAFETY: the connection is live; the slice has that many readable bytes. The memory BIO takes all.
                let size = unsafe { ffi::SSL_write(connection.ssl, piece.as_ptr().cast(), piece.len() as c_int) };
                if size <= 0 {
                    return match problem(connection, size) {
                        (Some(error), _) => Err(error),
                        _ => Ok(Some((at, done, output(connection)))),
                    };
                }
                done += piece.len();
                let is_last = done == part.len();
                // Small buffers are sent together.
                if is_last && at + 1 < parts.len() && count_unsent(connection) < PIECE {
                    continue;
                }
                if !send_out(connection, descriptor) {
                    let rest = output(connection);
                    return Ok(Some((at + usize::from(is_last), if is_last { 0 } else { done }, rest)));
                }
            }
        }
        let is_sent = send_out(connection, descriptor);
        Ok((!is_sent).then(|| (parts.len(), 0, output(connection))))
    })
}

pub fn send_out(connection: &Connection, descriptor: c_int) -> bool {
    // SAFETY: as above.
    unsafe { Output::of(connection.ssl) }.send(descriptor)
}

/// Closes this side (close_notify); returns the output.
fn tls_shutdown(number: u64) -> Outcome<Vec<u8>> {
    with(number, |connection| {
        // SAFETY: the connection is live.
        unsafe { ffi::SSL_shutdown(connection.ssl) };
        errors::clear();
        Ok(output(connection))
    })
}

functions!(tls_receive, tls_send, tls_step, tls_write, tls_encrypt, tls_take, tls_shutdown);
