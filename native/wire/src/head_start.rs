//! The head start of V8: which command lines get it, and how the launcher requests it from the native module.
//!
//! The launcher preloads the module into the interpreter and sets two variables; the module starts V8 on a thread as it is
//! loaded (`native/src/v8/engine/early.rs`), and restores the environment before any other code reads it.
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::program::REPL;

/// The request: what to start.
pub const ORDER: &str = "_RT_HEAD_START";
/// Gives the dynamic loader the path of the native module.
pub const PRELOAD: &str = "LD_PRELOAD";

const EVALUATES: [&[u8]; 4] = [b"-e", b"--eval", b"-p", b"--print"];
const CONFIG: &str = "rtfig.toml";
const SAVES_MEMORY: &[u8] = b"smol";

/// Returns whether `words`, the arguments of the command, begin with code to evaluate, with `repl`, or with a source file
/// that exists and takes precedence over any script. Then V8 is needed, whatever the other words are.
pub fn is_program<W: AsRef<[u8]>, E: AsRef<[u8]>>(words: &[W], called_as: &[u8], extensions: &[E]) -> bool {
    let is_run = words.first().is_some_and(|word| word.as_ref() == b"run");
    let Some(word) = words.get(usize::from(is_run)).map(AsRef::as_ref) else { return false };
    if EVALUATES.contains(&word) || word == REPL && !is_run && called_as != b"node" {
        return true;
    }
    let is_path = [&b"/"[..], b"./", b"../"].iter().any(|start| word.starts_with(start));
    let may_be_script = called_as != b"node" && is_run && !is_path;
    let has_extension = extensions.iter().any(|extension| word.ends_with(extension.as_ref()));
    has_extension && !may_be_script && !word.starts_with(b"-") && Path::new(OsStr::from_bytes(word)).is_file()
}

/// Returns whether the words or the config file in the working folder may enable `--smol`, which needs other V8 flags.
pub fn may_save_memory<W: AsRef<[u8]>>(words: &[W]) -> bool {
    let is_mentioned = |text: &[u8]| text.windows(SAVES_MEMORY.len()).any(|part| part == SAVES_MEMORY);
    words.iter().any(|word| is_mentioned(word.as_ref())) || std::fs::read(CONFIG).is_ok_and(|text| is_mentioned(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENSIONS: [&str; 2] = [".ts", ".js"];

    fn is_one(words: &[&str], called_as: &str) -> bool {
        is_program(words, called_as.as_bytes(), &EXTENSIONS)
    }

    #[test]
    fn code_and_source_files_that_exist_are_programs() {
        let file = std::env::temp_dir().join(format!("rt-head-start-{}.ts", std::process::id()));
        std::fs::write(&file, "").unwrap();
        let path = file.to_str().unwrap();
        for words in
            [&[path][..], &[path, "--watch"], &["run", path], &["-e", "1"], &["run", "--print", "1"], &["repl"]]
        {
            assert!(is_one(words, "rt"), "{words:?}");
        }
        assert!(is_one(&[path], "node"));
        std::fs::remove_file(&file).unwrap();
        assert!(!is_one(&[path], "rt"), "the file is gone");
    }

    #[test]
    fn other_words_may_be_something_else() {
        let words: [&[&str]; 6] =
            [&[], &["run"], &["run", "absent.ts"], &["build"], &["--smol", "absent.ts"], &["run", "build.js"]];
        for words in words {
            assert!(!is_one(words, "rt"), "{words:?}");
        }
    }

    #[test]
    fn smol_is_found_in_the_words() {
        assert!(may_save_memory(&["--smol", "a.ts"]));
        assert!(!may_save_memory(&["a.ts"]));
    }
}
