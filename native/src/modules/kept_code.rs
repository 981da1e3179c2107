//! V8's code of one program's own files, kept between its runs: a program that runs again compiles only what has changed.
//!
//! Code is taken for the very text that it was made of, and made when the program ends, with the functions that it called by then.
//! All of a program's code lies in one file of the cache, known by the main file. A program that runs once keeps nothing: its first
//! run leaves an empty file. Nothing here fails a program: what cannot be read or written is compiled.
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use super::keepers::{Form, Keeper, Outcome, Text};
use crate::v8::code_pack::{self, Fresh, Pack, hash_of};
use crate::v8::library_code;
use crate::v8::{CodeOwner, Scope, State};

/// A program that compiles less keeps nothing: it would not start sooner.
const LEAST_BYTES: usize = 16 << 10;
const LEAST_FILES: usize = 16;
/// Where less than this part of what a program used is fresh, the file stays: it is written whole each time.
const LEAST_SHARE: usize = 8;
/// Of this many programs code is kept, and of so many bytes: of those that ran last.
const MOST_PROGRAMS: usize = 256;
const MOST_BYTES: u64 = 256 << 20;
/// A program's file is marked as used when that was longer ago.
const MARKED_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Default)]
struct Made {
    fresh: Vec<Fresh>,
    fresh_bytes: usize,
    /// The names of what was taken from the file.
    used: Vec<String>,
    used_bytes: usize,
}

/// A text whose code was looked for.
pub struct Sought {
    name: String,
    text: u64,
    bytes: usize,
}

/// The kept code of one program; the engine's thread uses it.
pub struct KeptCode {
    main: String,
    /// The program is known to have run before.
    is_again: bool,
    pack: OnceLock<Option<Pack>>,
    made: Mutex<Made>,
}

impl KeptCode {
    /// That of the program whose main file is `main`.
    pub fn of(main: &str, is_again: bool) -> KeptCode {
        KeptCode { main: main.to_owned(), is_again, pack: OnceLock::new(), made: Mutex::default() }
    }

    /// Write what the program has compiled, where that is enough to be worth it.
    pub fn keep(&self, state: &State) {
        let made = std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(place) = library_code::place_of_program(&self.main) else { return };
        let is_little = made.fresh_bytes < LEAST_BYTES && made.fresh.len() < LEAST_FILES;
        if state.is_inspected() || is_little || made.fresh_bytes * LEAST_SHARE < made.used_bytes {
            if !made.used.is_empty() {
                mark_used(&place);
            }
            return;
        }
        let pack = self.pack.get().and_then(Option::as_ref);
        if pack.is_some() || self.is_again {
            made.write(pack, &place);
        } else {
            code_pack::write(&place, &HashMap::new());
        }
        if let Some(folder) = place.parent() {
            forget_old(folder);
        }
    }
}

impl Keeper for KeptCode {
    type Sought = Sought;

    /// Nothing is found where a debugger or a profile looks on.
    fn seek(&self, scope: &Scope<'_>, text: &Text<'_>) -> (Option<Cow<'_, [u8]>>, Sought) {
        let name = match text.form {
            Form::Module => text.name.to_owned(),
            Form::Function(params) => format!("{}\0{}", text.name, params.join("\0")),
        };
        let sought = Sought { name, text: hash_of(text.source), bytes: text.source.len() };
        if scope.state.is_inspected() {
            return (None, sought);
        }
        let read = || Pack::read(&library_code::place_of_program(&self.main)?);
        let pack = self.pack.get_or_init(read).as_ref();
        (pack.and_then(|pack| pack.find(&sought.name, sought.text)).map(Cow::Borrowed), sought)
    }

    fn compiled(&self, scope: &Scope<'_>, sought: Sought, outcome: Outcome, owner: impl FnOnce() -> Option<CodeOwner>) {
        if scope.state.is_inspected() {
            return;
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let Sought { name, text, bytes } = sought;
        if outcome == Outcome::Taken {
            made.used_bytes += bytes;
            made.used.push(name);
        } else if let Some(owner) = owner() {
            made.fresh_bytes += bytes;
            made.fresh.push(Fresh { name, text, owner });
        }
    }
}

impl Made {
    /// Write what was made, and what of `pack` was used or may be.
    fn write(self, pack: Option<&Pack>, place: &Path) {
        let fresh = Fresh::made(self.fresh);
        let before = pack.map(Pack::all).unwrap_or_default();
        // What this run did not ask for stays, up to as much again: other arguments may ask for it.
        let mut pieces: HashMap<&str, code_pack::Code<'_>> =
            self.used.iter().filter_map(|name| before.get_key_value(name.as_str())).map(|(k, v)| (*k, *v)).collect();
        pieces.extend(fresh.iter().map(|(name, text, code)| (name.as_str(), (*text, code.as_slice()))));
        if size_of(&before) <= 2 * size_of(&pieces) {
            for (name, code) in before {
                pieces.entry(name).or_insert(code);
            }
        }
        code_pack::write(place, &pieces);
    }
}

fn size_of(pieces: &HashMap<&str, code_pack::Code<'_>>) -> usize {
    pieces.values().map(|(_, code)| code.len()).sum()
}

/// Have a program's file count as one of those that ran last.
fn mark_used(place: &Path) {
    let since = std::fs::metadata(place).and_then(|about| about.modified()).map(|time| time.elapsed());
    if let Ok(Ok(since)) = since
        && since > MARKED_EVERY
        && let Ok(file) = std::fs::File::open(place)
    {
        let _ = file.set_modified(SystemTime::now()); // where that fails, it goes sooner
    }
}

/// Remove the code of programs that ran long ago.
fn forget_old(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let about = |entry: std::fs::DirEntry| -> Option<(SystemTime, u64, PathBuf)> {
        let about = entry.metadata().ok()?;
        Some((about.modified().ok()?, about.len(), entry.path()))
    };
    let mut files: Vec<_> = entries.flatten().filter_map(about).collect();
    files.sort_unstable_by(|one, other| other.cmp(one));
    let mut bytes = 0;
    for (index, (_, size, path)) in files.iter().enumerate() {
        bytes += size;
        if index >= MOST_PROGRAMS || bytes > MOST_BYTES {
            let _ = std::fs::remove_file(path);
        }
    }
}
