//! V8's code of the runtime's files that are not in the snapshot, kept in one file beside it: programs that require the same
//! built-in modules do not compile them again.
//!
//! A program adds the code of what it had to compile when it ends, with the functions that it called by then. The file belongs to
//! one snapshot and to one set of V8's flags; code is taken only for the very text that it was made of. Like the snapshot it is
//! believed only if nobody else can have written it. It appears whole: of two programs that end at once one has its say, and
//! what the other knew is added by whoever compiles it next.
use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;
use rapidhash::v3::rapidhash_v3;

use super::api::v8;
use super::code_cache::CodeOwner;
use super::engine::Engine;
use super::operations::set_library;
use super::scope::{Local, Scope};
use super::script::compile_function_with_code;
use super::snapshot::Mapped;
use super::state::State;
use crate::files::cache::draft;

const MAGIC: u64 = 0x3130_4544_4f43_5452; // RTCODE01
/// Magic, checksum of the table, number of entries, size of the names.
const HEADER: usize = 32;
/// Hash of the text, sum of the code, place of the code, its size, size of the name.
const ENTRY: usize = 40;
/// V8 copies code that lies at odd addresses.
const ALIGNMENT: usize = 8;
/// Nobody compiles so much of the runtime; a file that is larger is something else.
const LARGEST: usize = 64 << 20;

/// The snapshot of this process, where it is a file.
static SNAPSHOT: OnceLock<PathBuf> = OnceLock::new();
static KEPT: OnceLock<Option<Kept>> = OnceLock::new();
/// One thread of a process writes at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// Code that was compiled because none was kept.
pub struct Fresh {
    name: String,
    text: u64,
    owner: CodeOwner,
}

struct Piece {
    text: u64,
    sum: u64,
    place: Range<usize>,
}

struct Kept {
    pieces: HashMap<String, Piece>,
    file: Mapped,
}

/// Keep code beside the snapshot at `path`; the first one stays.
pub fn belongs_to(path: &Path) {
    let _ = SNAPSHOT.set(path.to_path_buf());
}

/// Where the code of V8's present flags lies.
fn place() -> Option<PathBuf> {
    // SAFETY: V8 is started; it only returns a number.
    let flags = unsafe { (v8().cache_version_tag)() };
    Some(SNAPSHOT.get()?.with_extension(format!("{flags:08x}.code")))
}

impl Kept {
    fn read() -> Option<Kept> {
        let file = Mapped::open(&place()?).ok()?;
        let pieces = table(file.bytes())?;
        Some(Kept { pieces, file })
    }

    fn code(&self, piece: &Piece) -> Option<&[u8]> {
        let code = self.file.bytes().get(piece.place.clone())?;
        (rapidhash_v3(code) == piece.sum).then_some(code)
    }

    fn find(&self, name: &str, text: u64) -> Option<&[u8]> {
        self.code(self.pieces.get(name).filter(|piece| piece.text == text)?)
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// What lies where in a file; None if it is damaged, or no such file.
fn table(bytes: &[u8]) -> Option<HashMap<String, Piece>> {
    let size = |at: usize| usize::try_from(word(bytes, at)?).ok();
    let (count, names_size) = (size(16)?, size(24)?);
    let entries_end = HEADER.checked_add(count.checked_mul(ENTRY)?)?;
    let table = bytes.get(16..entries_end.checked_add(names_size)?)?;
    if bytes.len() > LARGEST || word(bytes, 0)? != MAGIC || word(bytes, 8)? != rapidhash_v3(table) {
        return None;
    }
    let mut name_at = entries_end;
    let mut pieces = HashMap::with_capacity(count);
    for entry in (0..count).map(|index| HEADER + index * ENTRY) {
        let (text, sum) = (word(bytes, entry)?, word(bytes, entry + 8)?);
        let (start, length, name_size) = (size(entry + 16)?, size(entry + 24)?, size(entry + 32)?);
        let name = std::str::from_utf8(bytes.get(name_at..name_at.checked_add(name_size)?)?).ok()?;
        name_at += name_size;
        pieces.insert(name.to_owned(), Piece { text, sum, place: start..start.checked_add(length)? });
    }
    Some(pieces)
}

/// The bytes of a file with those pieces: name, hash of the text, code.
fn file_of(pieces: &[(&str, u64, &[u8])]) -> Vec<u8> {
    let names_size: usize = pieces.iter().map(|(name, ..)| name.len()).sum();
    let table_end = HEADER + pieces.len() * ENTRY + names_size;
    let mut bytes =
        Vec::with_capacity(table_end + pieces.iter().map(|(.., code)| code.len() + ALIGNMENT).sum::<usize>());
    for number in [MAGIC, 0, pieces.len() as u64, names_size as u64] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let mut start = table_end.next_multiple_of(ALIGNMENT);
    for (name, text, code) in pieces {
        for number in [*text, rapidhash_v3(code), start as u64, code.len() as u64, name.len() as u64] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        start = (start + code.len()).next_multiple_of(ALIGNMENT);
    }
    pieces.iter().for_each(|(name, ..)| bytes.extend_from_slice(name.as_bytes()));
    let sum = rapidhash_v3(&bytes[16..]);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    for (.., code) in pieces {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.extend_from_slice(code);
    }
    bytes
}

/// The body of the runtime's file `name`, from kept code where there is some.
pub fn function<'s>(
    scope: &Scope<'s>,
    name: &str,
    source: &str,
    params: &[&str],
    file_name: &str,
) -> PyResult<Local<'s>> {
    let text = rapidhash_v3(source.as_bytes());
    let code = KEPT.get_or_init(Kept::read).as_ref().and_then(|kept| kept.find(name, text));
    let (function, was_rejected) = compile_function_with_code(scope, source, params, file_name, code)?;
    // What V8 rejects it would reject again: its flags have changed since the file was looked for.
    if code.is_none() && !was_rejected && SNAPSHOT.get().is_some() {
        let owner = CodeOwner::of_function(scope, function);
        scope.state.inner().library_code.borrow_mut().push(Fresh { name: name.to_owned(), text, owner });
    }
    Ok(function)
}

