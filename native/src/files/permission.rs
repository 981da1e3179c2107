//! Which files the program may read and write under `--permission`: one policy for the process, which only becomes
//! stricter.
//!
//! A rule is an absolute path, or a prefix that ends before the first `*`; such a rule covers everything with that
//! prefix, and for a folder the folder itself. Paths are compared as text, without following links, as in Node.
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use pyo3::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

#[derive(PartialEq, Eq)]
struct Rule {
    path: Vec<u8>,
    is_prefix: bool,
}

impl Rule {
    /// Parses a rule as given to a flag: a folder covers everything in it.
    fn new(given: &[u8]) -> Rule {
        let path = absolute(given);
        let star = path.iter().position(|byte| *byte == b'*');
        if star.is_none() && Path::new(std::ffi::OsStr::from_bytes(&path)).is_dir() {
            let slash: &[u8] = if path.ends_with(b"/") { b"" } else { b"/" };
            return Rule { path: [path.as_slice(), slash].concat(), is_prefix: true };
        }
        Rule { path: path[..star.unwrap_or(path.len())].to_vec(), is_prefix: star.is_some() }
    }

    fn covers(&self, path: &[u8]) -> bool {
        if !self.is_prefix {
            return self.path == path;
        }
        path.starts_with(&self.path) || self.path.strip_suffix(b"/").is_some_and(|folder| folder == path)
    }
}

#[derive(Default)]
struct Rules {
    is_all: bool,
    rules: Vec<Rule>,
}

impl Rules {
    fn new(given: &[Vec<u8>]) -> Rules {
        let (all, some): (Vec<_>, Vec<_>) = given.iter().partition(|path| path.as_slice() == b"*");
        Rules { is_all: !all.is_empty(), rules: some.into_iter().map(|path| Rule::new(path)).collect() }
    }

    fn covers(&self, path: &[u8]) -> bool {
        self.is_all || self.rules.iter().any(|rule| rule.covers(path))
    }
}

struct Policy {
    read: Rules,
    write: Rules,
}

impl Policy {
    fn rules(&mut self, access: Access) -> &mut Rules {
        match access {
            Access::Read => &mut self.read,
            Access::Write => &mut self.write,
        }
    }
}

static IS_LIMITED: AtomicBool = AtomicBool::new(false);
static IS_AUDIT: AtomicBool = AtomicBool::new(false);
static POLICY: RwLock<Option<Policy>> = RwLock::new(None);

/// Makes a path absolute and removes `.` and `..`, without accessing the disk.
fn absolute(path: &[u8]) -> Vec<u8> {
    let given = Path::new(std::ffi::OsStr::from_bytes(path));
    let from = if given.is_absolute() { PathBuf::new() } else { std::env::current_dir().unwrap_or_default() };
    let mut found = from;
    for component in given.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                found.pop();
            }
            other => found.push(other),
        }
    }
    found.into_os_string().into_encoded_bytes()
}

/// Returns whether the program has `access` to `path`; None stands for all files.
pub fn allows(access: Access, path: Option<&[u8]>) -> bool {
    if !IS_LIMITED.load(Ordering::Acquire) {
        return true;
    }
    let mut policy = POLICY.write().unwrap_or_else(PoisonError::into_inner);
    let Some(rules) = policy.as_mut().map(|policy| policy.rules(access)) else { return true };
    match path {
        None => rules.is_all,
        Some(path) => rules.covers(&absolute(path)),
    }
}

/// Returns whether a module may be read; always true in audit mode.
pub fn may_load(path: &[u8]) -> bool {
    IS_AUDIT.load(Ordering::Acquire) || allows(Access::Read, Some(path))
}

/// Drops the permission for all files, or the one granted for `path`.
pub fn drop(access: Access, path: Option<&[u8]>) {
    let mut policy = POLICY.write().unwrap_or_else(PoisonError::into_inner);
    let Some(rules) = policy.as_mut().map(|policy| policy.rules(access)) else { return };
    match path.map(Rule::new) {
        None => *rules = Rules::default(),
        Some(dropped) => rules.rules.retain(|rule| *rule != dropped),
    }
}

/// Returns whether a module may be read from `path`.
#[pyfunction]
fn may_load_module(path: &[u8]) -> bool {
    may_load(path)
}

/// Limits the process permanently to the granted reading and writing; with `is_audit` violations are only reported.
#[pyfunction]
fn limit_files(read: Vec<Vec<u8>>, write: Vec<Vec<u8>>, is_audit: bool) {
    let mut policy = POLICY.write().unwrap_or_else(PoisonError::into_inner);
    *policy = Some(Policy { read: Rules::new(&read), write: Rules::new(&write) });
    IS_LIMITED.store(true, Ordering::Release);
    IS_AUDIT.store(is_audit, Ordering::Release);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(limit_files, module)?)?;
    module.add_function(wrap_pyfunction!(may_load_module, module)?)
}
