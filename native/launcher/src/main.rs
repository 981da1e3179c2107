//! The command `rt`: carries out what Python decided for the same question earlier, while everything that decided it is
//! what it was; becomes Python in every other case. It decides nothing itself.
//!
//! `RT_NO_REPLAY=1` has Python asked always; `rt-plain`, installed beside this program, is rt without it.
#![cfg_attr(not(test), no_main)] // what the standard library does before `main` costs as much as checking an answer
use std::ffi::{CStr, CString, OsStr, OsString};
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rt_guardian::zygote::Forks;
use rt_guardian::{carry_out, child_guard, signals, supervise, system};
use rt_wire::answer::{self, Decided};
use rt_wire::frames::Writer;
use rt_wire::outcome::Outcome;
use rt_wire::program::Program;
use rt_wire::trust;

mod head_start;
mod image;

use image::Key;

const PLAIN: &str = "rt-plain";
const PROGRAM: &[u8] = b"program "; // of rt_supervisor/cli/run/kept_program.py
const LARGEST_ANSWER: u64 = 8 << 20; // of rt_supervisor/start/cached_start.py
const ENOUGH_DESCRIPTORS: u64 = 64;
const NO_INTERPRETER: i32 = 127;

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn main() -> libc::c_int {
    system::open_standard_streams();
    signals::act(libc::SIGPIPE, libc::SIG_IGN);
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if child_guard::run(&words) {
        return 0;
    }
    let given = words.drain(..words.len().min(1)).next().filter(|name| name != "rt");
    let called = called_path();
    let environment = system::environment();
    let (mut asking, mut program) = (None, None);
    if std::env::var_os("RT_NO_REPLAY").is_none_or(|value| value.is_empty())
        && let Some((place, question)) = question(&called, &words)
    {
        let recall = |place: &Path, question: &[u8]| answer::recall(&read_kept(place)?, question, &environment);
        let of_program = || recall_program(&place, called_as(&called), &words, &question, recall);
        let of_words = recall(&place, &question).filter(|decided| !matches!(decided, Decided::Program(_)));
        match of_words {
            None => program = of_program(),
            Some(Decided::Program(_)) => {}
            Some(Decided::One(decision)) => carry_out(|| carry_out::carry_out(&decision, &Forks::NONE)),
            Some(Decided::Several(plan)) => carry_out(|| supervise::supervise(*plan)),
        }
        asking = Some((place, question));
    }
    become_python(&called, given, &words, asking, program, &environment);
}

/// What was decided about the program that the first word names, if it names one: the words after it are the program's.
fn recall_program(
    place: &Path,
    called_as: &OsStr,
    words: &[OsString],
    question: &[u8],
    recall: impl Fn(&Path, &[u8]) -> Option<Decided>,
) -> Option<Kept> {
    let count = if called_as != "node" && words.first()? == "run" { 2 } else { 1 };
    let rest: usize = words.get(count..)?.iter().map(|word| word.len() + 1).sum();
    let of_program = [PROGRAM, &question[..question.len().checked_sub(rest)?]].concat();
    let place = place.with_file_name(name_of(&of_program));
    match recall(&place, &of_program)? {
        Decided::Program(program) => Some(Kept { program, place }),
        Decided::One(_) | Decided::Several(_) => None,
    }
}

/// What was decided about a program, and where that is kept.
struct Kept {
    program: Program,
    place: PathBuf,
}

impl Kept {
    /// A descriptor of what the native module needs to begin the program without Python; None if the program needs Python.
    fn plain(&self) -> Option<i32> {
        let changed_ns = self.program.unattached()?;
        let mut plain = Writer::default();
        plain.text(self.place.as_os_str().as_bytes()).long(changed_ns).text(&self.program.plain);
        descriptor_of("rt-plain", &plain.0)
    }
}

/// The name by which rt was called.
fn called_as(called: &OsStr) -> &OsStr {
    Path::new(called).file_name().unwrap_or_default()
}

