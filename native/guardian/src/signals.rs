//! Signals of this process: which it ignored from the start, a queue of blocked signals, and terminating by a signal.
use std::ffi::c_int;
use std::mem::{size_of, zeroed};
use std::ptr::null_mut;

use crate::terminal::Opened;
use crate::tree::Pid;

/// Bit n represents signal n.
pub type Mask = u64;

const FIRST_REAL_TIME: c_int = 32;
const AT_ONCE: usize = 16;

pub fn bit(signal: c_int) -> Mask {
    1 << signal
}

/// Those of HUP, INT, QUIT and TERM that this process has ignored from its start (`nohup`, `&` in a script).
pub fn ignored() -> Mask {
    let looked_at = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];
    looked_at.into_iter().filter(|signal| is_ignored(*signal)).map(bit).sum()
}

fn is_ignored(signal: c_int) -> bool {
    // SAFETY: `sigaction` only writes to the structure, which is plain data.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Makes this process ignore a signal, or restores the default action.
pub fn set_action(signal: c_int, action: libc::sighandler_t) {
    // SAFETY: sets one of the two predefined actions, never a handler.
    unsafe { libc::signal(signal, action) };
}

/// Blocks signals (SIG_BLOCK), unblocks them (SIG_UNBLOCK), or blocks these and no others (SIG_SETMASK).
pub fn change_mask(how: c_int, signals: Mask) {
    // SAFETY: the set outlives the call.
    unsafe { libc::pthread_sigmask(how, &set_of(signals), null_mut()) };
}

/// Blocks every signal and returns the previous mask.
pub fn block_all() -> libc::sigset_t {
    // SAFETY: the sets are plain data that the calls fill.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (zeroed(), zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        before
    }
}

/// Restores the mask that `block_all` returned.
pub fn restore_mask(before: &libc::sigset_t) {
    // SAFETY: the set outlives the call.
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

/// A signalfd: reads blocked signals one by one, each with its sender.
pub struct Queue {
    descriptor: Opened,
}

impl Queue {
    /// Blocks the signals of the mask, and queues them from now on.
    pub fn new(signals: Mask) -> std::io::Result<Queue> {
        change_mask(libc::SIG_BLOCK, signals);
        // SAFETY: creates a descriptor or fails; the set outlives the call.
        let descriptor = unsafe { libc::signalfd(-1, &set_of(signals), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        if descriptor < 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok(Queue { descriptor: Opened(descriptor) })
    }

    /// Becomes readable when a signal arrives.
    pub fn descriptor(&self) -> c_int {
        self.descriptor.0
    }

    /// The signals that have arrived: the number, and whether a process sent it rather than the terminal or the kernel.
    pub fn take(&self) -> Vec<(c_int, bool)> {
        self.take_with_senders().into_iter().map(|(number, sender)| (number, sender.is_some())).collect()
    }

    /// The signals that have arrived: the number, and the process that sent it, if one did.
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

/// Terminates this process by a signal, so that its parent sees the reason, or exits with 128+n if that is not possible.
pub fn die_of(signal: c_int) -> ! {
    // SAFETY: system calls on numbers, and on a structure that outlives them. The core file limit is 0 because rt's core file
    // would replace that of the script.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        change_mask(libc::SIG_UNBLOCK, bit(signal));
        let mut limit: libc::rlimit = zeroed();
        libc::getrlimit(libc::RLIMIT_CORE, &mut limit);
        limit.rlim_cur = 0;
        libc::setrlimit(libc::RLIMIT_CORE, &limit);
        libc::kill(libc::getpid(), signal);
        libc::_exit(128 + signal)
    }
}
