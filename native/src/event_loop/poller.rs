//! Epoll: which descriptors are waited for, and which are ready. It knows nothing of the watchers.
//!
//! What epoll refuses because it is always ready (a regular file) is ready in every wait, as with poll(2). An event
//! carries the number of its registration, which identifies events for descriptors that were closed and reused
//! meanwhile.
use std::cell::{Cell, RefCell};
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::event::Timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::{Errno, Result};

const MOST_EVENTS: usize = 1024;

pub const READABLE: u8 = 1;
pub const WRITABLE: u8 = 2;

/// A ready descriptor.
pub struct Ready {
    pub descriptor: i32,
    pub registration: u32,
    /// READABLE, WRITABLE or both; an error or a hang-up sets both.
    pub what: u8,
}

/// Created on first use, so a fork before that shares nothing.
#[derive(Default)]
pub struct Poller {
    epoll: RefCell<Option<OwnedFd>>,
    always: RefCell<Vec<(i32, u32)>>,
    buffer: RefCell<Vec<epoll::Event>>,
    registered: Cell<usize>,
}

/// Borrow a descriptor that a program named. If it is not open, system calls report that.
pub fn borrowed<'a>(descriptor: i32) -> BorrowedFd<'a> {
    // SAFETY: -1 is the only invalid value; it is replaced by a number that is never open.
    unsafe { BorrowedFd::borrow_raw(if descriptor == -1 { i32::MAX } else { descriptor }) }
}

impl Poller {
    /// Wait for `wanted` (READABLE | WRITABLE) of a descriptor; `was` is what was waited for before.
    pub fn set(&self, descriptor: i32, registration: u32, was: u8, wanted: u8) -> Result<()> {
        let mut epoll = self.epoll.borrow_mut();
        let epoll = match &mut *epoll {
            Some(epoll) => epoll,
            none => none.insert(epoll::create(epoll::CreateFlags::CLOEXEC)?),
        };
        let source = borrowed(descriptor);
        self.always.borrow_mut().retain(|(known, _)| *known != descriptor);
        if wanted == 0 {
            self.registered.set(self.registered.get().saturating_sub(1));
            let _ = epoll::delete(&*epoll, source); // it may be closed already
            return Ok(());
        }
        let mut flags = EventFlags::empty();
        flags.set(EventFlags::IN, wanted & READABLE != 0);
        flags.set(EventFlags::OUT, wanted & WRITABLE != 0);
        let data = EventData::new_u64(u64::from(registration) << 32 | u64::from(descriptor as u32));
        let mut outcome = match was {
            0 => epoll::add(&*epoll, source, data, flags),
            _ => epoll::modify(&*epoll, source, data, flags),
        };
        if outcome == Err(Errno::NOENT) {
            outcome = epoll::add(&*epoll, source, data, flags); // closed and reopened in the meantime
        } else if outcome == Err(Errno::EXIST) {
            outcome = epoll::modify(&*epoll, source, data, flags);
        }
        if outcome == Err(Errno::PERM) {
            self.always.borrow_mut().push((descriptor, registration));
            outcome = Ok(());
        }
        if was == 0 && outcome.is_ok() {
            self.registered.set(self.registered.get() + 1);
        }
        outcome
    }

    /// Wait at most `timeout_ms` (negative: forever) until something is ready. EINTR means that a signal arrived.
    pub fn wait(&self, timeout_ms: i64) -> Result<Vec<Ready>> {
        let always = self.always.borrow();
        let timeout_ms = if always.is_empty() { timeout_ms } else { 0 };
        let constantly = always.iter().map(|&(descriptor, registration)| Ready {
            descriptor,
            registration,
            what: READABLE | WRITABLE,
        });
        let mut ready: Vec<Ready> = constantly.collect();
        drop(always);
        if timeout_ms == 0 && self.registered.get() == 0 {
            return Ok(ready);
        }
        if self.epoll.borrow().is_none() {
            self.epoll.replace(Some(epoll::create(epoll::CreateFlags::CLOEXEC)?));
        }
        let epoll = self.epoll.borrow();
        let mut buffer = self.buffer.borrow_mut();
        buffer.clear();
        buffer.reserve(MOST_EVENTS);
        let timeout =
            Timespec { tv_sec: timeout_ms.max(0) / 1000, tv_nsec: ((timeout_ms.max(0) % 1000) * 1_000_000) as _ };
        let timeout = (timeout_ms >= 0).then_some(&timeout);
        epoll::wait(epoll.as_ref().expect("made above"), rustix::buffer::spare_capacity(&mut buffer), timeout)?;
        ready.extend(buffer.iter().map(|event| {
            let (data, flags) = (event.data.u64(), event.flags);
            let mut what = 0;
            // Any other flag, an error or a hang-up, sets both.
            if !(flags & !EventFlags::OUT).is_empty() {
                what |= READABLE;
            }
            if !(flags & !EventFlags::IN).is_empty() {
                what |= WRITABLE;
            }
            Ready { descriptor: data as u32 as i32, registration: (data >> 32) as u32, what }
        }));
        Ok(ready)
    }
}
