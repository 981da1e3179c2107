//! The cached start of the program that a command line names.
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rt_wire::cached_start::CachedStart;
use rt_wire::frames::Writer;
use rt_wire::program::Program;

use crate::Call;
use crate::memory_file;
use crate::question::Question;

pub struct CachedProgram {
    pub program: Program,
    /// The file of the cached start.
    place: PathBuf,
}

impl CachedProgram {
    pub fn load(question: &Question, call: &Call) -> Option<CachedProgram> {
        let question = question.of_program(call)?;
        match question.load(&call.environment)? {
            CachedStart::Program(program) => Some(CachedProgram { program, place: question.place }),
            CachedStart::Script(_) | CachedStart::Scripts(_) => None,
        }
    }

    /// A descriptor with what the native module needs to run the program without Python; None if the program needs Python.
    pub fn without_python(&self) -> Option<i32> {
        let changed_ns = self.program.native_mtime()?;
        let mut record = Writer::default();
        record.text(self.place.as_os_str().as_bytes()).long(changed_ns).text(&self.program.plain);
        memory_file::create("rt-plain", &record.0)
    }
}
