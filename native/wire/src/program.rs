//! A program that Python has decided about: `rt_supervisor/cli/run/kept_program.py` says what of it is kept, and runs it again.
//!
//! What its file holds decides nothing: only which file its name stands for, which is looked up anew.
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::frames::Reader;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The checksum of the image that Python was started from: the decision holds for that image only.
    image: u64,
    /// The path that the file was called by, and where that leads.
    path: Vec<u8>,
    file: Vec<u8>,
    /// What Python is to be told.
    pub options: Vec<u8>,
    /// What the native module is to be told, to run it without Python; empty where Python is needed.
    pub plain: Vec<u8>,
    /// The time of change, in ns, of the file that has needed Python; 0 if no run has.
    needs_python_at: u64,
}

impl Program {
    pub fn decode(bytes: &[u8], needs_python_at: u64) -> Option<Program> {
        let mut from = Reader(bytes);
        let (image, path, file) = (from.long()?, from.text()?, from.text()?);
        let (options, plain) = (from.text()?, from.text()?);
        from.end(Program { image, path, file, options, plain, needs_python_at })
    }

    /// The time of change of the program's file, in ns, unless the program has needed Python with the file of that time.
    pub fn unattached(&self) -> Option<u64> {
        let changed = std::fs::metadata(self.file()).ok()?;
        let changed_ns = changed.mtime().wrapping_mul(1_000_000_000).wrapping_add(changed.mtime_nsec()) as u64;
        (!self.plain.is_empty() && changed_ns != self.needs_python_at).then_some(changed_ns)
    }

    /// The file that the program's name leads to.
    pub fn file(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.file))
    }

    /// Whether Python would decide the same, started from the image with that checksum.
    pub fn holds(&self, image: u64) -> bool {
        let found = std::fs::canonicalize(OsStr::from_bytes(&self.path));
        let is_same = found.is_ok_and(|found| found.as_os_str().as_bytes() == self.file && found.is_file());
        is_same && self.image == image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::Writer;

    #[test]
    fn what_is_cut_short_is_none() {
        let mut bytes = Writer::default();
        bytes.long(7).text(b"/a.ts").text(b"/b.ts").text(b"options").text(b"");
        let whole = Program::decode(&bytes.0, 0);
        assert_eq!(whole.map(|program| program.options), Some(b"options".to_vec()));
        assert!((0..bytes.0.len()).all(|end| Program::decode(&bytes.0[..end], 0).is_none()));
    }
}
