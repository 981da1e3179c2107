//! A kept answer: what was asked, what decided it, and what was decided. `rt_supervisor/start/cached_start.py` writes it.
//!
//! It is believed only while everything in it holds; whatever is odd about it, Python is asked anew.
use std::hash::{DefaultHasher, Hasher};

use crate::decision::Decision;
use crate::evidence;
use crate::frames::Reader;
use crate::plan::Plan;
use crate::program::Program;

/// Changed with everything that an answer's layout or meaning depends on.
pub const FORMAT: u32 = 5;
const CHECKSUM_BYTES: usize = 8;
/// The last bytes of an answer, outside of its checksum: for a program, when its file was changed that has needed Python.
pub const NOTE_BYTES: usize = 8;
const ONE: u32 = 1;
const SEVERAL: u32 = 2;
const PROGRAM: u32 = 3;

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// One script in the foreground.
    One(Decision),
    Several(Box<Plan>),
    /// A program, which Python runs.
    Program(Program),
}

/// A number that damaged bytes are most unlikely to share; the same as Python's `_native.checksum`.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// What was decided when `question` was asked, if everything that decided it is as it was.
pub fn recall(bytes: &[u8], question: &[u8], environment: &[(Vec<u8>, Vec<u8>)]) -> Option<Decided> {
    let (sum, rest) = bytes.split_first_chunk::<CHECKSUM_BYTES>()?;
    let (rest, note) = rest.split_last_chunk::<NOTE_BYTES>()?;
    if u64::from_le_bytes(*sum) != checksum(rest) {
        return None;
    }
    let mut from = Reader(rest);
    let is_mine = from.number()? == FORMAT && from.text()? == question;
    let families = from.list(Reader::text)?;
    let asked = from.list(|from| Some((from.text()?, from.list(Reader::text)?)))?;
    let (identities, kind, decided) = (from.text()?, from.number()?, from.text()?);
    let value = |name: &[u8]| environment.iter().find(|(each, _)| each == name).map(|(_, value)| value);
    let holds = is_mine
        && from.0.is_empty()
        && families == evidence::families(environment)
        && asked.iter().all(|(name, kept)| value(name) == kept.first())
        && evidence::is_unchanged(&identities);
    match kind {
        _ if !holds => None,
        ONE => Decision::decode(&decided).map(Decided::One),
        SEVERAL => Plan::decode(&decided).map(Box::new).map(Decided::Several),
        PROGRAM => Program::decode(&decided, u64::from_le_bytes(*note)).map(Decided::Program),
        _ => None,
    }
}
