//! Bytes through a TLS connection: what arrives, what is to be sent, and how far the handshake is.
use std::ffi::c_int;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bio::Bio;
use crate::errors;
use crate::input::Bytes;
use crate::sys as ffi;
use crate::tls::{Connection, with};

/// Take bytes that arrived from the other side.
#[pyfunction]
fn tls_feed(number: u64, data: Bytes) -> PyResult<()> {
    with(number, |connection| {
        // SAFETY: a live connection; a memory BIO takes all bytes.
        unsafe { ffi::BIO_write(ffi::SSL_get_rbio(connection.ssl), data.as_ptr().cast(), data.len() as c_int) };
        Ok(())
    })
}

fn output(connection: &Connection) -> Vec<u8> {
    // SAFETY: the BIO lives as long as the connection; it is not freed here.
    let bio = std::mem::ManuallyDrop::new(Bio(unsafe { ffi::SSL_get_wbio(connection.ssl) }));
    bio.take()
}

const HANDSHAKE_DONE: u32 = 1;
const CLOSED: u32 = 2;
const WAITS_AT_HELLO: u32 = 4;
const WAITS_AT_CERTIFICATE: u32 = 8;
const MORE: u32 = 16;

/// (an error of the protocol, None for what only waits; flags that say what it waits for).
fn problem(connection: &Connection, result: c_int) -> (Option<PyErr>, u32) {
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

/// Whether there are bytes that OpenSSL has not looked at.
fn is_more(connection: &Connection) -> bool {
    // SAFETY: the BIO lives as long as the connection; it is not freed here.
    std::mem::ManuallyDrop::new(Bio(unsafe { ffi::SSL_get_rbio(connection.ssl) })).pending() > 0
}

/// Plaintext, a block for each record; full records that follow each other are one block.
fn read_all(connection: &Connection) -> (Vec<Vec<u8>>, Option<PyErr>, u32) {
    const FULL: usize = 16 * 1024;
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    let mut part = vec![0; FULL];
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
            _ => blocks.push(data.to_vec()),
        }
        was_full = data.len() == FULL;
    }
}

/// Drive the connection until bytes are missing, or a client has got a session: [bytes to send, blocks of plaintext, flags,
/// error or None, sessions with their ids, key log lines, how many handshakes have begun].
#[pyfunction]
fn tls_step(py: Python<'_>, number: u64) -> PyResult<Bound<'_, pyo3::types::PyList>> {
    with(number, |connection| {
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
        if connection.is_done.get() && error.is_none() {
            let (blocks, found, more) = read_all(connection);
            clear = blocks;
            error = found;
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
        let list = pyo3::types::PyList::empty(py);
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
    })
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

fn left(connection: &Connection) -> usize {
    // SAFETY: the BIO lives as long as the connection; it is not freed here.
    std::mem::ManuallyDrop::new(Bio(unsafe { ffi::SSL_get_wbio(connection.ssl) })).pending()
}

/// Fill `target` with what is to be sent; how many bytes of it are filled.
#[pyfunction]
fn tls_take(number: u64, target: PyBuffer<u8>) -> PyResult<usize> {
    with(number, |connection| {
        if target.readonly() || !target.is_c_contiguous() || target.len_bytes() == 0 {
            return Ok(0);
        }
        // SAFETY: a live connection, and room of the told size, which nobody else uses meanwhile.
        let size = unsafe {
            let bio = ffi::SSL_get_wbio(connection.ssl);
            ffi::BIO_read(bio, target.buf_ptr().cast(), target.len_bytes() as c_int)
        };
        Ok(size.max(0) as usize)
    })
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
    module.add_function(wrap_pyfunction!(tls_feed, module)?)?;
    module.add_function(wrap_pyfunction!(tls_step, module)?)?;
    module.add_function(wrap_pyfunction!(tls_write, module)?)?;
    module.add_function(wrap_pyfunction!(tls_encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(tls_take, module)?)?;
    module.add_function(wrap_pyfunction!(tls_shutdown, module)?)
}
