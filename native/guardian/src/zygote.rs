//! The guardian's end of a zygote, a process that forks workers: forks the zygote, orders workers, and reads its answers.
//!
//! A zygote is an interpreter, so it is forked from one: if rt is Python, the guardian is a fork of it, and forks its zygotes
//! before it does anything else. Each zygote waits for the order to prepare itself.
//!
//! A worker is a child of the guardian, as every script is, so the guardian does everything else for it. Each order gets one answer,
//! whatever happens to the zygote: an order that it could not carry out is returned. An order is never both carried out and returned,
//! because a worker reports that it runs before it runs anything, and the pipe of answers ends only when every process that could
//! still report is gone.
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::io::{Error, Result};
use std::time::Duration;

use crate::guardian::Terms;
use crate::passing;
use crate::system::{self, End};
use crate::terminal::Opened;
use crate::tree::{Pid, send};
use rt_wire::frames::{Frames, framed};
use rt_wire::protocol::{Answer, Fork, Kind, Spawn};

/// The longest order that is sent as a message: the system may refuse a longer one. A longer order of the shell goes as a
/// file, since a shell's text is an argument of no process. A longer one of the engine is given back: what is too long for
/// a process fails as it would without zygotes.
const LARGEST_ORDER: usize = 128 << 10;
/// How many orders can arrive while the zygote prepares itself; the system may allow fewer.
const BUFFER_BYTES: c_int = 1 << 20;
/// Prefixes of variables that the interpreter, the C library or V8 read before the fork: a script that changes one needs a
/// whole process.
const READ_AT_START: [&[u8]; 6] = [b"PYTHON", b"LC_", b"LD_", b"GLIBC_", b"MALLOC_", b"ICU_"];
const READ_AT_START_EXACTLY: [&[u8]; 5] = [b"LANG", b"LANGUAGE", b"TZ", b"HOME", b"XDG_CACHE_HOME"];

/// How to fork zygotes of this process: which kinds, and what an interpreter has to do around a fork.
pub struct Forks<'a> {
    pub kinds: &'a [Kind],
    /// Called before the guardian is forked, and afterwards in this process.
    pub before: &'a dyn Fn(),
    pub after: &'a dyn Fn(),
    /// Runs the zygote to its end; does not panic.
    pub become_zygote: &'a dyn Fn(Ends),
}

impl Forks<'_> {
    /// No zygotes: a process that is not an interpreter cannot have any.
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
    /// It runs as this process; bit n: it was given signal n.
    Runs(u32, Pid, u64),
    /// It has to be a whole process.
    GivenBack(Box<Spawn>),
}

/// One zygote; it accepts orders until it is lost.
pub struct Zygote {
    pub kind: Kind,
    pub pid: Pid,
    orders: Opened,
    answers: Opened,
    frames: Frames,
    outstanding: HashMap<u32, Box<Spawn>>,
    /// Workers that may not have reported yet that they run, and the scripts that they are.
    forked: HashMap<Pid, u32>,
    /// The worker that waits for the next order; 0 for none.
    pub held: Pid,
    pub is_asked_to_hold: bool,
    pub has_lost_held: bool,
    is_prepared: bool,
    pub is_lost: bool,
}

