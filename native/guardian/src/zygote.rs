//! The guardian's end of a zygote, a process that forks workers: forks the zygote, orders workers, and reads its answers.
//!
//! A zygote is an interpreter, so it can only be forked from one. If rt is Python, the guardian is a fork of it, and forks its
//! zygotes before it does anything else. Each zygote waits for the order to prepare itself.
//!
//! A worker is a child of the guardian, like every script, so the guardian does everything else for it. Each order gets one
//! answer even if the zygote fails: an order that the zygote could not execute is returned. An order is never both executed and
//! returned, because a worker reports its start before it runs anything, and the pipe of answers reaches its end only when
//! every process that could still report has ended.
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::io::{Error, Result};
use std::time::Duration;

use crate::guardian::Terms;
use crate::passing;
use crate::system::{self, End};
use crate::terminal::Opened;
use crate::tree::{Pid, send};
use rt_wire::debug_log;
use rt_wire::frames::{Frames, frame_of};
use rt_wire::protocol::{Answer, Fork, Kind, Spawn};

/// The longest order that is sent as a message, because the system may refuse a longer one. A longer order of the shell is sent
/// as a file, since the text of a shell is not an argument of any process. A longer order of the engine is returned: it exceeds
/// the limits of a process and fails as it would without zygotes.
const LARGEST_ORDER: usize = 128 << 10;
/// The size of the buffer for orders that arrive while the zygote prepares itself; the system may allow less.
const BUFFER_BYTES: c_int = 1 << 20;
/// Prefixes of variables that the interpreter, the C library or V8 reads before the fork: a script that changes one needs a
/// whole process.
const READ_AT_START: [&[u8]; 6] = [b"PYTHON", b"LC_", b"LD_", b"GLIBC_", b"MALLOC_", b"ICU_"];
const READ_AT_START_EXACTLY: [&[u8]; 5] = [b"LANG", b"LANGUAGE", b"TZ", b"HOME", b"XDG_CACHE_HOME"];

/// How to fork zygotes from this process: which kinds, and what an interpreter has to do around a fork.
pub struct Forks<'a> {
    pub kinds: &'a [Kind],
    /// Called before the guardian is forked, and afterwards in this process.
    pub before: &'a dyn Fn(),
    pub after: &'a dyn Fn(),
    /// Runs the zygote to its end; does not panic.
    pub become_zygote: &'a dyn Fn(Ends),
}

impl Forks<'_> {
    /// No zygotes: a process that is not an interpreter cannot fork any.
    pub const NONE: Forks<'static> = Forks { kinds: &[], before: &|| {}, after: &|| {}, become_zygote: &|_| {} };
}

/// What a zygote receives at its start.
pub struct Ends {
    pub kind: Kind,
    pub orders: Opened,
    pub answers: Opened,
    pub guardian: Pid,
    pub rt: Pid,
    pub terms: Terms,
}

/// The result of an order.
pub enum Outcome {
    /// It runs as this process; bit n: it raised signal n.
    Runs(u32, Pid, u64),
    /// It has to be a whole process.
    Returned(Box<Spawn>),
}

/// One zygote; it accepts orders until it is lost.
pub struct Zygote {
    pub kind: Kind,
    pub pid: Pid,
    orders: Opened,
    answers: Opened,
    frames: Frames,
    outstanding: HashMap<u32, Box<Spawn>>,
    /// Workers that may not have reported their start, and their scripts.
    forked: HashMap<Pid, u32>,
    /// The worker that waits for the next order; 0 if there is none.
    pub held: Pid,
    pub is_holding_ordered: bool,
    pub has_lost_held: bool,
    is_prepared: bool,
    pub is_lost: bool,
}