/// Do what was decided and end as it ends; returns where nothing was done, so that Python says what is wrong.
fn carry_out(decided: impl FnOnce() -> std::io::Result<Outcome>) {
    signals::act(libc::SIGCHLD, libc::SIG_DFL); // a careless parent may have left it ignored
    signals::hold(libc::SIG_SETMASK, 0);
    match decided() {
        Ok(Outcome::Exited(code)) => std::process::exit(code),
        Ok(Outcome::Signaled(number)) => signals::die_of(number),
        Err(_) => signals::hold(libc::SIG_SETMASK, 0),
    }
}

/// The path that this program was called by, also where that is a link under another name.
fn called_path() -> OsString {
    // SAFETY: the kernel gives the address of a string that lives as long as the process, or 0.
    let text = unsafe {
        let address = libc::getauxval(libc::AT_EXECFN);
        (address != 0).then(|| CStr::from_ptr(std::ptr::with_exposed_provenance(address as usize)))
    };
    text.map_or_else(|| "rt".into(), |text| OsStr::from_bytes(text.to_bytes()).to_owned())
}

/// Where this program lies, behind all links; from the path that it was called by where there is no /proc.
fn own_path(called: &OsStr) -> Option<PathBuf> {
    std::fs::read_link("/proc/self/exe").or_else(|_| std::fs::canonicalize(called)).ok()
}

/// Where the answer to this command line is kept, and what is asked; None where nothing can be kept.
fn question(called: &OsStr, words: &[OsString]) -> Option<(PathBuf, Vec<u8>)> {
    let cache = cache_folder()?;
    let folder = std::env::current_dir().ok()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = own_path(called)?;
    // SAFETY: they only return numbers.
    let (terminals, user) = unsafe { ((libc::isatty(1), libc::isatty(2)), libc::geteuid()) };
    let limit = system::descriptor_limit().unwrap_or(u64::MAX);
    let mut question = format!("{user} {terminals:?} {limit}").into_bytes();
    for part in [own.as_os_str(), called, folder.as_os_str(), &path].into_iter().chain(words.iter().map(|word| &**word))
    {
        question.push(0);
        question.extend_from_slice(part.as_bytes());
    }
    Some((cache.join("starts").join(name_of(&question)), question))
}

fn name_of(question: &[u8]) -> String {
    format!("{:016x}", answer::checksum(question))
}

fn cache_folder() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).filter(|home| Path::new(home).is_absolute()).map(PathBuf::from);
    let home = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(home.join("rt"))
}

/// What rt's start image is kept under; None where it is not wanted, or cannot be kept.
fn image_key(own: &Path, environment: &[(Vec<u8>, Vec<u8>)]) -> Option<Key> {
    if std::env::var_os("RT_NO_IMAGE").is_some_and(|value| !value.is_empty()) {
        return None;
    }
    // SAFETY: it only returns a number.
    let user = unsafe { libc::geteuid() };
    Some(Key::new(&cache_folder()?.join("images"), own.as_os_str(), user, environment))
}

