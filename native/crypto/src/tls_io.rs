//! Bytes through a TLS connection: what arrives, what is to be sent, and how far the handshake is.
use std::cell::RefCell;
use std::ffi::c_int;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::bio::Bio;
use crate::errors;
use crate::input::Bytes;
use crate::sys as ffi;
use crate::tls::{Connection, with};
use crate::tls_input::Input;
use crate::tls_output::Output;

fn output(connection: &Connection) -> Vec<u8> {
    // SAFETY: a live connection, which does nothing meanwhile.
    unsafe { Output::of(connection.ssl) }.take()
}

const HANDSHAKE_DONE: u32 = 1;
const CLOSED: u32 = 2;
const WAITS_AT_HELLO: u32 = 4;
const WAITS_AT_CERTIFICATE: u32 = 8;
const MORE: u32 = 16;

/// (an error of the protocol, None for what only waits; flags that say what it waits for).
pub fn problem(connection: &Connection, result: c_int) -> (Option<PyErr>, u32) {
    // SAFETY: a live connection.
    match unsafe { ffi::SSL_get_error(connection.ssl, result) } {
        ffi::SSL_ERROR_WANT_READ | ffi::SSL_ERROR_WANT_WRITE => (None, 0),
        ffi::SSL_ERROR_WANT_CLIENT_HELLO_CB => (None, WAITS_AT_HELLO),
        ffi::SSL_ERROR_WANT_X509_LOOKUP => (None, WAITS_AT_CERTIFICATE),
        ffi::SSL_ERROR_ZERO_RETURN => (None, CLOSED),
        _ => {
            let first = errors::peek();
            if first == 0 {
                return (Some(errors::coded("Error", "ECONNRESET", "read ECONNRESET")), 0);
            }
            let words = Bio::new();
            // SAFETY: a live BIO; this takes the queue.
            unsafe { ffi::ERR_print_errors(words.0) };
            (Some(errors::with_message(first, &String::from_utf8_lossy(&words.take()))), 0)
        }
    }
}

/// How many bytes OpenSSL has not looked at.
fn waiting(connection: &Connection) -> usize {
    // SAFETY: a live connection.
    unsafe { Input::of(connection.ssl) }.waiting()
}

pub fn is_more(connection: &Connection) -> bool {
    waiting(connection) > 0
}

pub const FULL: usize = 16 * 1024; // of a record's plaintext, at most

