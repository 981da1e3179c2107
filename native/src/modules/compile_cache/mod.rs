//! The compile cache of one program: V8's code of its modules, in a folder that outlives it (`NODE_COMPILE_CACHE`,
//! `module.enableCompileCache`).
//!
//! Code is looked up before a text is compiled, and serialized when it is written: at the end, or at the program's request.
//! `file` decides which code is used. No error here fails a program: without usable code, a text is compiled as without a
//! cache. `NODE_DEBUG_NATIVE=COMPILE_CACHE` prints Node's messages.
mod file;

use std::borrow::Cow;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use self::file::Digest;
use super::code_caches::{CodeCache, Form, Outcome, Text};
use crate::files::identities::checksum;
use crate::files::permission::{Access, allows};
use crate::v8::{CodeOwner, Scope, VERSION};

const ESM: &str = "ESM";
const COMMONJS: &str = "CommonJS";

enum Stage {
    /// Not compiled, for example because of a syntax error.
    LookedUp,
    Accepted,
    Fresh(CodeOwner),
    Written,
}

/// One text that was compiled.
struct Entry {
    kind: &'static str,
    name: String,
    path: PathBuf,
    digest: Digest,
    stage: Stage,
}

impl Entry {
    fn label(&self) -> String {
        if self.kind == ESM { format!("ESM file://{}", self.name) } else { format!("{} {}", self.kind, self.name) }
    }
}

/// The options of a cache.
#[derive(Clone, Copy)]
pub struct Manner {
    /// Files are identified by their path relative to the cache's folder.
    pub is_portable: bool,
    pub is_read_only: bool,
    /// Prints every step to stderr.
    pub is_verbose: bool,
}

/// A compile cache; the engine's thread uses it.
pub struct Cache {
    folder: PathBuf,
    /// The folder that names are relative to, so that the folder and the files can be moved together.
    base: Option<PathBuf>,
    is_read_only: bool,
    is_verbose: bool,
    entries: Mutex<Vec<Entry>>,
}

impl Cache {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self, line: impl FnOnce() -> String) {
        if self.is_verbose {
            print_line(&line());
        }
    }

    fn path_of(&self, kind: &str, name: &str) -> PathBuf {
        let name = match &self.base {
            Some(base) => relative(Path::new(name), base),
            None => PathBuf::from(name),
        };
        self.folder.join(format!("{:016x}", xxh3_64(format!("{kind}\0{}", name.display()).as_bytes())))
    }

    /// Returns the index of a text among the entries, and its code. `form` is everything besides `text` that determines the
    /// code.
    fn find(&self, kind: &'static str, form: &str, name: &str, text: &str) -> (usize, Option<Vec<u8>>) {
        let digest = Digest::of(text, form);
        let mut entries = self.lock();
        let known = entries.iter().position(|entry| entry.kind == kind && entry.name == name);
        if let Some(place) = known.filter(|place| entries[*place].digest == digest) {
            return (place, None);
        }
        let entry =
            Entry { kind, name: name.to_owned(), path: self.path_of(kind, name), digest, stage: Stage::LookedUp };
        let found = file::read(&entry.path, digest);
        self.log(|| {
            let outcome = match &found {
                Ok(code) => format!("...[{}]... success, size={}", file::numbers(digest, code), code.len()),
                Err(reason) => format!("... {reason}"),
            };
            format!("reading cache from {} for {}{outcome}", entry.path.display(), entry.label())
        });
        let place = known.unwrap_or(entries.len());
        if place == entries.len() {
            entries.push(entry);
        } else {
            entries[place] = entry;
        }
        (place, found.ok())
    }

    fn write(&self, entry: &mut Entry) {
        let skip = |why: &str| self.log(|| format!("skip persisting {} because {why}", entry.label()));
        let owner = match &entry.stage {
            Stage::LookedUp => return skip("the cache was not initialized"),
            Stage::Accepted => return skip("cache was the same"),
            Stage::Written => return skip("cache was already persisted"),
            Stage::Fresh(owner) => owner,
        };
        let Some(code) = owner.code() else { return skip("the cache was not initialized") };
        let (kind, label, path) = (entry.kind, entry.label(), entry.path.clone());
        let name = &label[kind.len() + 1..];
        let (beside, made) = match file::create_beside(&path) {
            Ok(made) => made,
            Err(error) => {
                return self
                    .log(|| format!("Creating temporary file for cache of {name} ({kind})...{}", file::words(&error)));
            }
        };
        let shown = (beside.display(), path.display());
        self.log(|| format!("Creating temporary file for cache of {name} ({kind})... -> {}", shown.0));
        let written = file::write(made, entry.digest, &code);
        self.log(|| {
            let numbers = file::numbers(entry.digest, &code);
            format!("writing cache for {label} to temporary file {} [{numbers}]...{}", shown.0, ending(&written))
        });
        if written.is_err() {
            drop(std::fs::remove_file(&beside));
            return;
        }
        let renamed = file::put_in_place(&beside, &path);
        self.log(|| format!("Renaming {} to {}...{}", shown.0, shown.1, ending(&renamed)));
        if renamed.is_ok() {
            entry.stage = Stage::Written;
        }
    }
}

impl CodeCache for Cache {
    type Lookup = usize;

