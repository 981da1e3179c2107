//! Whole zstd frames for Python: the blobs of the task cache.
use std::cell::OnceCell;
use std::ffi::c_void;
use std::ptr::NonNull;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zstd_sys as s;

#[pyfunction]
fn zstd_compress<'py>(py: Python<'py>, data: &[u8], level: i32) -> PyResult<Bound<'py, PyBytes>> {
    let frame = py.detach(|| compress(data, level)).ok_or_else(|| pyo3::exceptions::PyMemoryError::new_err(()))?;
    Ok(PyBytes::new(py, &frame))
}

#[pyfunction]
fn zstd_decompress<'py>(py: Python<'py>, frame: &[u8], size: usize) -> Option<Bound<'py, PyBytes>> {
    py.detach(|| decompress(frame, size)).map(|data| PyBytes::new(py, &data))
}

/// A compressor, whose memory takes longer to allocate than a small frame to compress.
struct Compressor(NonNull<s::ZSTD_CCtx>);

impl Compressor {
    fn new() -> Option<Self> {
        // SAFETY: the call has no arguments.
        NonNull::new(unsafe { s::ZSTD_createCCtx() }).map(Self)
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        // SAFETY: the context was created by `new`, and nothing refers to it any more.
        unsafe { s::ZSTD_freeCCtx(self.0.as_ptr()) };
    }
}

thread_local! {
    static COMPRESSOR: OnceCell<Option<Compressor>> = const { OnceCell::new() };
}

fn compress(data: &[u8], level: i32) -> Option<Vec<u8>> {
    COMPRESSOR.with(|known| compress_by(known.get_or_init(Compressor::new).as_ref()?, data, level))
}

fn compress_by(compressor: &Compressor, data: &[u8], level: i32) -> Option<Vec<u8>> {
    // SAFETY: the call takes a number.
    let mut frame = vec![0; unsafe { s::ZSTD_compressBound(data.len()) }];
    let (to, room) = (frame.as_mut_ptr().cast::<c_void>(), frame.len());
    // SAFETY: the call writes at most `room` bytes to `frame` and reads all of `data`. The context belongs to this thread.
    let written =
        unsafe { s::ZSTD_compressCCtx(compressor.0.as_ptr(), to, room, data.as_ptr().cast(), data.len(), level) };
    frame.truncate(written); // an error code is larger than any length
    (!is_error(written)).then_some(frame)
}

/// Returns None unless `frame` is one frame of exactly `size` bytes.
fn decompress(frame: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    data.try_reserve_exact(size).ok()?;
    data.resize(size, 0);
    // SAFETY: the call writes at most `size` bytes to `data` and reads at most all of `frame`.
    let written =
        unsafe { s::ZSTD_decompress(data.as_mut_ptr().cast::<c_void>(), size, frame.as_ptr().cast(), frame.len()) };
    (!is_error(written) && written == size).then_some(data)
}

fn is_error(result: usize) -> bool {
    // SAFETY: the call takes a number.
    unsafe { s::ZSTD_isError(result) != 0 }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(zstd_compress, module)?)?;
    module.add_function(wrap_pyfunction!(zstd_decompress, module)?)
}