/// Add what an engine has compiled to the file. A cache that cannot be written stays as it is.
pub fn keep(state: &State) {
    let fresh = state.inner().library_code.take();
    let is_watched = state.inner().inspector.borrow().is_some(); // code may hold what a debugger or a profile put in
    if fresh.is_empty() || is_watched {
        return;
    }
    let Some(place) = place() else { return };
    let made: Vec<(String, u64, Vec<u8>)> =
        fresh.into_iter().filter_map(|Fresh { name, text, owner }| Some((name, text, owner.code()?))).collect();
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = Kept::read(); // others may have added something since
    let mut pieces: HashMap<&str, (u64, &[u8])> = HashMap::new();
    if let Some(kept) = &before {
        let known =
            kept.pieces.iter().filter_map(|(name, piece)| Some((name.as_str(), (piece.text, kept.code(piece)?))));
        pieces.extend(known);
    }
    pieces.extend(made.iter().map(|(name, text, code)| (name.as_str(), (*text, code.as_slice()))));
    let pieces: Vec<(&str, u64, &[u8])> = pieces.into_iter().map(|(name, (text, code))| (name, text, code)).collect();
    let bytes = file_of(&pieces);
    if bytes.len() <= LARGEST {
        let _ = draft::put(&place, 0o600, None, false, |file| file.write_all(&bytes));
    }
}

/// As `keep`, for Python.
#[pyfunction]
fn keep_library_code(engine: &Engine) {
    let state = engine.share();
    if state.check().is_ok() {
        keep(&state);
    }
}

/// Have parts of the runtime read from `folder` without Python.
#[pyfunction]
fn use_library(folder: PathBuf) {
    set_library(folder);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(keep_library_code, module)?)?;
    module.add_function(wrap_pyfunction!(use_library, module)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: [(&str, u64, &[u8]); 2] = [("node/fs/fs", 7, b"code of fs"), ("web/url/url", 8, b"code")];

    #[test]
    fn pieces_come_back_by_name_and_lie_where_v8_takes_them() {
        let bytes = file_of(&PIECES);
        let found = table(&bytes).unwrap();
        for (name, text, code) in PIECES {
            let piece = &found[name];
            assert_eq!((piece.text, &bytes[piece.place.clone()]), (text, code));
            assert_eq!((piece.sum, piece.place.start % ALIGNMENT), (rapidhash_v3(code), 0));
        }
        assert!(table(&file_of(&[])).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_table_is_none() {
        let bytes = file_of(&PIECES);
        let end = HEADER + PIECES.len() * ENTRY + "node/fs/fsweb/url/url".len();
        for at in 0..end {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(table(&damaged).is_none(), "byte {at}");
            assert!(table(&bytes[..at]).is_none(), "cut at {at}");
        }
    }
}
