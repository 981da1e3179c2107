//! The tracer of one process: a thread that records the calls of the process and its descendants, and writes the trace at the end.
//!
//! The thread exists before the process does, which sends it the listener of its filter (`Tap`) just before it executes its program.
use std::ffi::c_int;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::calls::Recorder;
use super::filter::{self, Filter};
use super::listener::Listener;
use crate::passing;
use crate::signals;
use crate::system;
use crate::terminal::Opened;

/// How an obstacle begins that stops every trace on this machine; `rt_supervisor/tasks/traces.py` has it as IMPOSSIBLE.
const IMPOSSIBLE: &str = "files cannot be traced: ";
const STACK_BYTES: usize = 256 * 1024;

#[derive(Default)]
struct Shared {
    recorder: Mutex<Recorder>,
    /// What the process has sent; None if it cannot be traced.
    listener: OnceLock<Option<Listener>>,
}

impl Shared {
    fn lock_recorder(&self) -> MutexGuard<'_, Recorder> {
        self.recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn obstruct(&self, words: &str) {
        self.lock_recorder().trace.obstruct(words.as_bytes());
    }

    /// Receives the listener and records calls until no process is left, or until a call cannot be received. The listener is closed
    /// then, and further calls fail.
    fn run(&self, channel: &Opened) {
        let mut errno = [0; size_of::<c_int>()];
        let received = passing::receive(channel, &mut errno);
        let listener = received.ok().and_then(|(_, descriptors)| descriptors.into_iter().next()).map(Listener::new);
        if listener.is_none() {
            let error = std::io::Error::from_raw_os_error(c_int::from_ne_bytes(errno));
            self.obstruct(&format!("{IMPOSSIBLE}{}", system::error_text(&error)));
        }
        if let Some(listener) = self.listener.get_or_init(|| listener) {
            self.serve(listener);
        }
    }

    fn serve(&self, listener: &Listener) {
        loop {
            let call = match listener.receive() {
                Ok(Some(call)) => call,
                Ok(None) => continue,
                Err(_) if listener.is_over() => return,
                Err(error) => return self.obstruct(&format!("{IMPOSSIBLE}{}", system::error_text(&error))),
            };
            {
                let mut recorder = self.lock_recorder();
                if let Err(error) = recorder.record(&call) {
                    let is_gone = error.raw_os_error() == Some(libc::ESRCH); // killed while it waited
                    if !is_gone {
                        let words = format!("a process cannot be observed: {}", system::error_text(&error));
                        recorder.trace.obstruct(words.as_bytes());
                    }
                }
            }
            if listener.let_continue(&call).is_err() {
                return self.obstruct("a call could not be continued");
            }
        }
    }
}

/// Records what a process and its descendants do with files.
pub struct Tracer {
    file: PathBuf,
    shared: Arc<Shared>,
}

/// What a process needs to be traced. It has to be kept until the process has executed its program or ended.
pub struct Tap {
    filter: Filter,
    channel: Opened,
}

impl Tracer {
    /// Creates the tracer of a process that is about to start, whose trace will be in `file`.
    pub fn new(file: &Path) -> Result<(Tracer, Tap)> {
        let _ = std::fs::remove_file(file); // of an earlier attempt at the task
        let (own, channel) = system::channel(libc::SOCK_STREAM)?;
        let shared = Arc::new(Shared::default());
        let thread = Arc::clone(&shared);
        let before = signals::block_all(); // new threads inherit the mask
        let started = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || thread.run(&own));
        signals::restore_mask(&before);
        started?;
        Ok((Tracer { file: file.to_path_buf(), shared }, Tap { filter: Filter::new(), channel }))
    }

    /// Writes the trace. The process has ended, and so have all of its descendants whose end can be noticed.
    pub fn finish(&self) {
        if self.shared.listener.wait().as_ref().is_some_and(|listener| !listener.is_over()) {
            self.shared.obstruct("a process that it started still runs");
        }
        if self.shared.recorder.is_poisoned() {
            self.shared.obstruct("the tracer has failed");
        }
        let encoded = self.shared.lock_recorder().trace.encode();
        let _ = std::fs::write(&self.file, encoded); // without a trace that has its end, the result is not stored
    }
}

impl Tap {
    /// Filters the calls of this process, and sends the listener to the tracer, or why there is none. Returns whether that was possible.
    ///
    /// # Safety
    /// For the child between `clone` and `execve`: it only makes system calls.
    pub unsafe fn install(&self) -> bool {
        let sent = match filter::install(&self.filter) {
            Ok(listener) => passing::send(&self.channel, &[0], &[listener.0], 0),
            Err(error) => passing::send(&self.channel, &error.raw_os_error().unwrap_or(0).to_ne_bytes(), &[], 0),
        };
        sent.is_ok()
    }
}
