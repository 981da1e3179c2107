//! Signals that a program listens to: caught when they arrive, delivered to JavaScript when its loop turns.
//!
//! Without a listener a signal has its default action. The handler only writes the signal's number to a pipe; a thread
//! reads it and makes the loop turn (`v8/values/signals.rs`). If the loop does not turn, the program does not receive
//! it, and a second SIGINT ends it.
use std::io::PipeWriter;
use std::os::fd::AsRawFd;
use std::rc::Rc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::PyResult;
use rustix::io::Errno;

use super::{throw, throw_last};
use crate::event_loop::{Core, Watcher};
use crate::fs::Failure;
use crate::v8::{Call, Global, HostOperation, watch_signals};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("process_watchSignal", watch_signal)];

/// The descriptor that the handler writes to.
static PIPE: AtomicI32 = AtomicI32::new(-1);
/// The caught signals: bit n stands for signal n.
static CAUGHT: AtomicU64 = AtomicU64::new(0);

extern "C" fn note(signal: i32) {
    let byte = signal as u8;
    // SAFETY: only async-signal-safe functions are called; the byte outlives the call. A full pipe already wakes the
    // reader.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(PIPE.load(Ordering::Relaxed), (&raw const byte).cast(), 1);
        *libc::__errno_location() = errno;
    }
}

/// Delivers a program's signals.
struct Watch {
    writer: PipeWriter,
    /// Signals not delivered yet. They do not keep the program alive, so they are not tasks of the loop.
    arrived: Arc<Mutex<Vec<u8>>>,
    /// The number of deliveries.
    deliveries: Arc<AtomicU64>,
    /// `emitSignal(number)` of js/node/process/signals.js.
    listener: Global,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let own = self.writer.as_raw_fd();
        if PIPE.compare_exchange(own, -1, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let caught = CAUGHT.swap(0, Ordering::Relaxed);
            signals_of(caught).for_each(|signal| rt_guardian::signals::set_action(signal, libc::SIG_DFL));
        }
    }
}

fn signals_of(mask: u64) -> impl Iterator<Item = i32> {
    (1..64).filter(move |signal| mask & 1 << signal != 0)
}

/// `process_watchSignal(number, is wanted, listener)`: calls `listener(number)` for the signal in place of its default action,
/// or stops doing so.
fn watch_signal(call: &Call<'_>) -> bool {
    let (Some(core), number) = (Core::of(&call.scope), call.integer(0) as i32) else { return false };
    if !(1..64).contains(&number) {
        return throw(call, &Failure::new(Errno::INVAL, "uv_signal_start"));
    }
    if !call.is_true(1) {
        CAUGHT.fetch_and(!(1 << number), Ordering::Relaxed);
        rt_guardian::signals::set_action(number, libc::SIG_DFL);
        return true;
    }
    if core.signals.borrow().is_none() {
        let Some(listener) = call.function(2) else { return false };
        match begin(&core, listener) {
            Ok(watch) => drop(core.signals.replace(Some(Rc::new(watch)))),
            Err(error) => {
                call.raise(error);
                return true;
            }
        }
    }
    CAUGHT.fetch_or(1 << number, Ordering::Relaxed);
    catch(number) || throw_last(call, "uv_signal_start")
}

fn begin(core: &Rc<Core>, listener: Global) -> PyResult<Watch> {
    core.waker()?;
    let (inbox, arrived) = (core.inbox.clone(), Arc::<Mutex<Vec<u8>>>::default());
    let noted = arrived.clone();
    let deliver = move |numbers: &[u8]| {
        noted.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(numbers);
        inbox.wake();
    };
    let (writer, deliveries) = watch_signals(listener.state().clone(), deliver)?;
    PIPE.store(writer.as_raw_fd(), Ordering::Relaxed);
    Ok(Watch { writer, arrived, deliveries, listener })
}

fn catch(signal: i32) -> bool {
    // SAFETY: the call reads plain data; the handler lives as long as the program.
    unsafe {
        let mut wanted: libc::sigaction = std::mem::zeroed();
        wanted.sa_sigaction = note as *const () as usize;
        wanted.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &wanted, std::ptr::null_mut()) == 0
    }
}

/// Installs the handlers again, because the interpreter's start has set some of these signals to be ignored.
pub fn reinstall_handlers() {
    signals_of(CAUGHT.load(Ordering::Relaxed)).for_each(|signal| {
        catch(signal);
    });
}

impl Watcher for Watch {
    /// Delivers the signals that have arrived, one at a time.
    fn ready(&self, _core: &Rc<Core>) -> PyResult<()> {
        let arrived = std::mem::take(&mut *self.arrived.lock().unwrap_or_else(PoisonError::into_inner));
        for number in &arrived {
            self.listener.enter(|scope, listener| {
                scope.call(listener, &[scope.number(f64::from(*number)).handle()]).map(|_| ())
            })?;
        }
        if !arrived.is_empty() {
            self.deliveries.fetch_add(1, Ordering::Release);
        }
        Ok(())
    }
}
