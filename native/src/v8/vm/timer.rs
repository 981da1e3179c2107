//! A time limit without a thread, for systems that allow no further threads: a kernel timer whose signal terminates
//! JavaScript.
//!
//! Elsewhere a thread calls V8, never a signal handler. Here the handler itself calls V8's termination, which sets a
//! flag under locks that V8 holds for a few instructions at a time. A signal that arrives in between blocks this
//! process, which would have run without a limit otherwise.
use std::ffi::{c_int, c_void};
use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::v8::api::{Isolate, v8};

/// The data of the handler, which stays in place while the timer may fire.
struct Target {
    isolate: Isolate,
    has_rung: AtomicBool,
}

/// A timer that fires on the isolate's thread; dropping it cancels it.
pub struct Timer {
    id: libc::timer_t,
    target: Box<Target>,
    is_stopped: bool,
}

/// The last real-time signal; programs use the first ones.
fn number() -> c_int {
    libc::SIGRTMAX()
}

impl Timer {
    /// Terminates the JavaScript of `isolate`, which is current on this thread, after `limit`. `None` if there is no
    /// timer.
    pub fn start(isolate: Isolate, limit: Duration) -> Option<Timer> {
        let target = Box::new(Target { isolate, has_rung: AtomicBool::new(false) });
        // SAFETY: the calls read or fill plain structures. The handler lives as long as the program, and its target
        // until the timer is deleted and none of its signals is pending (`stop`).
        unsafe {
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = ring as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            let mut event: libc::sigevent = zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = number();
            event.sigev_notify_thread_id = libc::gettid();
            event.sigev_value.sival_ptr = (&raw const *target).cast_mut().cast();
            let mut id: libc::timer_t = null_mut();
            let is_ready = libc::sigaction(number(), &action, null_mut()) == 0
                && libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut id) == 0;
            if !is_ready {
                return None;
            }
            let timer = Timer { id, target, is_stopped: false };
            let mut time: libc::itimerspec = zeroed();
            time.it_value.tv_sec = limit.as_secs() as libc::time_t;
            time.it_value.tv_nsec = libc::c_long::from(limit.subsec_nanos()).max(1); // zero would disarm the timer
            (libc::timer_settime(timer.id, 0, &time, null_mut()) == 0).then_some(timer)
        }
    }

    pub fn has_rung(&self) -> bool {
        self.target.has_rung.load(Ordering::Acquire)
    }

    /// Stops the timer. A pending signal is consumed here, so that none arrives later; if it belongs to another timer,
    /// that timer fires now.
    pub fn stop(&mut self) {
        if std::mem::replace(&mut self.is_stopped, true) {
            return;
        }
        // SAFETY: this object owns the timer; the sets are initialised before use, and the old mask is restored.
        unsafe {
            let (mut one, mut old) = (zeroed(), zeroed());
            libc::sigemptyset(&mut one);
            libc::sigaddset(&mut one, number());
            libc::pthread_sigmask(libc::SIG_BLOCK, &one, &mut old);
            libc::timer_delete(self.id);
            let (mut about, at_once): (libc::siginfo_t, libc::timespec) = (zeroed(), zeroed());
            while libc::sigtimedwait(&one, &mut about, &at_once) == number() {
                ring(number(), &mut about, null_mut());
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &old, null_mut());
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The signal handler. Only timers of this process carry a target; signals from elsewhere are ignored.
extern "C" fn ring(_signal: c_int, about: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: the kernel passes a live `siginfo_t`. For a timer, the value is a live target (see `stop`) whose isolate
    // belongs to this thread.
    unsafe {
        if (*about).si_code != libc::SI_TIMER {
            return;
        }
        let target = (*about).si_value().sival_ptr.cast_const().cast::<Target>();
        if !target.is_null() {
            (*target).has_rung.store(true, Ordering::Release);
            (v8().terminate)((*target).isolate);
        }
    }
}
