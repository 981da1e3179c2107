//! The command `rt`: executes the cached start of its command line if there is a valid one, and otherwise becomes Python, which
//! decides what to run and stores a start for the next time. The launcher itself makes no decisions.
//!
//! `RT_NO_START_CACHE=1` disables cached starts and start images. `rt-plain`, installed beside this program, is rt without it.
#![cfg_attr(not(test), no_main)] // the standard library's work before `main` takes as long as validating a cached start
use std::ffi::{CStr, OsStr, OsString};
use std::path::{Path, PathBuf};

use rt_guardian::zygote::Forks;
use rt_guardian::{carry_out, child_guard, signals, supervise, system, tracing};
use rt_wire::cached_start::CachedStart;
use rt_wire::debug_log;
use rt_wire::outcome::Outcome;

mod cached_program;
mod head_start;
mod image;
mod memory_file;
mod python;
mod question;

use cached_program::CachedProgram;
use question::Question;

const NO_START_CACHE: &str = "RT_NO_START_CACHE";

/// How rt was called.
pub struct Call {
    /// The path of this program as it was called, even if that is a link with another name.
    path: OsString,
    /// The first word of the command line, if it is not `rt`.
    name: Option<OsString>,
    /// The words after it.
    words: Vec<OsString>,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Call {
    fn read() -> Call {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        let name = words.drain(..words.len().min(1)).next().filter(|name| name != "rt");
        Call { path: called_path(), name, words, environment: system::environment() }
    }

    /// The name of the command: `rt`, or that of a link such as `node`.
    fn command(&self) -> &OsStr {
        Path::new(&self.path).file_name().unwrap_or_default()
    }

    /// The path of this program with links resolved; without /proc, resolved from the path it was called by.
    fn executable(&self) -> Option<PathBuf> {
        std::fs::read_link("/proc/self/exe").or_else(|_| std::fs::canonicalize(&self.path)).ok()
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
pub extern "C" fn main() -> libc::c_int {
    system::open_standard_streams();
    signals::set_action(libc::SIGPIPE, libc::SIG_IGN);
    signals::set_action(libc::SIGXFSZ, libc::SIG_IGN); // `ulimit -f`: writes of rt and its programs fail with EFBIG
    let words: Vec<OsString> = std::env::args_os().collect();
    if child_guard::run(&words) {
        return 0;
    }
    if let Some(status) = tracing::run(words) {
        return status;
    }
    let call = Call::read();
    if std::env::var_os(NO_START_CACHE).is_some_and(|value| !value.is_empty()) {
        python::run_plain(&call, None, None);
    }
    #[cfg(feature = "debug_logs")]
    print_debug_scopes(&call);
    let question = Question::of(&call);
    let mut program = None;
    if let Some(question) = &question {
        match question.load(&call.environment) {
            Some(CachedStart::Script(decision)) => {
                debug_log!(Launcher, "executes the cached start of a script");
                execute(|| carry_out::carry_out(&decision, &Forks::NONE))
            }
            Some(CachedStart::Scripts(plan)) => {
                debug_log!(Launcher, "executes the cached start of several scripts");
                execute(|| supervise::supervise(*plan))
            }
            Some(CachedStart::Program(_)) => {}
            None => program = CachedProgram::load(question, &call),
        }
        debug_log!(Launcher, "no valid cached start: becomes Python");
    }
    python::run(&call, question.as_ref(), program);
}

/// Answers `--debug-scopes`: prints the scopes of debug logs, and ends.
#[cfg(feature = "debug_logs")]
fn print_debug_scopes(call: &Call) {
    use std::io::Write;

    if call.words.iter().ne(["--debug-scopes"]) {
        return;
    }
    for (_, name, is_on, about) in rt_wire::debug_log::SCOPES {
        let quiet = if is_on { "" } else { " (off unless RT_DEBUG_<scope>=1)" };
        let _ = writeln!(std::io::stdout(), "{name:<12}{about}{quiet}");
    }
    std::process::exit(0)
}

/// Executes a cached start and ends with its outcome. Returns if it could not begin, so that Python reports why.
fn execute(start: impl FnOnce() -> std::io::Result<Outcome>) {
    signals::set_action(libc::SIGCHLD, libc::SIG_DFL); // a parent may have left it ignored
    signals::change_mask(libc::SIG_SETMASK, 0);
    match start() {
        Ok(Outcome::Exited(code)) => std::process::exit(code),
        Ok(Outcome::Signaled(number)) => signals::die_of(number),
        Err(_) => signals::change_mask(libc::SIG_SETMASK, 0),
    }
}

fn called_path() -> OsString {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: the kernel passes the address of a string that lives as long as the process, or 0.
    let text = unsafe {
        let address = libc::getauxval(libc::AT_EXECFN);
        (address != 0).then(|| CStr::from_ptr(std::ptr::with_exposed_provenance(address as usize)))
    };
    text.map_or_else(|| "rt".into(), |text| OsStr::from_bytes(text.to_bytes()).to_owned())
}