thread_local! {
    /// Memory that bytes pass through: always the same, so that it stays in the processor's cache.
    static PASSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Work with that memory; what is called meanwhile, the program for instance, has other memory.
fn with_passage<R>(work: impl FnOnce(&mut [u8]) -> R) -> R {
    let mut passage = PASSAGE.take();
    passage.resize(4 * FULL, 0);
    let result = work(&mut passage);
    PASSAGE.replace(passage);
    result
}

/// Plaintext, a block for each record; full records that follow each other are one block. Then what `problem` says.
fn read_all(connection: &Connection) -> (Vec<Vec<u8>>, Option<PyErr>, u32) {
    with_passage(|passage| {
        let mut blocks: Vec<Vec<u8>> = Vec::new();
        let part = &mut passage[..FULL];
        let mut was_full = false;
        loop {
            // SAFETY: a live connection, and room of the told size.
            let size = unsafe { ffi::SSL_read(connection.ssl, part.as_mut_ptr().cast(), part.len() as c_int) };
            if size <= 0 {
                let (error, flags) = problem(connection, size);
                // The record held no plaintext: a session's ticket, say, which the caller is told of before more is read.
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

/// Take bytes that arrived from the other side, and drive the connection, as `tls_step` does.
#[pyfunction]
fn tls_receive<'py>(py: Python<'py>, number: u64, data: Bytes) -> PyResult<Bound<'py, PyList>> {
    with(number, |connection| {
        // SAFETY: a live connection.
        let input = unsafe { Input::of(connection.ssl) };
        input.lend(&data, || step(py, connection))
    })
}

/// Whether there is nothing to send, and nothing to tell but clear bytes.
pub fn is_quiet(connection: &Connection) -> bool {
    let notes = connection.notes.lock().expect("no holder panics");
    let has_news = notes.thrown.is_some() || !notes.sessions.is_empty() || !notes.keys.is_empty();
    !has_news && notes.begun == notes.ended && notes.ended <= connection.heard.get() && left(connection) == 0
}

/// Drive the connection until bytes are missing, or a client has got a session: [bytes to send, blocks of plaintext, flags,
/// error or None, sessions with their ids, key log lines, how many handshakes have begun].
#[pyfunction]
fn tls_step(py: Python<'_>, number: u64) -> PyResult<Bound<'_, PyList>> {
    with(number, |connection| step(py, connection))
}

fn step<'py>(py: Python<'py>, connection: &Connection) -> PyResult<Bound<'py, PyList>> {
    let mut flags = 0;
    let mut error = None;
    let mut clear = Vec::new();
    if !connection.is_done.get() {
        // SAFETY: a live connection.
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
        // What `tls_passing` has found is told before more is read.
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
    let bytes = |data: &Vec<u8>| PyBytes::new(py, data);
    let list = PyList::empty(py);
    list.append(bytes(&output(connection)))?;
    list.append(clear.iter().map(bytes).collect::<Vec<_>>())?;
    list.append(flags)?;
    match error {
        None => list.append(py.None())?,
        Some(error) => {
            let (_, message, facts): (String, String, Bound<'_, PyDict>) =
                error.value(py).getattr("for_javascript")?.extract()?;
            facts.set_item("message", message)?;
            list.append(facts)?;
        }
    }
    list.append(sessions.iter().map(|(id, data)| vec![bytes(id), bytes(data)]).collect::<Vec<_>>())?;
    list.append(keys.iter().map(bytes).collect::<Vec<_>>())?;
    list.append(begun)?;
    Ok(list)
}

/// Encrypt; what comes out is the result, None where it cannot be written now.
#[pyfunction]
fn tls_write<'py>(py: Python<'py>, number: u64, data: Bytes) -> PyResult<Option<Bound<'py, PyBytes>>> {
    with(number, |connection| {
        if data.is_empty() {
            return Ok(Some(PyBytes::new(py, &output(connection))));
        }
        // SAFETY: a live connection; as many bytes as are told. The memory BIO takes all.
        let size = unsafe { ffi::SSL_write(connection.ssl, data.as_ptr().cast(), data.len() as c_int) };
        if size > 0 {
            return Ok(Some(PyBytes::new(py, &output(connection))));
        }
        match problem(connection, size) {
            (Some(error), _) => Err(error),
            _ => Ok(None),
        }
    })
}

/// Encrypt, and leave what comes out for `tls_take`: how much of that there is, 0 where it cannot be written now.
#[pyfunction]
fn tls_encrypt(number: u64, data: Bytes) -> PyResult<usize> {
    with(number, |connection| {
        // SAFETY: a live connection; as many bytes as are told. The memory BIO takes all.
        let size = unsafe { ffi::SSL_write(connection.ssl, data.as_ptr().cast(), data.len() as c_int) };
        if size > 0 {
            return Ok(left(connection));
        }
        match problem(connection, size) {
            (Some(error), _) => Err(error),
            _ => Ok(0),
        }
    })
}

pub fn left(connection: &Connection) -> usize {
    // SAFETY: a live connection, which does nothing meanwhile.
    unsafe { Output::of(connection.ssl) }.rest().len()
}

/// Fill `target` with what is to be sent; how many bytes of it are filled.
#[pyfunction]
fn tls_take(number: u64, target: PyBuffer<u8>) -> PyResult<usize> {
    with(number, |connection| {
        if target.readonly() || !target.is_c_contiguous() || target.len_bytes() == 0 {
            return Ok(0);
        }
        // SAFETY: a live connection, and room of the told size, which nobody else uses meanwhile.
        unsafe {
            let output = Output::of(connection.ssl);
            let size = output.rest().len().min(target.len_bytes());
            std::ptr::copy_nonoverlapping(output.rest().as_ptr(), target.buf_ptr().cast(), size);
            output.advance(size);
            Ok(size)
        }
    })
}

/// How many clear bytes are encrypted before they are sent.
const PIECE: usize = 4 * FULL;

/// Encrypt buffers and send what comes out through `descriptor`, a socket that nothing else waits for: None when all is sent.
/// Otherwise [the buffer that is not encrypted, how many bytes of it are, what is to be sent before the rest].
#[pyfunction]
#[pyo3(signature = (number, descriptor, *buffers))]
fn tls_send<'py>(
    py: Python<'py>,
    number: u64,
    descriptor: c_int,
    buffers: &Bound<'py, PyTuple>,
) -> PyResult<Option<(usize, usize, Bound<'py, PyBytes>)>> {
    let parts = buffers.iter().map(|buffer| buffer.extract()).collect::<PyResult<Vec<Bytes>>>()?;
    with(number, |connection| {
        for (at, part) in parts.iter().enumerate() {
            let mut done = 0;
            while done < part.len() {
                let piece = &part[done..part.len().min(done + PIECE)];
                // SAFETY: a live connection; as many bytes as are told. The memory BIO takes all.
                let size = unsafe { ffi::SSL_write(connection.ssl, piece.as_ptr().cast(), piece.len() as c_int) };
                if size <= 0 {
                    return match problem(connection, size) {
                        (Some(error), _) => Err(error),
                        _ => Ok(Some((at, done, PyBytes::new(py, &output(connection))))),
                    };
                }
                done += piece.len();
                let is_last = done == part.len();
                // Small buffers leave together.
                if is_last && at + 1 < parts.len() && left(connection) < PIECE {
                    continue;
                }
                if !send_out(connection, descriptor) {
                    let rest = PyBytes::new(py, &output(connection));
                    return Ok(Some((at + usize::from(is_last), if is_last { 0 } else { done }, rest)));
                }
            }
        }
        let is_sent = send_out(connection, descriptor);
        Ok((!is_sent).then(|| (parts.len(), 0, PyBytes::new(py, &output(connection)))))
    })
}

pub fn send_out(connection: &Connection, descriptor: c_int) -> bool {
    // SAFETY: as above.
    unsafe { Output::of(connection.ssl) }.send(descriptor)
}

/// Close this side (close_notify); what is to be sent.
#[pyfunction]
fn tls_shutdown(py: Python<'_>, number: u64) -> PyResult<Bound<'_, PyBytes>> {
    with(number, |connection| {
        // SAFETY: a live connection.
        unsafe { ffi::SSL_shutdown(connection.ssl) };
        errors::clear();
        Ok(PyBytes::new(py, &output(connection)))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tls_receive, module)?)?;
    module.add_function(wrap_pyfunction!(tls_send, module)?)?;
    module.add_function(wrap_pyfunction!(tls_step, module)?)?;
    module.add_function(wrap_pyfunction!(tls_write, module)?)?;
    module.add_function(wrap_pyfunction!(tls_encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(tls_take, module)?)?;
    module.add_function(wrap_pyfunction!(tls_shutdown, module)?)
}