fn read_kept(place: &Path) -> Option<Vec<u8>> {
    let file = trust::open_own(place).ok()?;
    if trust::flaw(place.parent()?).is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    bytes.reserve_exact(file.metadata().ok()?.len().min(LARGEST_ANSWER) as usize + 1); // so that it is read at once
    file.take(LARGEST_ANSWER).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Execute the interpreter: with rt's start image, else with the script that stands beside this program. Tells it how rt
/// was called, by which path and under which name (`given`) where that is not `rt`, and which program it is to run, or what to keep
/// the answer and an image under.
fn become_python(
    called: &OsStr,
    given: Option<OsString>,
    words: &[OsString],
    asking: Option<(PathBuf, Vec<u8>)>,
    program: Option<Kept>,
    environment: &[(Vec<u8>, Vec<u8>)],
) -> ! {
    let own = own_path(called);
    let mut told = OsString::from("rt=");
    told.push(called);
    let mut options = vec![told];
    if let Some(given) = given {
        let mut told = OsString::from("rt-argv0=");
        told.push(given);
        options.push(told);
    }
    let question = || asking.as_ref().and_then(|(place, question)| option("rt-question", &placed(place, question)));
    if let Some(key) = own.as_deref().and_then(|own| image_key(own, environment)) {
        run_image(&key, called, words, &options, question, program);
        options.extend(option("rt-image", &placed(&key.place, &key.words)));
    }
    options.extend(question());
    let folder = own.as_deref().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
    let plain = folder.join(PLAIN);
    let beside = [folder.join("python3"), folder.join("python")];
    for interpreter in named_interpreter(&plain).into_iter().chain(beside) {
        if interpreter.is_file() {
            let _ = python(&interpreter, &options).arg(&plain).args(words).exec();
        }
    }
    let error = Command::new(&plain).args(words).exec(); // a shebang of another kind
    let _ = writeln!(std::io::stderr(), "rt: cannot start {}: {error}", plain.display());
    std::process::exit(NO_INTERPRETER)
}

/// Execute the interpreter with the image that is kept; returns where there is none.
fn run_image(
    key: &Key,
    called: &OsStr,
    words: &[OsString],
    options: &[OsString],
    question: impl Fn() -> Option<OsString>,
    program: Option<Kept>,
) {
    let Some(image) = key.recall() else { return };
    let called_as = called_as(called);
    let program = program.filter(|kept| kept.program.holds(image.checksum));
    let decided = program.as_ref().and_then(|kept| option("rt-program", &kept.program.options));
    let is_program = decided.is_some() || head_start::is_program(words, called_as, &image.extensions);
    if is_program && !head_start::is_doubtful(words) {
        let plain = program.as_ref().filter(|_| decided.is_some()).and_then(Kept::plain);
        head_start::order(&image.head_start, plain);
    }
    let options: Vec<_> = options.iter().cloned().chain(decided.or_else(question)).collect();
    let _ = python(&image.interpreter, &options).arg("-S").arg(&image.place).args(words).exec();
    head_start::withdraw();
}

/// The interpreter's command. Ctrl-C is held back until rt's own code takes it: the interpreter would show a traceback.
fn python(interpreter: &Path, options: &[OsString]) -> Command {
    let mut command = Command::new(interpreter);
    for option in options {
        command.arg("-X").arg(option);
    }
    let hold_back = || {
        signals::hold(libc::SIG_BLOCK, signals::bit(libc::SIGINT));
        Ok(())
    };
    // SAFETY: it only changes this thread's mask.
    unsafe { command.pre_exec(hold_back) };
    command
}

/// The interpreter that the first line of the script names, if it is Python itself.
fn named_interpreter(plain: &Path) -> Option<PathBuf> {
    let mut start = [0; 512];
    let count = std::fs::File::open(plain).ok()?.read(&mut start).ok()?;
    let line = start[..count].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let path = PathBuf::from(OsString::from_vec(line.trim_ascii().to_vec()));
    let name = path.file_name()?.as_bytes();
    name.starts_with(b"python").then_some(path)
}

/// What is to be kept, and where.
fn placed(place: &Path, words: &[u8]) -> Vec<u8> {
    [place.as_os_str().as_bytes(), b"\0", words].concat()
}

/// The option by which Python is told a descriptor of `bytes`, which it inherits; None where the interpreter may need each
/// descriptor that it can have.
fn option(name: &str, bytes: &[u8]) -> Option<OsString> {
    Some(format!("{name}={}", descriptor_of(name, bytes)?).into())
}

/// A descriptor of `bytes` that whoever is executed inherits; None where the interpreter may need each that it can have.
fn descriptor_of(name: &str, bytes: &[u8]) -> Option<i32> {
    if system::descriptor_limit().is_some_and(|limit| limit < ENOUGH_DESCRIPTORS) {
        return None;
    }
    let label = CString::new(name).ok()?;
    // SAFETY: makes a descriptor, which the file then owns; it is given up below and stays open for Python.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(label.as_ptr(), 0);
        if descriptor < 0 {
            return None;
        }
        std::fs::File::from_raw_fd(descriptor)
    };
    file.write_all(bytes).ok()?;
    Some(std::os::fd::IntoRawFd::into_raw_fd(file))
}
