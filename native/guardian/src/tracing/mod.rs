//! The tracer of one process of a task: starts it, and records every file that it and its descendants use.
//!
//! The tracer is this launcher, started under another name as the process of the step. A seccomp filter stops the traced processes at
//! calls that use paths (`filter`) until the tracer has received (`listener`) and recorded them (`calls`, `trace`). It never changes
//! a call. The trace is written when the process has ended, so a tracer that dies leaves none, and the result is not stored; its
//! process dies with it, and calls of others fail. What could not be observed is an obstacle in the trace.
mod calls;
mod filter;
mod listener;
mod places;
mod programs;
mod trace;

use std::ffi::{CString, OsString, c_int};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::passing;
use crate::signals;
use crate::system::{self, Reaped};
use crate::terminal::Opened;
use calls::Recorder;
use listener::Listener;

/// The first word of the tracer's command line. The file of the trace and the argv of the process follow. Alone, it is a process that does
/// nothing, for finding out whether processes can be traced.
pub const NAME: &str = "rt-file-tracer";
const FAILED: c_int = 127;
/// The signals that the traced process gets too, as a member of the same group. The tracer outlives them.
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

/// How an obstacle begins that stops every trace on this machine; `rt_supervisor/tasks/traces.py` has it as IMPOSSIBLE.
const IMPOSSIBLE: &str = "files cannot be traced: ";

/// Traces a process if `words` are the tracer's command line, and ends as the process does. Returns the exit status, None if they are
/// not.
pub fn run(words: Vec<OsString>) -> Option<c_int> {
    if words.get(1).is_none_or(|name| name != NAME) {
        return None;
    }
    let [_, _, file, argv @ ..] = &words[..] else { return Some(0) };
    if argv.is_empty() {
        return None;
    }
    let argv: Vec<CString> = argv.iter().filter_map(|word| CString::new(word.clone().into_vec()).ok()).collect();
    Some(trace(Path::new(file), &argv))
}

fn trace(file: &Path, argv: &[CString]) -> c_int {
    let _ = std::fs::remove_file(file); // of an earlier attempt at the task
    let (Ok((own, other)), Ok(())) = (system::channel(libc::SOCK_STREAM), system::become_subreaper()) else {
        return FAILED;
    };
    // SAFETY: this process has one thread, so its copy may do everything.
    let child = unsafe { libc::fork() };
    match child {
        -1 => return FAILED,
        0 => {
            drop(own);
            execute(&other, argv)
        }
        _ => drop(other),
    }
    SHARED_SIGNALS.iter().for_each(|number| signals::set_action(*number, libc::SIG_IGN));
    let recorder = Arc::new(Mutex::new(Recorder::default()));
    let mut words = [0; 256];
    match passing::receive(&own, &mut words) {
        Ok((_, descriptors)) if !descriptors.is_empty() => {
            let recorder = Arc::clone(&recorder);
            let listener = descriptors.into_iter().next().map(Listener::new);
            std::thread::spawn(move || listener.map(|listener| serve(&listener, &recorder)));
        }
        other => {
            let count = other.map_or(0, |(count, _)| count);
            let reason = [IMPOSSIBLE.as_bytes(), &words[..count]].concat();
            lock(&recorder).trace.obstruct(&reason);
        }
    }
    let status = await_end(child);
    if system::has_children() {
        lock(&recorder).trace.obstruct(b"a process that it started still runs");
    }
    if recorder.is_poisoned() {
        lock(&recorder).trace.obstruct(b"the tracer has failed");
    }
    let encoded = lock(&recorder).trace.encode();
    let draft = file.with_extension("new");
    if std::fs::write(&draft, encoded).is_ok() {
        let _ = std::fs::rename(&draft, file); // without a trace, the result is not stored
    }
    end_as(status)
}

fn lock(recorder: &Mutex<Recorder>) -> std::sync::MutexGuard<'_, Recorder> {
    recorder.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The child: filters its calls, passes on the listener or why there is none, and executes the program.
fn execute(channel: &Opened, argv: &[CString]) -> ! {
    // SAFETY: system calls on values that outlive them. A parent that has ended is noticed by the check after the call.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        signals::set_action(libc::SIGPIPE, libc::SIG_DFL);
        let sent = match filter::install() {
            Ok(listener) => passing::send(channel, b"+", &[listener.0], 0),
            Err(error) => passing::send(channel, system::error_text(&error).as_bytes(), &[], 0),
        };
        if sent.is_err() {
            libc::_exit(FAILED);
        }
        let mut pointers: Vec<_> = argv.iter().map(|word| word.as_ptr()).collect();
        pointers.push(std::ptr::null());
        libc::execv(pointers[0], pointers.as_ptr());
        let error = std::io::Error::last_os_error();
        eprintln!("rt: {}: {}", argv[0].to_string_lossy(), system::error_text(&error));
        libc::_exit(FAILED)
    }
}

/// Records calls until the tracer ends, or until one cannot be received. The listener is closed then, and further calls fail.
fn serve(listener: &Listener, recorder: &Mutex<Recorder>) {
    loop {
        let call = match listener.receive() {
            Ok(Some(call)) => call,
            Ok(None) => continue,
            Err(_) if listener.is_over() => return,
            Err(error) => {
                let words = format!("{IMPOSSIBLE}{}", system::error_text(&error));
                return lock(recorder).trace.obstruct(words.as_bytes());
            }
        };
        {
            let mut recorder = lock(recorder);
            if let Err(error) = recorder.record(&call) {
                let is_gone = error.raw_os_error() == Some(libc::ESRCH); // killed while it waited
                if !is_gone {
                    let words = format!("a process cannot be observed: {}", system::error_text(&error));
                    recorder.trace.obstruct(words.as_bytes());
                }
            }
        }
        if listener.let_continue(&call).is_err() {
            return lock(recorder).trace.obstruct(b"a call could not be continued");
        }
    }
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
