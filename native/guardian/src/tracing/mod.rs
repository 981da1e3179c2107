//! Traces processes of tasks: records every file that a process and its descendants use.
//!
//! A seccomp filter stops the traced processes at calls that use paths (`filter`) until a thread of the guardian (`tracer`) has received
//! (`listener`) and recorded them (`calls`, `trace`). It never changes a call. The trace is written when the process has ended, so a
//! guardian that dies leaves none with an end, and the result is not stored; its processes die with it. What could not be observed is an
//! obstacle in the trace.
//!
//! An order to start a process under the tracer has the form of a command line of this launcher, which `run` carries out: for tests, and
//! for finding out whether processes can be traced.
mod calls;
mod filter;
mod listener;
mod places;
mod programs;
mod trace;
mod tracer;

use std::ffi::{OsString, c_int};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::signals;
use crate::spawn::{Extras, NO_GROUP, Order, StartError, Started};
use crate::system::{self, Reaped};
pub use tracer::{Tap, Tracer};

/// The second word of such a command line. The file of the trace and the argv of the process follow. Alone, it is a process that does
/// nothing.
const NAME: &str = "rt-file-tracer";
const FAILED: c_int = 127;
/// The signals that the traced process gets too, as a member of the same group. The launcher outlives them.
const SHARED_SIGNALS: [c_int; 13] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGXFSZ,
    libc::SIGWINCH,
];

/// Splits the argv of an order into the file of the trace, None if the process is not traced, and the argv of the process.
pub fn split(mut argv: Vec<Vec<u8>>) -> (Option<PathBuf>, Vec<Vec<u8>>) {
    if argv.len() < 4 || argv[1] != NAME.as_bytes() {
        return (None, argv);
    }
    let own = argv.split_off(3);
    (argv.pop().map(|file| PathBuf::from(OsString::from_vec(file))), own)
}

/// Traces a process if `words` are such a command line, and ends as the process does. Returns the exit status, None if they are not.
pub fn run(words: Vec<OsString>) -> Option<c_int> {
    if words.get(1).is_none_or(|name| name != NAME) {
        return None;
    }
    if words.len() < 4 {
        return Some(0);
    }
    let (file, argv) = split(words.into_iter().map(OsStringExt::into_vec).collect());
    Some(start(file, argv).map_or_else(
        |error| {
            eprintln!("rt: {}: {}", error.path.unwrap_or_default(), error.message);
            FAILED
        },
        finish,
    ))
}

fn start(trace: Option<PathBuf>, argv: Vec<Vec<u8>>) -> Result<Started, StartError> {
    let wrong = |_| crate::spawn::start_error(std::io::Error::from_raw_os_error(libc::EINVAL), None);
    let environment = system::environment().into_iter().map(|(name, value)| [name, value].join(&b'=')).collect();
    let extras = Extras { trace, ..Extras::default() };
    let streams = vec![0, 1, 2];
    let order = Order::new(argv, environment, vec![], streams, NO_GROUP, signals::ignored(), extras, None);
    let order = order.map_err(wrong)?;
    system::become_subreaper().map_err(|error| crate::spawn::start_error(error, None))?;
    order.start()
}

/// Waits for the end of the process, writes its trace, and ends as it did.
fn finish(started: Started) -> c_int {
    SHARED_SIGNALS.iter().for_each(|number| signals::set_action(*number, libc::SIG_IGN));
    let status = await_end(started.pid);
    if let Some(tracer) = started.tracer {
        tracer.finish();
    }
    end_as(status)
}

/// Waits for the end of `child`, and reaps orphans meanwhile. Returns its wait status.
fn await_end(child: libc::pid_t) -> c_int {
    let mut found = None;
    while found.is_none() {
        let mut status = 0;
        // SAFETY: the call writes to `status` only.
        match unsafe { libc::waitpid(-1, &mut status, 0) } {
            pid if pid == child => found = Some(status),
            -1 if system::errno() != libc::EINTR => found = Some(FAILED << 8),
            _ => {}
        }
    }
    while matches!(system::reap(), Reaped::Ended(..)) {}
    found.unwrap_or(FAILED << 8)
}

/// Ends as the process with this wait status did; by its signal, without another core dump.
fn end_as(status: c_int) -> c_int {
    if libc::WIFSIGNALED(status) {
        let number = libc::WTERMSIG(status);
        // SAFETY: calls that only change this process.
        unsafe {
            libc::prctl(libc::PR_SET_DUMPABLE, 0);
            signals::set_action(number, libc::SIG_DFL);
            libc::raise(number);
        }
    }
    libc::WEXITSTATUS(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_order_with_a_file_and_a_program_is_traced() {
        let words = |text: &str| text.split(' ').map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>();
        let (file, argv) = split(words("rt rt-file-tracer /t sh -c x"));
        assert_eq!((file, argv), (Some(PathBuf::from("/t")), words("sh -c x")));
        for other in ["sh -c rt-file-tracer", "rt rt-file-tracer /t", "sh"] {
            assert_eq!(split(words(other)), (None, words(other)));
        }
    }
}
