//! The time limit of one evaluation: a thread that terminates JavaScript unless it is cancelled first; a timer if no
//! thread is available.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::timer::Timer;
use crate::v8::api::v8;
use crate::v8::values::interrupt;
use crate::v8::values::scope::Scope;

/// A running limit; dropping it cancels it.
pub enum Watchdog {
    Thread {
        call_off: Option<Sender<()>>,
        thread: Option<JoinHandle<()>>,
        has_barked: Arc<AtomicBool>,
    },
    Timer(Timer),
    /// Neither is available, so the evaluation runs without a limit.
    None,
}

impl Watchdog {
    /// Terminates the JavaScript of `scope`'s engine after `limit_ms`.
    pub fn start(scope: &Scope<'_>, limit_ms: f64) -> Watchdog {
        let limit = Duration::from_secs_f64(limit_ms.clamp(0.0, 1e9) / 1000.0);
        let (call_off, called_off) = channel::<()>();
        let state = scope.state.share();
        let has_barked = Arc::new(AtomicBool::new(false));
        let flag = has_barked.clone();
        let thread = std::thread::Builder::new().name("rt-limit".into()).spawn(move || {
            if called_off.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Release);
                interrupt::terminate(&state);
            }
        });
        match thread {
            Ok(thread) => Watchdog::Thread { call_off: Some(call_off), thread: Some(thread), has_barked },
            Err(_) => Timer::start(scope.isolate, limit).map_or(Watchdog::None, Watchdog::Timer),
        }
    }

    /// Cancels the limit; returns whether it was reached. JavaScript may then continue, as only the evaluation was
    /// ended.
    pub fn stop(mut self, scope: &Scope<'_>) -> bool {
        self.call_off();
        let is_over = match &self {
            Watchdog::Thread { has_barked, .. } => has_barked.load(Ordering::Acquire),
            Watchdog::Timer(timer) => timer.has_rung(),
            Watchdog::None => false,
        };
        if is_over && !scope.state.inner().is_terminating.get() {
            // SAFETY: the scope proves the isolate current.
            unsafe { (v8().cancel_terminate)(scope.isolate) };
        }
        is_over
    }

    fn call_off(&mut self) {
        match self {
            Watchdog::Thread { call_off, thread, .. } => {
                drop(call_off.take());
                if let Some(thread) = thread.take() {
                    let _ = thread.join(); // the thread ends at once, as its channel is closed
                }
            }
            Watchdog::Timer(timer) => timer.stop(),
            Watchdog::None => {}
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.call_off();
    }
}