impl Zygote {
    /// Forks a zygote from this process, which must be a guardian with one thread.
    pub fn fork(kind: Kind, forks: &Forks, rt: Pid, terms: Terms) -> Result<Zygote> {
        let (orders, theirs) = system::channel(libc::SOCK_SEQPACKET)?;
        let (answers, write) = system::pipe(0)?;
        // SAFETY: the first call reads one number; the second sets a flag of a descriptor that this process owns.
        unsafe {
            let size = BUFFER_BYTES;
            let bytes = (&raw const size).cast::<c_void>();
            let length = size_of::<c_int>() as libc::socklen_t;
            libc::setsockopt(orders.0, libc::SOL_SOCKET, libc::SO_SNDBUF, bytes, length);
            libc::fcntl(answers.0, libc::F_SETFL, libc::O_NONBLOCK);
        }
        let guardian = std::process::id() as Pid;
        // SAFETY: this process has one thread, so the copy is complete; the child never returns from this block.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            drop((orders, answers));
            (forks.become_zygote)(Ends { kind, orders: theirs, answers: write, guardian, rt, terms });
            // SAFETY: ends the process, which must not continue as a copy of the guardian.
            unsafe { libc::_exit(0) };
        }
        if pid < 0 {
            return Err(Error::last_os_error());
        }
        Ok(Zygote {
            kind,
            pid,
            orders,
            answers,
            frames: Frames::default(),
            outstanding: HashMap::new(),
            forked: HashMap::new(),
            held: 0,
            is_holding_ordered: false,
            has_lost_held: false,
            is_prepared: false,
            is_lost: false,
        })
    }

    /// Orders the zygote to prepare itself for workers. Does not wait.
    pub fn prepare(&mut self) {
        if !self.is_prepared && !self.is_lost {
            self.is_prepared = self.send(&Fork::Prepare);
        }
    }

    fn send(&self, fork: &Fork) -> bool {
        passing::send(&self.orders, &frame_of(&fork.encode()), &[], libc::MSG_DONTWAIT).is_ok()
    }

    /// Becomes readable when `take` has answers.
    pub fn descriptor(&self) -> c_int {
        if self.is_lost { -1 } else { self.answers.0 }
    }

    /// How many orders have no answer yet.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// Orders a worker. Returns the order if the script has to be a whole process. Does not wait.
    ///
    /// `descriptors` become its descriptors 0, 1 and 2; if empty, it gets those of the guardian.
    pub fn order(&mut self, spawn: Box<Spawn>, descriptors: &[c_int]) -> std::result::Result<(), Box<Spawn>> {
        let mut names = spawn.set.iter().map(|(name, _)| name).chain(&spawn.removed);
        if self.is_lost || !self.is_prepared || (self.kind == Kind::Engine && names.any(|name| is_read_at_start(name)))
        {
            return Err(spawn);
        }
        let mut frame = frame_of(&Fork::Spawn(spawn.clone()).encode());
        let mut descriptors = descriptors.to_vec();
        let mut file = None; // open until the message with its descriptor is sent
        if frame.len() > LARGEST_ORDER {
            if self.kind == Kind::Engine {
                return Err(spawn);
            }
            let Ok(made) = system::memory_file(&frame) else { return Err(spawn) };
            frame = frame_of(&Fork::Long { key: spawn.key, passed: descriptors.len() as u32 }.encode());
            descriptors.push(file.insert(made).0);
        }
        if passing::send(&self.orders, &frame, &descriptors, libc::MSG_DONTWAIT).ok() != Some(frame.len()) {
            return Err(spawn); // it has ended, or its buffer is full
        }
        debug_log!(Zygote, "script {}: a worker is ordered", spawn.key);
        self.outstanding.insert(spawn.key, spawn);
        Ok(())
    }

    /// Orders a worker that waits for the next order. Does not wait itself.
    pub fn hold(&mut self) {
        let is_able = self.kind == Kind::Engine && self.is_prepared && !self.is_lost;
        if is_able && self.held == 0 && !self.is_holding_ordered && self.outstanding.is_empty() {
            self.is_holding_ordered = self.send(&Fork::Hold);
        }
    }

    /// Records ended children that are not known scripts; `take` acts on the end of the held worker.
    pub fn record_ended(&mut self, strangers: &[Pid]) {
        self.has_lost_held = self.has_lost_held || strangers.contains(&self.held);
    }

    /// The answers since the last call. Does not wait; sets `is_lost`.
    ///
    /// `ended` are children that ended without being known. A worker that was killed before it reported its start is among
    /// them; it is returned as started, and its end follows.
    pub fn take(&mut self, ended: &HashMap<Pid, End>) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut buffer = [0; 4096];
        while !self.is_lost {
            match self.answers.try_read(&mut buffer) {
                Ok(0) => {
                    self.is_lost = true;
                    outcomes.extend(self.outstanding.drain().map(|(_, spawn)| Outcome::Returned(spawn)));
                }
                Ok(count) => self.frames.feed(&buffer[..count]),
                Err(_) if system::errno() == libc::EINTR => {}
                Err(_) => break,
            }
            while let Ok(Some(message)) = self.frames.next_message() {
                outcomes.extend(Answer::decode(&message).and_then(|answer| self.handle_answer(answer)));
            }
        }
        for (pid, key) in self.forked.iter().filter(|(pid, _)| ended.contains_key(pid)) {
            if self.outstanding.remove(key).is_some() {
                outcomes.push(Outcome::Runs(*key, *pid, 0));
            }
        }
        if self.has_lost_held {
            (self.held, self.has_lost_held) = (0, false);
            if !self.outstanding.is_empty() {
                self.kill(); // it may or may not have received an order: all are returned
            }
        }
        if self.outstanding.is_empty() {
            self.forked.clear();
        }
        outcomes
    }

    fn handle_answer(&mut self, answer: Answer) -> Option<Outcome> {
        let (key, pid, given) = match answer {
            Answer::Held(pid) => {
                (self.held, self.is_holding_ordered) = (pid, false);
                self.has_lost_held = pid != 0 && !send(pid, 0); // its end may have been reaped before this answer arrived
                return None;
            }
            Answer::Forked(key, pid) => (key, pid, 0),
            Answer::Running(key, pid, given) => (key, pid, given),
            Answer::Unable(key) => (key, 0, 0),
        };
        if pid == self.held {
            (self.held, self.has_lost_held) = (0, false); // it has received an order
        }
        if let Answer::Forked(..) = answer {
            if self.outstanding.contains_key(&key) {
                self.forked.insert(pid, key);
            }
            return None;
        }
        let spawn = self.outstanding.remove(&key)?;
        Some(if pid == 0 { Outcome::Returned(spawn) } else { Outcome::Runs(key, pid, given) })
    }

    /// Waits until `take` has something to do. Returns false if it has nothing by then.
    pub fn wait(&self, patience: Duration) -> bool {
        system::wait_for([self.answers.0], Some(patience))[0]
    }

    /// Kills the zygote. `take` then returns the orders that it has not begun.
    pub fn kill(&self) {
        send(self.pid, libc::SIGKILL);
    }
}

fn is_read_at_start(name: &[u8]) -> bool {
    READ_AT_START.iter().any(|prefix| name.starts_with(prefix)) || READ_AT_START_EXACTLY.contains(&name)
}