impl Zygote {
    /// Forks it from this process, which is a guardian with one thread.
    pub fn fork(kind: Kind, forks: &Forks, rt: Pid, terms: Terms) -> Result<Zygote> {
        let (orders, theirs) = system::channel(libc::SOCK_SEQPACKET)?;
        let (answers, write) = system::pipe(0)?;
        // SAFETY: reads one number; sets a flag of a descriptor that is this process's own.
        unsafe {
            let size = BUFFER_BYTES;
            let bytes = (&raw const size).cast::<c_void>();
            let length = size_of::<c_int>() as libc::socklen_t;
            libc::setsockopt(orders.0, libc::SOL_SOCKET, libc::SO_SNDBUF, bytes, length);
            libc::fcntl(answers.0, libc::F_SETFL, libc::O_NONBLOCK);
        }
        let guardian = std::process::id() as Pid;
        // SAFETY: this process has one thread, so its copy misses none; that never returns from here.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            drop((orders, answers));
            (forks.become_zygote)(Ends { kind, orders: theirs, answers: write, guardian, rt, terms });
            // SAFETY: ends the process, which must not go on as a copy of the guardian.
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
            is_asked_to_hold: false,
            has_lost_held: false,
            is_prepared: false,
            is_lost: false,
        })
    }

    /// Orders it to prepare itself for workers. Never waits.
    pub fn prepare(&mut self) {
        if !self.is_prepared && !self.is_lost {
            self.is_prepared = self.send(&Fork::Prepare);
        }
    }

    fn send(&self, fork: &Fork) -> bool {
        passing::send(&self.orders, &framed(&fork.encode()), &[], libc::MSG_DONTWAIT).is_ok()
    }

    /// Readable when `take` has answers.
    pub fn descriptor(&self) -> c_int {
        if self.is_lost { -1 } else { self.answers.0 }
    }

    /// How many orders have no answer yet.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// Orders a worker; returns the order if the script has to be a whole process. Never waits.
    ///
    /// `descriptors` become 0, 1 and 2 (none: the guardian's own).
    pub fn order(&mut self, spawn: Box<Spawn>, descriptors: &[c_int]) -> std::result::Result<(), Box<Spawn>> {
        let mut names = spawn.set.iter().map(|(name, _)| name).chain(&spawn.removed);
        if self.is_lost || !self.is_prepared || (self.kind == Kind::Engine && names.any(|name| is_read_at_start(name)))
        {
            return Err(spawn);
        }
        let mut frame = framed(&Fork::Spawn(spawn.clone()).encode());
        let mut descriptors = descriptors.to_vec();
        let mut file = None; // is closed when it is on its way
        if frame.len() > LARGEST_ORDER {
            if self.kind == Kind::Engine {
                return Err(spawn);
            }
            let Ok(made) = system::file_of(&frame) else { return Err(spawn) };
            frame = framed(&Fork::Long { key: spawn.key, passed: descriptors.len() as u32 }.encode());
            descriptors.push(file.insert(made).0);
        }
        if passing::send(&self.orders, &frame, &descriptors, libc::MSG_DONTWAIT).ok() != Some(frame.len()) {
            return Err(spawn); // it is gone, or has no room for this
        }
        self.outstanding.insert(spawn.key, spawn);
        Ok(())
    }

    /// Orders a worker that waits for the next order. Never waits itself.
    pub fn hold(&mut self) {
        let is_able = self.kind == Kind::Engine && self.is_prepared && !self.is_lost;
        if is_able && self.held == 0 && !self.is_asked_to_hold && self.outstanding.is_empty() {
            self.is_asked_to_hold = self.send(&Fork::Hold);
        }
    }

    /// Records ended children that are not known scripts; `take` acts on the end of the held worker.
    pub fn note_ended(&mut self, strangers: &[Pid]) {
        self.has_lost_held = self.has_lost_held || strangers.contains(&self.held);
    }

    /// The answers since the last call. Never waits; sets `is_lost`.
    ///
    /// `ended` are children that ended without being known. A worker that was killed before it said that it runs is among
    /// them; it is reported as one that runs, and its end follows.
    pub fn take(&mut self, ended: &HashMap<Pid, End>) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut buffer = [0; 4096];
        while !self.is_lost {
            // SAFETY: at most as many bytes are written as the buffer has.
            let count = unsafe { libc::read(self.answers.0, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) };
            match usize::try_from(count) {
                Ok(0) => {
                    self.is_lost = true;
                    outcomes.extend(self.outstanding.drain().map(|(_, spawn)| Outcome::GivenBack(spawn)));
                }
                Ok(count) => self.frames.feed(&buffer[..count]),
                Err(_) if system::errno() == libc::EINTR => {}
                Err(_) => break,
            }
            while let Ok(Some(message)) = self.frames.cut() {
                outcomes.extend(Answer::decode(&message).and_then(|answer| self.hear(answer)));
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
                self.kill(); // it is unknown whether it had taken the order: all are given back
            }
        }
        if self.outstanding.is_empty() {
            self.forked.clear();
        }
        outcomes
    }

    fn hear(&mut self, answer: Answer) -> Option<Outcome> {
        let (key, pid, given) = match answer {
            Answer::Held(pid) => {
                (self.held, self.is_asked_to_hold) = (pid, false);
                self.has_lost_held = pid != 0 && !send(pid, 0); // its end may have been seen before this was said
                return None;
            }
            Answer::Forked(key, pid) => (key, pid, 0),
            Answer::Running(key, pid, given) => (key, pid, given),
            Answer::Unable(key) => (key, 0, 0),
        };
        if pid == self.held {
            (self.held, self.has_lost_held) = (0, false); // it has taken an order
        }
        if let Answer::Forked(..) = answer {
            if self.outstanding.contains_key(&key) {
                self.forked.insert(pid, key);
            }
            return None;
        }
        let spawn = self.outstanding.remove(&key)?;
        Some(if pid == 0 { Outcome::GivenBack(spawn) } else { Outcome::Runs(key, pid, given) })
    }

    /// Waits until `take` has something to do. Returns false if it has nothing by then.
    pub fn wait(&self, patience: Duration) -> bool {
        system::wait_for([self.answers.0], Some(patience))[0]
    }

    /// Ends it at once; `take` returns the orders that it has not begun.
    pub fn kill(&self) {
        send(self.pid, libc::SIGKILL);
    }
}

fn is_read_at_start(name: &[u8]) -> bool {
    READ_AT_START.iter().any(|prefix| name.starts_with(prefix)) || READ_AT_START_EXACTLY.contains(&name)
}
