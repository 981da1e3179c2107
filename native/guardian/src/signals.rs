//! Signals of this process: which were ignored when it started, a queue of those it holds back, and dying of one.
use std::ffi::c_int;
use std::mem::{size_of, zeroed};
use std::ptr::null_mut;

use crate::terminal::Opened;
use crate::tree::Pid;

/// Bit n stands for signal n.
pub type Mask = u64;

const FIRST_REAL_TIME: c_int = 32;
const AT_ONCE: usize = 16;

pub fn bit(signal: c_int) -> Mask {
    1 << signal
}

/// Those of HUP, INT, QUIT and TERM that this process was started with ignored (`nohup`, `&` in a script).
pub fn ignored() -> Mask {
    let looked_at = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];
    looked_at.into_iter().filter(|signal| is_ignored(*signal)).map(bit).sum()
}

fn is_ignored(signal: c_int) -> bool {
    // SAFETY: the structure is plain, and only written to.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Have this process ignore a signal, or do what it does by default.
pub fn act(signal: c_int, action: libc::sighandler_t) {
    // SAFETY: no handler is set, only one of the two fixed actions.
    unsafe { libc::signal(signal, action) };
}

/// Block signals (SIG_BLOCK), unblock them (SIG_UNBLOCK), or block these and no others (SIG_SETMASK).
pub fn hold(how: c_int, signals: Mask) {
    // SAFETY: the set lives through the call.
    unsafe { libc::pthread_sigmask(how, &set_of(signals), null_mut()) };
}

/// Block every signal; the mask that was set before.
pub fn hold_all() -> libc::sigset_t {
    // SAFETY: the sets are plain data that the calls fill.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (zeroed(), zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        before
    }
}

/// Set the mask again that `hold_all` returned.
pub fn put_back(before: &libc::sigset_t) {
    // SAFETY: the set lives through the call.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, null_mut()) };
}

/// All standard signals.
pub fn all() -> Mask {
    (1..FIRST_REAL_TIME).map(bit).sum()
}

fn set_of(signals: Mask) -> libc::sigset_t {
    // SAFETY: the set is plain data that the first call fills.
    unsafe {
        let mut set: libc::sigset_t = zeroed();
        libc::sigemptyset(&mut set);
        for signal in (1..64).filter(|signal| signals & bit(*signal) != 0) {
            libc::sigaddset(&mut set, signal);
        }
        set
    }
}

/// A signalfd: blocked signals are read from it one by one, each with its sender.
pub struct Queue {
    descriptor: Opened,
}

impl Queue {
    /// Block the signals of the mask, and queue them here from now on.
    pub fn new(signals: Mask) -> std::io::Result<Queue> {
        hold(libc::SIG_BLOCK, signals);
        // SAFETY: makes a descriptor or fails; the set lives through the call.
        let descriptor = unsafe { libc::signalfd(-1, &set_of(signals), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        if descriptor < 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok(Queue { descriptor: Opened(descriptor) })
    }

    /// Readable when a signal waits.
    pub fn descriptor(&self) -> c_int {
        self.descriptor.0
    }

    /// What has arrived: the number, and whether a process sent it rather than the terminal or the kernel.
    pub fn take(&self) -> Vec<(c_int, bool)> {
        self.take_with_senders().into_iter().map(|(number, sender)| (number, sender.is_some())).collect()
    }

    /// What has arrived: the number, and the process that sent it, if one did.
    pub fn take_with_senders(&self) -> Vec<(c_int, Option<Pid>)> {
        const RECORD: usize = size_of::<libc::signalfd_siginfo>();
        let mut buffer = [0u8; RECORD * AT_ONCE];
        let count = self.descriptor.read(&mut buffer) / RECORD;
        let number = |record: &[u8], at: usize| {
            record.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_ne_bytes)
        };
        // ssi_signo is the first field, ssi_code the third, ssi_pid the fourth
        let sender = |record: &[u8]| (number(record, 8) <= 0).then(|| number(record, 12));
        buffer.chunks_exact(RECORD).take(count).map(|record| (number(record, 0), sender(record))).collect()
    }
}

/// End this process by a signal, so that its parent sees how it ended; by status 128+n where that is not possible.
pub fn die_of(signal: c_int) -> ! {
    // SAFETY: plain system calls; the structure lives through both of them. The script has left its own core file where
    // that is wanted; one of rt itself would replace it.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        hold(libc::SIG_UNBLOCK, bit(signal));
        let mut limit: libc::rlimit = zeroed();
        libc::getrlimit(libc::RLIMIT_CORE, &mut limit);
        limit.rlim_cur = 0;
        libc::setrlimit(libc::RLIMIT_CORE, &limit);
        libc::kill(libc::getpid(), signal);
        libc::_exit(128 + signal)
    }
}
