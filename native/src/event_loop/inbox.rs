//! What is to run in the loop's next turn; other threads put it there, and a byte in a pipe ends the wait.
use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use super::core::Core;
use super::times::Times;

type NativeTask = Box<dyn FnOnce(&Rc<Core>) -> PyResult<()> + Send>;

/// One thing to do in a turn, on the loop's thread.
pub enum Task {
    Python(Py<PyAny>),
    Native(NativeTask),
}

/// Shared with whoever completes things for a loop; outlives it without harm.
#[derive(Default)]
pub struct Inbox {
    tasks: Mutex<VecDeque<Task>>,
    /// The pipe's write end; negative while there is no pipe.
    waker: AtomicI32,
    /// A byte of ours is in the pipe already.
    is_woken: AtomicBool,
    /// Something has to be written out before the loop waits.
    pub wants_flush: AtomicBool,
    /// How busy the loop is.
    pub times: Times,
    /// Both ends. They close with the inbox, so that nobody writes to a number that has been used again since.
    pipe: Mutex<Option<(OwnedFd, OwnedFd)>>,
}

impl Inbox {
    pub fn new() -> Inbox {
        Inbox { waker: AtomicI32::new(-1), ..Inbox::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Task>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Have `task` run in the next turn; from the loop's own thread.
    pub fn push(&self, task: Task) {
        self.lock().push_back(task);
    }

    /// The same from any thread, once the loop's `waker` was asked for.
    pub fn send(&self, task: Task) {
        self.lock().push_back(task);
        self.wake();
    }

    pub fn wake(&self) {
        let waker = self.waker.load(Ordering::Acquire);
        if waker >= 0 && !self.is_woken.swap(true, Ordering::AcqRel) {
            // A full pipe wakes the loop, too.
            let _ = rustix::io::write(super::poller::borrowed(waker), &[0]);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub fn take(&self) -> VecDeque<Task> {
        std::mem::take(&mut *self.lock())
    }

    /// The pipe's two ends, made at the first call: (what the loop reads, what wakes it).
    pub fn pipe(&self) -> rustix::io::Result<(i32, i32)> {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if pipe.is_none() {
            use rustix::pipe::PipeFlags;
            *pipe = Some(rustix::pipe::pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC)?);
        }
        let (read, write) = pipe.as_ref().expect("made above");
        self.waker.store(write.as_raw_fd(), Ordering::Release);
        Ok((read.as_raw_fd(), write.as_raw_fd()))
    }

    /// Empty the pipe.
    pub fn drain(&self, descriptor: i32) {
        let mut bytes = [0u8; 4096];
        let _ = rustix::io::read(super::poller::borrowed(descriptor), &mut bytes);
        // After reading: a byte written from here on is for the next wait.
        self.is_woken.store(false, Ordering::Release);
    }
}
