//! Text decoders for the encodings of the Encoding standard, for `TextDecoder`, fed in chunks.
use encoding_rs::{Decoder, DecoderResult, Encoding};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interpreter::class;

#[pyclass(module = "rt_supervisor._native")]
struct TextDecoder {
    decoder: Decoder,
    is_fatal: bool,
}

#[pymethods]
impl TextDecoder {
    #[new]
    fn new(label: &str, is_fatal: bool) -> PyResult<Self> {
        let encoding =
            Encoding::for_label(label.as_bytes()).ok_or_else(|| PyValueError::new_err("unknown encoding"))?;
        Ok(Self { decoder: encoding.new_decoder_without_bom_handling(), is_fatal })
    }

    /// See the stub.
    fn decode(&mut self, py: Python<'_>, data: &[u8], is_last: bool) -> Option<String> {
        py.detach(|| self.decode_piece(data, is_last))
    }
}

impl TextDecoder {
    fn decode_piece(&mut self, data: &[u8], is_last: bool) -> Option<String> {
        let mut text = String::new();
        let mut rest = data;
        loop {
            text.reserve(self.decoder.max_utf8_buffer_length(rest.len())?);
            let (result, read) = self.decoder.decode_to_string_without_replacement(rest, &mut text, is_last);
            rest = &rest[read..];
            match result {
                DecoderResult::InputEmpty => return Some(text),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) if self.is_fatal => return None,
                DecoderResult::Malformed(..) => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<TextDecoder>(module)
}
