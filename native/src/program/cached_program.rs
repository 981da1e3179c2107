//! The cached start of a program (`rt_supervisor/cli/run/cached_program.py`), and the words of the command line.
use std::collections::HashSet;
use std::ffi::{CStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use rt_wire::cached_start::NOTE_BYTES;
use rt_wire::frames::Reader;
use rt_wire::program;

pub struct CachedProgram {
    /// The file of the cached start.
    place: PathBuf,
    /// The mtime of the program's file, in ns.
    changed_ns: u64,
    /// The absolute path of the file to run; empty for the REPL.
    pub entry: String,
    /// The argument of `start` in js/boot/runtime.js as JSON, without the values that differ between processes.
    pub values: Vec<u8>,
    pub executable: Vec<u8>,
    /// The names of built-in modules.
    pub builtins: HashSet<String>,
    /// The program sees Node only.
    pub is_node: bool,
    /// The program's own arguments.
    pub arguments: Vec<Vec<u8>>,
    /// The path by which the launcher was called.
    pub called: Vec<u8>,
    /// The first word of the launcher's own command line.
    pub given: Vec<u8>,
    /// The start image that the interpreter would run.
    pub image: OsString,
}

const WITHOUT_SITE: &[u8] = b"-S";
const CALLED: &[u8] = b"rt=";
const GIVEN: &[u8] = b"rt-argv0=";

impl CachedProgram {
    /// Records in the cached start that this version of the program's file needs Python, so that the launcher begins with
    /// Python next time, which is faster.
    pub fn note_need(&self) {
        if self.entry.is_empty() {
            return; // what one session of the REPL needs says nothing about the next
        }
        let file = File::options().write(true).open(&self.place);
        let Ok(file) = file else { return };
        let end = file.metadata().ok().and_then(|about| about.len().checked_sub(NOTE_BYTES as u64));
        if let Some(end) = end {
            let _ = file.write_at(&self.changed_ns.to_le_bytes(), end);
        }
    }

    /// Reads and closes the launcher's descriptor, and reads the interpreter's command line.
    pub fn read(descriptor: i32, words: &[&CStr]) -> Option<CachedProgram> {
        let mut bytes = Vec::new();
        // SAFETY: the launcher passed the descriptor to this process for this purpose; nothing else uses it.
        let mut file = unsafe { File::from_raw_fd(descriptor) };
        std::io::Seek::rewind(&mut file).ok()?;
        file.read_to_end(&mut bytes).ok()?;
        let mut given = Reader(&bytes);
        let (place, changed_ns, plain) = (given.text()?, given.long()?, given.text()?);
        let mut from = Reader(&plain);
        let (entry, values, executable) = (from.text()?, from.text()?, from.text()?);
        let builtins = from.list(|from| String::from_utf8(from.text()?).ok())?.into_iter().collect();
        let is_node = from.text()? == b"node";
        let words: Vec<&[u8]> = words.iter().map(|word| word.to_bytes()).collect();
        let called = words.iter().find_map(|word| word.strip_prefix(CALLED))?;
        // The program's own arguments are not options of the launcher.
        let mut options = words.iter().take_while(|word| **word != WITHOUT_SITE);
        let given = options.find_map(|word| word.strip_prefix(GIVEN));
        let (image, arguments) = split(&words, called)?;
        Some(CachedProgram {
            place: PathBuf::from(OsString::from_vec(place)),
            changed_ns,
            entry: String::from_utf8(entry).ok()?,
            values,
            executable,
            builtins,
            is_node,
            arguments: arguments.iter().map(|word| word.to_vec()).collect(),
            called: called.to_vec(),
            given: given.unwrap_or(b"rt").to_vec(),
            image: OsString::from_vec(image.to_vec()),
        })
    }
}

/// Returns the image, and the words after the name of the program.
fn split<'a>(words: &[&'a [u8]], called: &[u8]) -> Option<(&'a [u8], Vec<&'a [u8]>)> {
    let called_as = std::path::Path::new(std::ffi::OsStr::from_bytes(called)).file_name()?;
    let place = words.iter().position(|word| *word == WITHOUT_SITE)?;
    let (image, own) = words.get(place + 1..)?.split_first()?;
    let (_, start) = program::split(own, called_as.as_bytes())?;
    let after = own.get(start..)?;
    Some((image, after.to_vec()))
}