    fn look_up(&self, _: &Scope<'_>, text: &Text<'_>) -> (Option<Cow<'_, [u8]>>, usize) {
        let (place, code) = match text.form {
            Form::Module => self.find(ESM, ESM, text.name, text.source),
            Form::Function(params) => {
                let form = params.iter().fold(COMMONJS.to_owned(), |form, name| format!("{form}\0{name}"));
                self.find(COMMONJS, &form, text.name, text.source)
            }
        };
        (code.map(Cow::Owned), place)
    }

    fn on_compiled(&self, _: &Scope<'_>, place: usize, outcome: Outcome, owner: impl FnOnce() -> Option<CodeOwner>) {
        let mut entries = self.lock();
        let Some(entry) = entries.get_mut(place).filter(|entry| matches!(entry.stage, Stage::LookedUp)) else {
            return;
        };
        self.log(|| {
            let (how, what) = match (outcome, self.is_read_only) {
                (Outcome::Accepted, _) => ("accepted", "keeping the in-memory entry"),
                (Outcome::Missing, true) => ("not initialized", "read-only, not serializing"),
                (Outcome::Rejected, true) => ("rejected", "read-only, not serializing"),
                (Outcome::Missing, false) => ("not initialized", "initializing the in-memory entry"),
                (Outcome::Rejected, false) => ("rejected", "refreshing the in-memory entry"),
            };
            format!("V8 code cache for {} was {how}, {what}", entry.label())
        });
        if outcome == Outcome::Accepted {
            entry.stage = Stage::Accepted;
        } else if !self.is_read_only
            && let Some(owner) = owner()
        {
            entry.stage = Stage::Fresh(owner);
        }
    }
}

fn ending(outcome: &std::io::Result<()>) -> String {
    outcome.as_ref().err().map_or_else(|| "success".to_owned(), file::words)
}

fn print_line(line: &str) {
    drop(std::io::stderr().write_all(format!("[compile cache] {line}\n").as_bytes()));
}

/// Returns the absolute `path`, without `.`, `..` and doubled slashes.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::env::current_dir().unwrap_or_default().join(path);
    let mut normalized = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(normalized.pop()),
            Component::CurDir => {}
            part => normalized.push(part),
        }
    }
    normalized
}

/// Returns `path` relative to the folder `base`; both are absolute.
fn relative(path: &Path, base: &Path) -> PathBuf {
    let (mut to, mut from) = (path.components().peekable(), base.components().peekable());
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    from.map(|_| Component::ParentDir).chain(to).collect()
}

/// The name of the folder for this version of rt and V8 and, as in Node, for this user unless the cache is portable.
fn tag(is_portable: bool) -> String {
    let (rt, machine) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let tag = format!("rt-{rt}-{machine}-{:08x}", checksum(VERSION.as_bytes()) as u32);
    if is_portable { tag } else { format!("{tag}-{}", rustix::process::getuid().as_raw()) }
}

impl Cache {
    /// Opens the cache in the folder `given`, creating missing folders. Returns an error message if it cannot be used.
    pub fn open(given: &Path, manner: Manner) -> Result<Cache, String> {
        let Manner { is_portable, is_read_only, is_verbose } = manner;
        let (base, tag) = (absolute(given), tag(is_portable));
        let folder = base.join(&tag);
        let say = |line: String| {
            if is_verbose {
                print_line(&line)
            }
        };
        say(format!("resolved path {} + {tag} -> {}", given.display(), folder.display()));
        let refused = |reason: String| {
            say(reason.clone());
            reason
        };
        check_access(&folder, is_read_only).map_err(refused)?;
        make_folder(&folder, is_read_only, &say).map_err(refused)?;
        let base = is_portable.then(|| folder.clone());
        Ok(Cache { folder, base, is_read_only, is_verbose, entries: Mutex::default() })
    }

    /// The folder with the program's code.
    pub fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    /// The given folder, as an absolute path.
    pub fn base(&self) -> String {
        self.folder.parent().unwrap_or(&self.folder).display().to_string()
    }

    /// Like `write_all`, at the program's request.
    pub fn flush(&self) {
        self.log(|| "module.flushCompileCache() requested.".to_owned());
        self.write_all();
        self.log(|| "module.flushCompileCache() finished.".to_owned());
    }

    /// Writes the code of everything that was compiled and is not in the cache yet.
    pub fn write_all(&self) {
        if self.is_read_only {
            return self.log(|| "read-only, skipping persistence".to_owned());
        }
        for entry in self.lock().iter_mut() {
            self.write(entry);
        }
    }
}

fn check_access(folder: &Path, is_read_only: bool) -> Result<(), String> {
    let path = Some(std::os::unix::ffi::OsStrExt::as_bytes(folder.as_os_str()));
    let shown = folder.display();
    if !is_read_only && !allows(Access::Write, path) {
        return Err(format!("Skipping compile cache because write permission for {shown} is not granted"));
    }
    if !allows(Access::Read, path) {
        return Err(format!("Skipping compile cache because read permission for {shown} is not granted"));
    }
    Ok(())
}

fn make_folder(folder: &Path, is_read_only: bool, say: &dyn Fn(String)) -> Result<(), String> {
    let shown = folder.display();
    if is_read_only {
        let is_there = folder.is_dir();
        say(format!("read-only cache directory {shown}...{}", if is_there { "found" } else { "not found" }));
        return if is_there { Ok(()) } else { Err(format!("Cache directory does not exist (read-only): {shown}")) };
    }
    let made = std::fs::create_dir_all(folder);
    say(format!("creating cache directory {shown}...{}", ending(&made)));
    made.map_err(|error| format!("Cannot create cache directory: {}", file::words(&error)))
}
