//! Becomes Python: with the start image if it is valid, otherwise with the script `rt-plain` beside the launcher.
//!
//! Options of the interpreter (`-X`) pass on how rt was called, and either the program to run or the question to decide.
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rt_guardian::{signals, system};
use rt_wire::head_start::{is_program, may_save_memory};

use crate::Call;
use crate::cached_program::CachedProgram;
use crate::head_start;
use crate::image::{Image, Key};
use crate::memory_file;
use crate::question::Question;

const PLAIN: &str = "rt-plain";
const NO_INTERPRETER: i32 = 127;

/// The interpreter and the native module do not load in less address space.
const LEAST_ADDRESS_BYTES: u64 = 36 << 20;

/// Executes the interpreter with this user's image, or with the script if there is no valid image.
pub fn run(call: &Call, question: Option<&Question>, program: Option<CachedProgram>) -> ! {
    check_address_space();
    if cfg!(feature = "debug_logs") {
        run_plain(call, question, None); // a debug build's script prepares the interpreter: no image replaces it
    }
    let key = call.executable().and_then(|executable| Key::new(&executable, &call.environment));
    if let Some(image) = key.as_ref().and_then(Key::load) {
        run_image(&image, call, question, program);
    }
    run_plain(call, question, key.as_ref())
}

/// Executes the interpreter with the script. `key` identifies the image that Python stores after the start.
pub fn run_plain(call: &Call, question: Option<&Question>, key: Option<&Key>) -> ! {
    check_address_space();
    let mut options = call_options(call);
    options.extend(key.and_then(|key| memory_file::option("rt-image", &encode_question(&key.place, &key.words))));
    options.extend(question.and_then(question_option));
    let executable = call.executable();
    let folder = executable.as_deref().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
    let plain = folder.join(PLAIN);
    let beside = [folder.join("python3"), folder.join("python")]; // used if the environment was moved
    for interpreter in named_interpreter(&plain).into_iter().chain(beside) {
        if interpreter.is_file() {
            let _ = python(&interpreter, &options).arg(&plain).args(&call.words).exec();
        }
    }
    let error = Command::new(&plain).args(&call.words).exec(); // its first line does not name Python
    let _ = writeln!(std::io::stderr(), "rt: cannot start {}: {error}", plain.display());
    std::process::exit(NO_INTERPRETER)
}

/// Ends rt with a message if the limit on address space is too low: the dynamic loader would name a library instead.
fn check_address_space() {
    let Some(limit) = system::address_limit().filter(|limit| *limit < LEAST_ADDRESS_BYTES) else { return };
    let (needed_mb, limit_mb) = (LEAST_ADDRESS_BYTES >> 20, limit >> 20);
    let message = format!("rt needs {needed_mb} MB of address space, and the limit is {limit_mb} MB (see `ulimit -v`)");
    let _ = writeln!(std::io::stderr(), "error: {message}");
    std::process::exit(1)
}

/// Executes the interpreter with the image. Returns if that fails.
fn run_image(image: &Image, call: &Call, question: Option<&Question>, program: Option<CachedProgram>) {
    let program = program.filter(|cached| cached.program.is_valid(image.checksum));
    let program_option = program.as_ref().and_then(|cached| memory_file::option("rt-program", &cached.program.options));
    let words: Vec<&[u8]> = call.words.iter().map(|word| word.as_bytes()).collect();
    let needs_v8 = program_option.is_some() || is_program(&words, call.command().as_bytes(), &image.extensions);
    if needs_v8 && !may_save_memory(&words) && std::env::var_os("RT_OPTIONS").is_none() {
        let without_python =
            program.as_ref().filter(|_| program_option.is_some()).and_then(CachedProgram::without_python);
        head_start::request(&image.head_start, without_python);
    }
    let mut options = call_options(call);
    options.extend(program_option.or_else(|| question.and_then(question_option)));
    let _ = python(&image.interpreter, &options).arg("-S").arg(&image.place).args(&call.words).exec();
    head_start::withdraw();
}

/// The options that pass on how rt was called: by which path, and by which name if it is not `rt`.
fn call_options(call: &Call) -> Vec<OsString> {
    let option = |name: &str, value: &OsStr| {
        let mut option = OsString::from(name);
        option.push(value);
        option
    };
    let name = call.name.as_deref().map(|name| option("rt-argv0=", name));
    std::iter::once(option("rt=", &call.path)).chain(name).collect()
}

fn question_option(question: &Question) -> Option<OsString> {
    memory_file::option("rt-question", &encode_question(&question.place, &question.words))
}

/// Encodes a question for Python: the path where its answer is stored, and its words.
fn encode_question(place: &Path, words: &[u8]) -> Vec<u8> {
    [place.as_os_str().as_bytes(), b"\0", words].concat()
}

/// The interpreter's command. SIGINT stays blocked until rt handles it, because the interpreter would print a traceback.
fn python(interpreter: &Path, options: &[OsString]) -> Command {
    let mut command = Command::new(interpreter);
    for option in options {
        command.arg("-X").arg(option);
    }
    let block_interrupts = || {
        signals::change_mask(libc::SIG_BLOCK, signals::bit(libc::SIGINT));
        Ok(())
    };
    // SAFETY: the closure only changes the mask of its thread.
    unsafe { command.pre_exec(block_interrupts) };
    command
}

/// The interpreter in the first line of the script, if it is Python.
fn named_interpreter(plain: &Path) -> Option<PathBuf> {
    let mut start = [0; 512];
    let count = std::fs::File::open(plain).ok()?.read(&mut start).ok()?;
    let line = start[..count].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let path = PathBuf::from(OsString::from_vec(line.trim_ascii().to_vec()));
    let name = path.file_name()?.as_bytes();
    name.starts_with(b"python").then_some(path)
}
