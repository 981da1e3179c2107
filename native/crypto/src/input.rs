//! Bytes from Python: any object with the buffer protocol, read where it lies.
use std::ops::Deref;

use pyo3::Borrowed;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The bytes of an argument, uncopied. JavaScript does not run while a function of this module has them; work on another
/// thread is given `bytes`, which nobody changes.
pub struct Bytes(PyBuffer<u8>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        if self.0.len_bytes() == 0 {
            return &[];
        }
        // SAFETY: the buffer is contiguous (`PyBUF_SIMPLE`'s kin is all that our objects give), it is held as long as
        // `self`, and nobody writes meanwhile (see above).
        unsafe { std::slice::from_raw_parts(self.0.buf_ptr() as *const u8, self.0.len_bytes()) }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Bytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Bytes> {
        PyBuffer::get(&object).map(Bytes)
    }
}

/// Bytes, or a text that stands for its UTF-8; lone surrogates become U+FFFD.
pub enum Data {
    Bytes(Bytes),
    Text(Py<PyString>),
    Replaced(Vec<u8>),
}

impl Data {
    pub fn as_slice(&self, py: Python<'_>) -> &[u8] {
        match self {
            Data::Bytes(bytes) => bytes,
            Data::Replaced(bytes) => bytes,
            Data::Text(text) => {
                let text = text.bind(py).to_str().expect("tested when it came in");
                // SAFETY: the text's UTF-8 lives in the str, which `self` holds.
                unsafe { std::slice::from_raw_parts(text.as_ptr(), text.len()) }
            }
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Data {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Data> {
        let Ok(text) = object.cast::<PyString>() else {
            return PyBuffer::get(&object).map(|each| Data::Bytes(Bytes(each)));
        };
        if text.to_str().is_ok() {
            return Ok(Data::Text(text.to_owned().unbind()));
        }
        let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        let mut bytes = encoded.cast::<PyBytes>()?.as_bytes().to_vec();
        for index in 0..bytes.len().saturating_sub(2) {
            if bytes[index] == 0xed && bytes[index + 1] >= 0xa0 {
                bytes[index..index + 3].copy_from_slice(&[0xef, 0xbf, 0xbd]);
            }
        }
        Ok(Data::Replaced(bytes))
    }
}

/// Run OpenSSL without the interpreter's lock, so that other threads' Python goes on.
pub fn unlocked<R>(py: Python<'_>, work: impl FnOnce() -> R) -> R {
    struct Crossing<T>(T);
    // SAFETY: `detach` runs its closure on this very thread; the bound is there to keep Python's objects out, and
    // callers of this give it none.
    unsafe impl<T> Send for Crossing<T> {}
    impl<T: FnOnce() -> R, R> Crossing<T> {
        fn run(self) -> Crossing<R> {
            Crossing((self.0)())
        }
    }
    let work = Crossing(work);
    py.detach(move || work.run()).0
}
