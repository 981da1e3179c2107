//! Whether a command line is plainly a program's, so that V8 starts before the interpreter does: as
//! `rt_supervisor/start/head_start.py` guesses, at no cost where it is wrong. The native module, which the interpreter loads
//! anyway, is loaded before all else, and starts V8 on a thread (`native/src/v8/engine/early.rs`).
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rt_wire::head_start::{ORDER, PRELOAD};

const EVALUATES: [&str; 4] = ["-e", "--eval", "-p", "--print"];
const CONFIG: &str = "rtfig.toml";
const SAVES_MEMORY: &[u8] = b"smol";

pub fn is_program(words: &[OsString], called_as: &OsStr, extensions: &[OsString]) -> bool {
    let is_run = words.first().is_some_and(|word| word == "run");
    let Some(word) = words.get(usize::from(is_run)) else { return false };
    if EVALUATES.iter().any(|flag| word == flag) {
        return true;
    }
    let bytes = word.as_bytes();
    let is_path = [&b"/"[..], b"./", b"../"].iter().any(|start| bytes.starts_with(start));
    let may_be_script = called_as != "node" && is_run && !is_path;
    let has_extension = extensions.iter().any(|extension| bytes.ends_with(extension.as_bytes()));
    has_extension && !may_be_script && !bytes.starts_with(b"-") && Path::new(word).is_file()
}

/// Whether V8 may have to be started with flags of its own.
pub fn is_doubtful(words: &[OsString]) -> bool {
    let holds = |text: &[u8]| text.windows(SAVES_MEMORY.len()).any(|part| part == SAVES_MEMORY);
    words.iter().any(|word| holds(word.as_bytes()))
        || std::env::var_os("RT_OPTIONS").is_some()
        || std::fs::read(CONFIG).is_ok_and(|config| holds(&config))
}

/// Have the native module start V8 in the program that is executed next; not where a field holds a line end, or the
/// module's path a character that separates the entries of LD_PRELOAD.
/// `program`: a descriptor of what the module needs to know of the program, to run it without Python.
pub fn order(head_start: &[Vec<u8>], program: Option<i32>) {
    let Some(module) = head_start.first() else { return };
    let is_plain = |byte: &u8| !matches!(byte, b':' | b' ' | b'\t' | b'\n' | b'$');
    if !module.iter().all(is_plain) || head_start.iter().any(|field| field.contains(&b'\n')) {
        return;
    }
    let given = std::env::var_os(PRELOAD);
    let given = given.as_deref().map_or(&b""[..], OsStr::as_bytes);
    let preloaded = if given.is_empty() { module.clone() } else { [module, &b":"[..], given].concat() };
    let mut told = head_start.join(&b'\n');
    told.push(b'\n');
    told.extend(program.map(|descriptor| descriptor.to_string().into_bytes()).unwrap_or_default());
    told.push(b'\n');
    told.extend_from_slice(given);
    // SAFETY: this process has one thread.
    unsafe {
        std::env::set_var(PRELOAD, OsStr::from_bytes(&preloaded));
        std::env::set_var(ORDER, OsStr::from_bytes(&told));
    }
}

/// Undo `order`: the program could not be executed.
pub fn withdraw() {
    let Some(told) = std::env::var_os(ORDER) else { return };
    let given = told.as_bytes().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    // SAFETY: as above.
    unsafe {
        std::env::remove_var(ORDER);
        match given {
            b"" => std::env::remove_var(PRELOAD),
            given => std::env::set_var(PRELOAD, OsStr::from_bytes(given)),
        }
    }
}
