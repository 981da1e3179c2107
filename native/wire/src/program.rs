//! A cached start of a program, which `rt_supervisor/cli/run/cached_program.py` encodes, and the words that name a program.
//!
//! The contents of the program's file are not a dependency. The file that its path leads to is one; the launcher resolves it
//! at each start.
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::frames::Reader;

/// The beginning of a program's question, which holds the words up to the program's name, without its arguments.
pub const QUESTION: &[u8] = b"program ";
const NODE: &[u8] = b"node";
const RUN: &[u8] = b"run";
const END_OF_FLAGS: &[u8] = b"--";
/// The command whose words after it may be flags.
pub const REPL: &[u8] = b"repl";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The checksum of the start image that made the decision, which is valid for that image only.
    image: u64,
    /// The path by which the program was called, and the file that it leads to.
    path: Vec<u8>,
    file: Vec<u8>,
    /// `ProgramOptions` for Python.
    pub options: Vec<u8>,
    /// The record with which the native module runs the program without Python; empty if the program needs Python.
    pub plain: Vec<u8>,
    /// The mtime, in ns, of the file that needed Python; 0 if no run has.
    needs_python_at: u64,
}

impl Program {
    pub fn decode(bytes: &[u8], needs_python_at: u64) -> Option<Program> {
        let mut from = Reader(bytes);
        let (image, path, file) = (from.long()?, from.text()?, from.text()?);
        let (options, plain) = (from.text()?, from.text()?);
        from.end(Program { image, path, file, options, plain, needs_python_at })
    }

    /// The mtime of the program's file in ns, unless that version of the file has needed Python.
    pub fn native_mtime(&self) -> Option<u64> {
        let changed = std::fs::metadata(self.file()).ok()?;
        let changed_ns = changed.mtime().wrapping_mul(1_000_000_000).wrapping_add(changed.mtime_nsec()) as u64;
        (!self.plain.is_empty() && changed_ns != self.needs_python_at).then_some(changed_ns)
    }

    pub fn file(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.file))
    }

    /// Returns whether the path still leads to the same file, and `image` is the checksum of the image that made the decision.
    pub fn is_valid(&self, image: u64) -> bool {
        let found = std::fs::canonicalize(OsStr::from_bytes(&self.path));
        let is_same = found.is_ok_and(|found| found.as_os_str().as_bytes() == self.file && found.is_file());
        is_same && self.image == image
    }
}

/// The positions where a program's name ends in a command line without flags, and where its arguments begin: after a `--`, if
/// one follows the name. `words` follow the name of the command, `called_as`. None if there is no name, and for the REPL with
/// further words, which may be flags.
pub fn split<W: AsRef<[u8]>>(words: &[W], called_as: &[u8]) -> Option<(usize, usize)> {
    let is_run = called_as != NODE && words.first()?.as_ref() == RUN;
    let end = if is_run { 2 } else { 1 };
    if called_as != NODE && words.first()?.as_ref() == REPL && words.len() > 1 {
        return None;
    }
    let next = words.get(end..)?.first();
    Some((end, end + usize::from(next.is_some_and(|word| word.as_ref() == END_OF_FLAGS))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::Writer;

    #[test]
    fn truncated_records_are_not_decoded() {
        let mut bytes = Writer::default();
        bytes.long(7).text(b"/a.ts").text(b"/b.ts").text(b"options").text(b"");
        let whole = Program::decode(&bytes.0, 0);
        assert_eq!(whole.map(|program| program.options), Some(b"options".to_vec()));
        assert!((0..bytes.0.len()).all(|end| Program::decode(&bytes.0[..end], 0).is_none()));
    }

    #[test]
    fn a_program_is_valid_for_one_file_and_image() {
        let own = std::env::current_exe().unwrap();
        let own = own.canonicalize().unwrap();
        let program = |path: &[u8]| Program {
            image: 7,
            path: path.to_vec(),
            file: own.as_os_str().as_bytes().to_vec(),
            options: vec![],
            plain: vec![],
            needs_python_at: 0,
        };
        assert!(program(own.as_os_str().as_bytes()).is_valid(7));
        assert!(!program(own.as_os_str().as_bytes()).is_valid(8));
        assert!(!program(b"/").is_valid(7));
        assert!(!program(b"/nothing/there").is_valid(7));
    }

    #[test]
    fn a_program_that_needed_python_begins_with_it_until_its_file_changes() {
        let own = std::env::current_exe().unwrap();
        let program = |plain: &[u8], needs_python_at| Program {
            image: 7,
            path: vec![],
            file: own.as_os_str().as_bytes().to_vec(),
            options: vec![],
            plain: plain.to_vec(),
            needs_python_at,
        };
        let changed_ns = program(b"plain", 0).native_mtime().unwrap();
        assert_eq!(program(b"plain", changed_ns).native_mtime(), None);
        assert_eq!(program(b"plain", changed_ns + 1).native_mtime(), Some(changed_ns));
        assert_eq!(program(b"", 0).native_mtime(), None);
    }

    #[test]
    fn words_are_split_after_the_name() {
        type Case<'a> = (&'a [&'a str], &'a [u8], Option<(usize, usize)>);
        let cases: [Case; 11] = [
            (&["repl"], b"rt", Some((1, 1))),
            (&["repl", "-e"], b"rt", None),
            (&["repl", "x"], b"node", Some((1, 1))),
            (&["a.ts"], b"rt", Some((1, 1))),
            (&["a.ts", "x", "--"], b"rt", Some((1, 1))),
            (&["a.ts", "--", "x"], b"rt", Some((1, 2))),
            (&["run", "./a.ts", "--", "x"], b"rt", Some((2, 3))),
            (&["run", "a.ts"], b"node", Some((1, 1))),
            (&["run"], b"node", Some((1, 1))),
            (&["run"], b"rt", None),
            (&[], b"rt", None),
        ];
        for (words, called_as, expected) in cases {
            assert_eq!(split(words, called_as), expected, "{words:?} of {called_as:?}");
        }
    }
}
