//! The time limit of one evaluation: a thread that ends JavaScript unless it is called off before.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::api::v8;
use super::interrupt;
use super::scope::Scope;

/// A running limit; dropped, it is called off.
pub struct Watchdog {
    call_off: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    has_barked: std::sync::Arc<AtomicBool>,
}

impl Watchdog {
    /// End the JavaScript of `scope`'s engine after `limit_ms`.
    pub fn start(scope: &Scope<'_>, limit_ms: f64) -> Watchdog {
        let (call_off, called_off) = channel::<()>();
        let state = scope.state.share();
        let has_barked = std::sync::Arc::new(AtomicBool::new(false));
        let told = has_barked.clone();
        let limit = Duration::from_secs_f64(limit_ms.clamp(0.0, 1e9) / 1000.0);
        let thread = std::thread::Builder::new().name("rt-limit".into()).spawn(move || {
            if called_off.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                told.store(true, Ordering::Release);
                interrupt::terminate(&state);
            }
        });
        // Where the system gives no thread there is no limit: better than no answer.
        Watchdog { call_off: Some(call_off), thread: thread.ok(), has_barked }
    }

    /// Call the limit off; whether it was reached. Then JavaScript may go on: what was ended is only the evaluation.
    pub fn stop(mut self, scope: &Scope<'_>) -> bool {
        self.call_off();
        let is_over = self.has_barked.load(Ordering::Acquire);
        if is_over && !scope.state.inner().is_terminating.get() {
            // SAFETY: the scope proves the isolate current.
            unsafe { (v8().cancel_terminate)(scope.isolate) };
        }
        is_over
    }

    fn call_off(&mut self) {
        drop(self.call_off.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it has nothing to wait for any more
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.call_off();
    }
}
