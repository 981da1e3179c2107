//! A cached start: a question, the decision for it, and the dependencies of the decision.
//!
//! `rt_supervisor/start/cached_start.py` stores it. It is loaded only while all of its dependencies are unchanged; otherwise
//! Python decides again.
use std::hash::{DefaultHasher, Hasher};

use crate::decision::Decision;
use crate::dependencies;
use crate::frames::Reader;
use crate::plan::Plan;
use crate::program::Program;

/// Version of the records in the folders of cached starts and start images; changes with their layout or meaning.
pub const FORMAT: u32 = 8;
/// Longer records are neither stored nor loaded.
pub const LARGEST_BYTES: u64 = 8 << 20;
/// The kinds of cached starts.
pub const SCRIPT: u32 = 1;
pub const SCRIPTS: u32 = 2;
pub const PROGRAM: u32 = 3;
/// The last bytes of a record, which its checksum does not cover: for a program, the mtime of the file that needed Python.
pub const NOTE_BYTES: usize = 8;
const CHECKSUM_BYTES: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CachedStart {
    /// One script in the foreground.
    Script(Decision),
    /// A run of several scripts.
    Scripts(Box<Plan>),
    /// A program, which the native module or Python runs.
    Program(Program),
}

/// A checksum that detects damage, not tampering.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// The start in `record` for `question`, if all of its dependencies are unchanged.
pub fn load(record: &[u8], question: &[u8], environment: &[(Vec<u8>, Vec<u8>)]) -> Option<CachedStart> {
    let (sum, fields) = record.split_first_chunk::<CHECKSUM_BYTES>()?;
    let (fields, note) = fields.split_last_chunk::<NOTE_BYTES>()?;
    if u64::from_le_bytes(*sum) != checksum(fields) {
        return None;
    }
    let mut from = Reader(fields);
    let is_for_question = from.number()? == FORMAT && from.text()? == question;
    let deciding_variables = from.texts()?;
    let variables = from.list(|from| Some((from.text()?, from.texts()?)))?;
    let (identities, kind, start) = (from.text()?, from.number()?, from.text()?);
    let value = |name: &[u8]| environment.iter().find(|(each, _)| each == name).map(|(_, value)| value);
    let is_valid = is_for_question
        && from.0.is_empty()
        && deciding_variables == dependencies::deciding_variables(environment)
        && variables.iter().all(|(name, before)| value(name) == before.first())
        && dependencies::is_unchanged(&identities);
    match kind {
        _ if !is_valid => None,
        SCRIPT => Decision::decode(&start).map(CachedStart::Script),
        SCRIPTS => Plan::decode(&start).map(Box::new).map(CachedStart::Scripts),
        PROGRAM => Program::decode(&start, u64::from_le_bytes(*note)).map(CachedStart::Program),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::Writer;

    const QUESTION: &[u8] = b"what to run";
    const NOTE: u64 = 7;

    fn program() -> Vec<u8> {
        let mut bytes = Writer::default();
        bytes.long(7).text(b"/a.ts").text(b"/b.ts").text(b"options").text(b"");
        bytes.0
    }

    fn environment(variables: &[(&str, &str)]) -> Vec<(Vec<u8>, Vec<u8>)> {
        variables.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())).collect()
    }

    /// A record for `QUESTION` that depends on `LANG=C`, on `CI` being unset, and on the folder `/`.
    fn record(format: u32, kind: u32, start: &[u8]) -> Vec<u8> {
        let identities = dependencies::identify(&[b"/".to_vec()], i64::MAX).unwrap_or_default();
        let mut fields = Writer::default();
        fields.number(format).text(QUESTION).texts(&[b"LANG=C".to_vec()]);
        fields.list(&["CI"], |to, name| {
            to.text(name.as_bytes()).texts(&[]);
        });
        fields.text(&identities).number(kind).text(start);
        [&checksum(&fields.0).to_le_bytes()[..], &fields.0, &NOTE.to_le_bytes()].concat()
    }

    #[test]
    fn a_valid_record_is_loaded() {
        let start =
            load(&record(FORMAT, PROGRAM, &program()), QUESTION, &environment(&[("LANG", "C"), ("OTHER", "1")]));
        assert_eq!(start, Program::decode(&program(), NOTE).map(CachedStart::Program));
    }

    #[test]
    fn another_question_format_or_kind_is_not_loaded() {
        let given = environment(&[("LANG", "C")]);
        assert_eq!(load(&record(FORMAT, PROGRAM, &program()), b"another question", &given), None);
        assert_eq!(load(&record(FORMAT - 1, PROGRAM, &program()), QUESTION, &given), None);
        assert_eq!(load(&record(FORMAT, 9, &program()), QUESTION, &given), None);
        assert_eq!(load(&record(FORMAT, PROGRAM, b"not a program"), QUESTION, &given), None);
    }

    #[test]
    fn a_changed_variable_invalidates_the_record() {
        let record = record(FORMAT, PROGRAM, &program());
        for variables in [&[("LANG", "de")][..], &[], &[("LANG", "C"), ("CI", "1")], &[("LANG", "C"), ("RT_X", "1")]] {
            assert_eq!(load(&record, QUESTION, &environment(variables)), None, "{variables:?}");
        }
    }

    #[test]
    fn damaged_and_truncated_records_are_not_loaded() {
        let given = environment(&[("LANG", "C")]);
        let whole = record(FORMAT, PROGRAM, &program());
        assert!((0..whole.len()).all(|end| load(&whole[..end], QUESTION, &given).is_none()));
        for place in 0..whole.len() - NOTE_BYTES {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert_eq!(load(&damaged, QUESTION, &given), None, "byte {place}");
        }
    }
}
