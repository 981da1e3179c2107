//! V8's code of a program's own files, stored between runs, so that a program that runs again only compiles what has changed.
//!
//! Code is used only for the text that it was compiled from. It is serialized when the program ends, with the functions that
//! have been called. All code of a program is in one file of the cache, identified by the main file. The first run of a
//! program creates an empty file and stores no code. No error here fails a program: without code, a text is compiled.
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use super::code_caches::{CodeCache, Form, Outcome, Text};
use crate::v8::code_pack::{self, Fresh, Pack, hash_of};
use crate::v8::library_code;
use crate::v8::{CodeOwner, Scope, State};

/// A program that compiles less stores no code: it would not start faster.
const LEAST_BYTES: usize = 16 << 10;
const LEAST_FILES: usize = 16;
/// The file, which is always written as a whole, is only rewritten if at least this fraction of the used code is fresh.
const LEAST_SHARE: usize = 8;
/// The number of programs whose code is stored, and its total size; the least recently run are evicted.
const MOST_PROGRAMS: usize = 256;
const MOST_BYTES: u64 = 256 << 20;
/// A program's file is marked as used again after this time.
const MARKED_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Default)]
struct CodeUse {
    fresh: Vec<Fresh>,
    fresh_bytes: usize,
    /// The names of the texts whose code was in the file.
    used: Vec<String>,
    used_bytes: usize,
}

/// A text whose code was looked up.
pub struct Lookup {
    name: String,
    text: u64,
    bytes: usize,
}

/// The stored code of one program; used on the engine's thread.
pub struct CodeStore {
    main: String,
    /// The program has run before.
    is_again: bool,
    pack: OnceLock<Option<Pack>>,
    code_use: Mutex<CodeUse>,
}

impl CodeStore {
    /// The code of the program whose main file is `main`.
    pub fn of(main: &str, is_again: bool) -> CodeStore {
        CodeStore { main: main.to_owned(), is_again, pack: OnceLock::new(), code_use: Mutex::default() }
    }

    /// Writes what the program has compiled, if there is enough of it.
    pub fn save(&self, state: &State) {
        let code_use = std::mem::take(&mut *self.code_use.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(place) = library_code::place_of_program(&self.main) else { return };
        let is_little = code_use.fresh_bytes < LEAST_BYTES && code_use.fresh.len() < LEAST_FILES;
        if state.is_uncacheable() || is_little || code_use.fresh_bytes * LEAST_SHARE < code_use.used_bytes {
            if !code_use.used.is_empty() {
                mark_used(&place);
            }
            return;
        }
        let pack = self.pack.get().and_then(Option::as_ref);
        if pack.is_some() || self.is_again {
            code_use.write(pack, &place);
        } else {
            code_pack::write(&place, &HashMap::new());
        }
        if let Some(folder) = place.parent() {
            forget_old(folder);
        }
    }
}

impl CodeCache for CodeStore {
    type Lookup = Lookup;

    /// Finds nothing under a debugger or a profiler.
    fn look_up(&self, scope: &Scope<'_>, text: &Text<'_>) -> (Option<Cow<'_, [u8]>>, Lookup) {
        let name = match text.form {
            Form::Module => text.name.to_owned(),
            Form::Function(params) => format!("{}\0{}", text.name, params.join("\0")),
        };
        let lookup = Lookup { name, text: hash_of(text.source), bytes: text.source.len() };
        if scope.state.is_uncacheable() {
            return (None, lookup);
        }
        let read = || Pack::read(&library_code::place_of_program(&self.main)?);
        let pack = self.pack.get_or_init(read).as_ref();
        (pack.and_then(|pack| pack.find(&lookup.name, lookup.text)).map(Cow::Borrowed), lookup)
    }

    fn on_compiled(
        &self,
        scope: &Scope<'_>,
        lookup: Lookup,
        outcome: Outcome,
        owner: impl FnOnce() -> Option<CodeOwner>,
    ) {
        if scope.state.is_uncacheable() {
            return;
        }
        let mut code_use = self.code_use.lock().unwrap_or_else(PoisonError::into_inner);
        let Lookup { name, text, bytes } = lookup;
        if outcome == Outcome::Accepted {
            code_use.used_bytes += bytes;
            code_use.used.push(name);
        } else if let Some(owner) = owner() {
            code_use.fresh_bytes += bytes;
            code_use.fresh.push(Fresh { name, text, owner });
        }
    }
}

impl CodeUse {
    /// Writes fresh code, and the code of `pack` that was used or may be used again.
    fn write(self, pack: Option<&Pack>, place: &Path) {
        let fresh = Fresh::encode_all(self.fresh);
        let before = pack.map(Pack::all).unwrap_or_default();
        // Code that this run did not use is kept up to the same size: other arguments may use it.
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

/// Marks a program's file as recently used.
fn mark_used(place: &Path) {
    let since = std::fs::metadata(place).and_then(|about| about.modified()).map(|time| time.elapsed());
    if let Ok(Ok(since)) = since
        && since > MARKED_EVERY
        && let Ok(file) = std::fs::File::open(place)
    {
        let _ = file.set_modified(SystemTime::now()); // if that fails, it is evicted sooner
    }
}

/// Removes the code of programs that ran long ago.
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
