//! Starting several scripts at once: a few threads that each wait for one program to be executed.
//!
//! `clone(CLONE_VFORK)` suspends its caller until the child has executed, which on a busy machine is most of the cost of a
//! start. The threads live as long as the guardian, because a script's parent-death signal belongs to the thread that
//! started it; they touch no Python object.
use crate::processes::spawn::value_error;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rt_start::pending::Witness;
use rt_start::spawn::{Extras, Order, Refusal, Started, c_strings};
use std::collections::VecDeque;
use std::ffi::c_int;
use std::io::Error;
use std::sync::{Arc, Condvar, Mutex};

type Answer = (u64, Result<Started, Refusal>);
type Row = (u64, libc::pid_t, u64, c_int, String, Option<String>);

#[derive(Default)]
struct Work {
    orders: VecDeque<(u64, Order)>,
    answers: Vec<Answer>,
    outstanding: usize,
}

struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
    event: c_int,
}

impl Shared {
    fn locked(&self) -> std::sync::MutexGuard<'_, Work> {
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
            let answer = order.start();
            let mut work = self.locked();
            work.answers.push((key, answer));
            work.outstanding -= 1;
            drop(work);
            self.changed.notify_all();
            let one = 1u64.to_ne_bytes();
            // SAFETY: writes eight bytes that live to an eventfd that is never closed.
            unsafe { libc::write(self.event, one.as_ptr().cast(), one.len()) };
        }
    }
}

/// A pool that starts processes; see `_native.pyi`.
#[pyclass(frozen)]
struct Spawner {
    shared: Arc<Shared>,
}

#[pymethods]
impl Spawner {
    #[new]
    fn new(threads: usize) -> PyResult<Spawner> {
        // SAFETY: creates a descriptor, nothing else.
        let event = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if event < 0 {
            return Err(PyOSError::new_err(Error::last_os_error()));
        }
        let shared = Arc::new(Shared { work: Mutex::default(), changed: Condvar::new(), event });
        let started = with_signals_blocked(|| {
            (0..threads)
                .map(|_| {
                    let shared = Arc::clone(&shared);
                    std::thread::Builder::new().stack_size(256 * 1024).spawn(move || shared.serve())
                })
                .take_while(Result::is_ok)
                .count()
        });
        if started == 0 && threads > 0 {
            // SAFETY: closes the descriptor made above, which nobody else has seen.
            unsafe { libc::close(event) };
            return Err(PyOSError::new_err((libc::EAGAIN, "cannot start a thread")));
        }
        Ok(Spawner { shared })
    }

    fn fileno(&self) -> c_int {
        self.shared.event
    }

    #[allow(clippy::too_many_arguments)] // one flat call across the border
    fn submit(
        &self,
        key: u64,
        argv: Vec<Vec<u8>>,
        direct: Vec<Vec<u8>>,
        environment: Vec<Vec<u8>>,
        folder: Vec<u8>,
        descriptors: [c_int; 3],
        group: c_int,
        ignored: u64,
        witness: Option<(libc::pid_t, u64)>,
    ) -> PyResult<()> {
        let witness = witness.map(|(pid, watched)| Witness::new(pid, watched));
        let extras = Extras { direct: c_strings(direct).map_err(value_error)?, ..Extras::default() };
        let order = Order::new(argv, environment, folder, descriptors.into(), group, ignored, extras, witness)
            .map_err(value_error)?;
        let mut work = self.shared.locked();
        work.orders.push_back((key, order));
        work.outstanding += 1;
        drop(work);
        self.shared.changed.notify_one();
        Ok(())
    }

    fn take(&self) -> Vec<Row> {
        let mut count = [0u8; 8];
        // SAFETY: reads at most eight bytes into a live buffer; the descriptor does not block.
        unsafe { libc::read(self.shared.event, count.as_mut_ptr().cast(), count.len()) };
        let answers = std::mem::take(&mut self.shared.locked().answers);
        let row = |(key, answer): Answer| match answer {
            Ok(started) => (key, started.pid, started.raised, 0, String::new(), None),
            Err(refused) => (key, 0, 0, refused.errno, refused.words, refused.path),
        };
        answers.into_iter().map(row).collect()
    }

    fn settle(&self, py: Python<'_>, at_most: usize) {
        py.detach(|| {
            let mut work = self.shared.locked();
            while work.outstanding > at_most {
                work = self.shared.changed.wait(work).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
        });
    }
}

/// Run `body` with every signal blocked, so that threads it starts leave all signals to the main thread.
fn with_signals_blocked<T>(body: impl FnOnce() -> T) -> T {
    // SAFETY: the sets are plain data, initialised by the calls before they are read.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let result = body();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        result
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Spawner>()
}
