//! Starting several processes at once: a few threads that each wait for one program to be executed.
//!
//! `clone(CLONE_VFORK)` suspends its caller until the child has executed, which on a busy machine is most of the cost of a
//! start. The threads live as long as the guardian, because a script's parent-death signal belongs to the thread that
//! started it.
use std::collections::VecDeque;
use std::ffi::c_int;
use std::io::Error;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use crate::signals;
use crate::spawn::{Order, Refusal, Started};
use crate::terminal::Opened;

const STACK_BYTES: usize = 256 * 1024;

pub type Result = std::result::Result<Started, Refusal>;

#[derive(Default)]
struct Work {
    orders: VecDeque<(u32, Order)>,
    results: Vec<(u32, Result)>,
    outstanding: usize,
}

struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
    event: Opened,
}

impl Shared {
    fn locked(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn serve(&self) {
        loop {
            let mut work = self.locked();
            let (key, order) = loop {
                match work.orders.pop_front() {
                    Some(next) => break next,
                    None => work = self.changed.wait(work).unwrap_or_else(|poisoned| poisoned.into_inner()),
                }
            };
            drop(work);
            let result = order.start();
            let mut work = self.locked();
            work.results.push((key, result));
            work.outstanding -= 1;
            drop(work);
            self.changed.notify_all();
            let one = 1u64.to_ne_bytes();
            // SAFETY: writes eight bytes that live to an eventfd that is never closed.
            unsafe { libc::write(self.event.0, one.as_ptr().cast(), one.len()) };
        }
    }
}

/// The threads; they are never ended.
pub struct Starter(Arc<Shared>);

impl Starter {
    /// Fails where not even one thread can be had.
    pub fn new(threads: usize) -> std::io::Result<Starter> {
        // SAFETY: creates a descriptor, nothing else.
        let event = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if event < 0 {
            return Err(Error::last_os_error());
        }
        let shared = Arc::new(Shared { work: Mutex::default(), changed: Condvar::new(), event: Opened(event) });
        let before = signals::hold_all(); // so that signals are left to the thread that waits for them
        let start = |_| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || shared.serve())
        };
        let mut started = (0..threads).map(start);
        let first = started.next().unwrap_or_else(|| Err(Error::from_raw_os_error(libc::EINVAL)));
        let _ = started.take_while(std::io::Result::is_ok).count();
        signals::put_back(&before);
        first.map(|_| Starter(shared))
    }

    /// Readable when `take` has something.
    pub fn descriptor(&self) -> c_int {
        self.0.event.0
    }

    pub fn submit(&self, key: u32, order: Order) {
        let mut work = self.0.locked();
        work.orders.push_back((key, order));
        work.outstanding += 1;
        drop(work);
        self.0.changed.notify_one();
    }

    /// What has come of the orders since.
    pub fn take(&self) -> Vec<(u32, Result)> {
        let mut count = [0; 8];
        self.0.event.read(&mut count);
        std::mem::take(&mut self.0.locked().results)
    }

    /// Wait until at most so many orders are not carried out.
    pub fn settle(&self, at_most: usize) {
        let mut work = self.0.locked();
        while work.outstanding > at_most {
            work = self.0.changed.wait(work).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}
