//! The cached start of a program (`rt_supervisor/cli/run/kept_program.py`), and the words of the command line.
use std::collections::HashSet;
use std::ffi::{CStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use rt_wire::frames::Reader;

pub struct Kept {
    /// The file that notes that the program needs Python.
    pub marker: PathBuf,
    /// The file that is run, absolute.
    pub entry: String,
    /// The argument of `start` in js/boot/runtime.js as JSON, without the values that differ between processes.
    pub values: Vec<u8>,
    pub executable: Vec<u8>,
    /// The names of built-in modules.
    pub builtins: HashSet<String>,
    /// The program's own arguments.
    pub arguments: Vec<Vec<u8>>,
    /// The path that the launcher was called by.
    pub called: Vec<u8>,
    /// The first word of the launcher's own command line.
    pub given: Vec<u8>,
    /// The start image that the interpreter would run.
    pub image: OsString,
}

/// A byte for each time that a program has needed Python; the launcher (`native/launcher/src/main.rs`) says how many are enough.
pub const ONCE: &[u8] = b"1";

const WITHOUT_SITE: &[u8] = b"-S";
const CALLED: &[u8] = b"rt=";
const GIVEN: &[u8] = b"rt-argv0=";
const END_OF_FLAGS: &[u8] = b"--";

impl Kept {
    /// Note that the program has needed Python. If that happens again and again, the launcher begins with Python, which is then
    /// ready sooner.
    pub fn note_need(&self, times: &[u8]) {
        if let Ok(mut file) = File::options().create(true).append(true).open(&self.marker) {
            let _ = file.write_all(times);
        }
    }

    /// Read the launcher's descriptor, which is closed, and the interpreter's command line.
    pub fn read(descriptor: i32, words: &[&CStr]) -> Option<Kept> {
        let mut bytes = Vec::new();
        // SAFETY: the launcher passed the descriptor to this process for this purpose; nothing else uses it.
        let mut file = unsafe { File::from_raw_fd(descriptor) };
        std::io::Seek::rewind(&mut file).ok()?;
        file.read_to_end(&mut bytes).ok()?;
        let mut told = Reader(&bytes);
        let (marker, plain) = (told.text()?, told.text()?);
        let mut from = Reader(&plain);
        let (entry, values, executable) = (from.text()?, from.text()?, from.text()?);
        let builtins = from.list(|from| String::from_utf8(from.text()?).ok())?.into_iter().collect();
        let words: Vec<&[u8]> = words.iter().map(|word| word.to_bytes()).collect();
        let called = words.iter().find_map(|word| word.strip_prefix(CALLED))?;
        // The program's own words are not options of the launcher.
        let mut options = words.iter().take_while(|word| **word != WITHOUT_SITE);
        let given = options.find_map(|word| word.strip_prefix(GIVEN));
        let (image, arguments) = split(&words, called)?;
        Some(Kept {
            marker: PathBuf::from(OsString::from_vec(marker)),
            entry: String::from_utf8(entry).ok()?,
            values,
            executable,
            builtins,
            arguments: arguments.iter().map(|word| word.to_vec()).collect(),
            called: called.to_vec(),
            given: given.unwrap_or(b"rt").to_vec(),
            image: OsString::from_vec(image.to_vec()),
        })
    }
}

/// Return the image, and the words after the name of the program.
fn split<'a>(words: &[&'a [u8]], called: &[u8]) -> Option<(&'a [u8], Vec<&'a [u8]>)> {
    let called_as = std::path::Path::new(std::ffi::OsStr::from_bytes(called)).file_name()?;
    let place = words.iter().position(|word| *word == WITHOUT_SITE)?;
    let (image, own) = words.get(place + 1..)?.split_first()?;
    let is_run = called_as != "node" && own.first() == Some(&&b"run"[..]);
    let after = own.get(if is_run { 2.. } else { 1.. })?;
    let after = if after.first() == Some(&END_OF_FLAGS) { &after[1..] } else { after };
    Some((image, after.to_vec()))
}
