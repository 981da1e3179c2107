//! Signals that a program listens to, on their way to its loop (`system/signals.rs` has the handler).
//!
//! The handler writes each signal's number to a pipe, on whatever thread it arrives. A thread reads the other end and
//! makes the loop turn. A signal handler never calls V8.
//!
//! A program that listens to SIGINT may never receive it, because it computes without end or waits inside a call. If a
//! second SIGINT arrives before the first was delivered, this thread ends the process after a short delay, in which the
//! loop may still turn (wrappers sometimes forward the terminal's signal a second time).
use std::io::{PipeReader, PipeWriter, Read};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::interrupt;
use super::state::State;

/// How long a second SIGINT waits for the delivery of the first.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// Calls `deliver` with the signal numbers written to the returned pipe, on a thread that ends when the pipe is closed. The
/// counter counts deliveries to the program.
pub fn watch_signals(
    state: Arc<State>,
    deliver: impl Fn(&[u8]) + Send + 'static,
) -> std::io::Result<(PipeWriter, Arc<AtomicU64>)> {
    let (reader, writer) = std::io::pipe()?;
    set_nonblocking(&writer)?;
    let deliveries = Arc::<AtomicU64>::default();
    let seen = deliveries.clone();
    let watch = move || watch(reader, &state, &deliver, &seen);
    // The thread blocks all signals: a signal delivered to it would not interrupt a blocking call of the main thread.
    with_signals_blocked(|| std::thread::Builder::new().name("signals".to_owned()).stack_size(64 * 1024).spawn(watch))?;
    Ok((writer, deliveries))
}

fn watch(mut reader: PipeReader, state: &Arc<State>, deliver: &dyn Fn(&[u8]), deliveries: &AtomicU64) {
    let mut bytes = [0u8; 64];
    let mut impatience = Impatience::default();
    loop {
        let now = deliveries.load(Ordering::Acquire);
        if let Some(end) = impatience.end {
            let remaining = end.saturating_duration_since(Instant::now());
            if impatience.since != Some(now) {
                impatience = Impatience::default();
                continue;
            }
            if !is_readable_within(&reader, remaining) {
                if deliveries.load(Ordering::Acquire) == now {
                    end_by_interrupt();
                }
                continue;
            }
        }
        match reader.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => {
                let interrupts = bytes[..count].iter().filter(|byte| i32::from(**byte) == libc::SIGINT).count();
                if interrupts > 0 && breaks::end(state) {
                    interrupt::terminate(state);
                } else {
                    (0..interrupts).for_each(|_| impatience.note(now));
                }
                deliver(&bytes[..count]);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Evaluations that a SIGINT ends (`breakOnSigint`); while one runs, the program is not notified.
pub mod breaks {
    use std::sync::atomic::Ordering;

    use super::State;

    const NOBODY: u8 = 0;
    const RUNS: u8 = 1;
    const ENDED: u8 = 2;

    /// Begins an evaluation; returns the previous state for `restore`.
    pub fn begin(state: &State) -> u8 {
        state.breaks.swap(RUNS, Ordering::AcqRel)
    }

    /// Handles a SIGINT; returns whether it ends an evaluation.
    pub fn end(state: &State) -> bool {
        state.breaks.compare_exchange(RUNS, ENDED, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Ends an evaluation; returns whether a SIGINT ended it. `before` is the result of `begin`.
    pub fn restore(state: &State, before: u8) -> bool {
        debug_assert!(before == NOBODY || before == RUNS || before == ENDED);
        state.breaks.swap(before, Ordering::AcqRel) == ENDED
    }
}

/// The SIGINTs not yet delivered to the program.
#[derive(Default)]
struct Impatience {
    /// The delivery count when the first of them arrived.
    since: Option<u64>,
    /// When the second one has waited long enough.
    end: Option<Instant>,
}

impl Impatience {
    fn note(&mut self, deliveries: u64) {
        if self.since == Some(deliveries) {
            self.end.get_or_insert_with(|| Instant::now() + LAST_MOMENT);
        } else {
            *self = Impatience { since: Some(deliveries), end: None };
        }
    }
}

fn is_readable_within(reader: &PipeReader, time: Duration) -> bool {
    let mut entry = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let ms = i32::try_from(time.as_millis()).unwrap_or(i32::MAX).saturating_add(1);
    // SAFETY: the array has one entry, which outlives the call.
    unsafe { libc::poll(&mut entry, 1, ms) > 0 }
}

/// Ends this process as an unhandled SIGINT does, whatever its main thread is doing.
fn end_by_interrupt() {
    // SAFETY: the calls take numbers only; the default action takes no function.
    unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL);
        libc::kill(libc::getpid(), libc::SIGINT);
    }
}

/// Makes the pipe non-blocking, because a signal handler must not wait.
fn set_nonblocking(writer: &PipeWriter) -> std::io::Result<()> {
    // SAFETY: the descriptor is open.
    let result = unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Calls `work` with all signals blocked, so that threads it starts block them permanently.
pub fn with_signals_blocked<R>(work: impl FnOnce() -> R) -> R {
    // SAFETY: the sets are initialised before use, and the old mask is restored.
    unsafe {
        let (mut all, mut old) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        let result = work();
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, std::ptr::null_mut());
        result
    }
}
