//! Starts several processes at once, on a few threads that each wait until one program has been executed.
//!
//! `clone(CLONE_VFORK)` suspends its caller until the child has executed, which is most of the cost of a start on a busy
//! machine. The threads live as long as the guardian, because the parent-death signal of a script depends on the thread that
//! started it.
use std::collections::VecDeque;
use std::ffi::c_int;
use std::io::Error;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use crate::signals;
use crate::spawn::{Order, StartError, Started};
use crate::system;
use crate::terminal::Opened;

const STACK_BYTES: usize = 256 * 1024;

pub type Result = std::result::Result<Started, StartError>;

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
    fn lock_work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn serve(&self) {
        loop {
            let mut work = self.lock_work();
            let (key, order) = loop {
                match work.orders.pop_front() {
                    Some(next) => break next,
                    None => work = self.changed.wait(work).unwrap_or_else(|poisoned| poisoned.into_inner()),
                }
            };
            drop(work);
            let result = order.start();
            let mut work = self.lock_work();
            work.results.push((key, result));
            work.outstanding -= 1;
            drop(work);
            self.changed.notify_all();
            let _ = system::write(self.event.0, &1u64.to_ne_bytes()); // an eventfd takes every increment
        }
    }
}

/// A pool of threads that start processes. The threads never end.
pub struct Starter(Arc<Shared>);

impl Starter {
    /// Returns an error if not even one thread can be created.
    pub fn new(threads: usize) -> std::io::Result<Starter> {
        // SAFETY: the call only creates a descriptor.
        let event = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if event < 0 {
            return Err(Error::last_os_error());
        }
        let shared = Arc::new(Shared { work: Mutex::default(), changed: Condvar::new(), event: Opened(event) });
        let before = signals::block_all(); // new threads inherit the mask, so signals reach the thread that waits for them
        let start = |_| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || shared.serve())
        };
        let mut started = (0..threads).map(start);
        let first = started.next().unwrap_or_else(|| Err(Error::from_raw_os_error(libc::EINVAL)));
        let _ = started.take_while(std::io::Result::is_ok).count();
        signals::restore_mask(&before);
        first.map(|_| Starter(shared))
    }

    /// Becomes readable when `take` has results.
    pub fn descriptor(&self) -> c_int {
        self.0.event.0
    }

    pub fn submit(&self, key: u32, order: Order) {
        let mut work = self.0.lock_work();
        work.orders.push_back((key, order));
        work.outstanding += 1;
        drop(work);
        self.0.changed.notify_one();
    }

    /// The results since the last call.
    pub fn take(&self) -> Vec<(u32, Result)> {
        let mut count = [0; 8];
        self.0.event.read(&mut count);
        std::mem::take(&mut self.0.lock_work().results)
    }

    /// Waits until at most `at_most` orders are outstanding.
    pub fn settle(&self, at_most: usize) {
        let mut work = self.0.lock_work();
        while work.outstanding > at_most {
            work = self.0.changed.wait(work).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}
