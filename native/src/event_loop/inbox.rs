//! Tasks for the loop's next turn. Other threads add them, and a byte in a pipe ends the wait.
use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use super::core::Core;
use super::times::Times;

type NativeTask = Box<dyn FnOnce(&Rc<Core>) -> PyResult<()> + Send>;

/// A task for the loop's thread.
pub enum Task {
    Python(Py<PyAny>),
    Native(NativeTask),
}

/// Shared with everything that completes work for a loop; it may outlive the loop.
#[derive(Default)]
pub struct Inbox {
    tasks: Mutex<VecDeque<Task>>,
    /// The pipe's write end; negative if there is no pipe.
    waker: AtomicI32,
    /// Whether the pipe already holds a byte.
    is_woken: AtomicBool,
    /// Whether output must be written before the loop waits.
    pub wants_flush: AtomicBool,
    /// The loop's utilization.
    pub times: Times,
    /// Both ends. They close with the inbox, so that no byte goes to a reused descriptor number.
    pipe: Mutex<Option<(OwnedFd, OwnedFd)>>,
}

impl Inbox {
    pub fn new() -> Inbox {
        Inbox { waker: AtomicI32::new(-1), ..Inbox::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Task>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `task` in the next turn; for the loop's own thread.
    pub fn push(&self, task: Task) {
        self.lock().push_back(task);
    }

    /// The same for any thread, once `waker` was called.
    pub fn send(&self, task: Task) {
        self.lock().push_back(task);
        self.wake();
    }

    pub fn wake(&self) {
        let waker = self.waker.load(Ordering::Acquire);
        if waker >= 0 && !self.is_woken.swap(true, Ordering::AcqRel) {
            // A full pipe wakes the loop as well.
            let _ = rustix::io::write(super::poller::borrowed(waker), &[0]);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub fn take(&self) -> VecDeque<Task> {
        std::mem::take(&mut *self.lock())
    }

    /// The pipe's ends (read, write), created on first use.
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
        // Cleared after reading, so a byte written from here on wakes the next wait.
        self.is_woken.store(false, Ordering::Release);
    }
}
