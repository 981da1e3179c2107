//! Messages between engines of one process: mailboxes that any thread may post to and one engine listens to.
//!
//! JavaScript knows a mailbox by its number, which it may hand to another engine in a message: whoever listens last gets
//! what comes. What a program printed before it posts is written first, so that output keeps the order of the messages.
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::core::Core;
use super::inbox::{Inbox, Task};
use super::later::with_core;
use crate::v8::{Call, CallbackInfo, Global, Packet, natives::Natives};

pub const NATIVES: Natives = &[
    ("mailboxOpen", open),
    ("mailboxListen", listen),
    ("mailboxPost", post),
    ("mailboxTake", take),
    ("mailboxClose", close),
];

#[derive(Default)]
struct Mailbox {
    packets: VecDeque<Packet>,
    listener: Option<Arc<Inbox>>,
    /// The listener has been told and has not looked yet.
    is_told: bool,
    is_closed: bool,
}

static MAILBOXES: Mutex<Option<HashMap<u64, Mailbox>>> = Mutex::new(None);
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The callback, and the mailbox that the listening engine posts to: it is closed when the engine ends, so that the other
/// end is notified.
struct Listener {
    callback: Rc<Global>,
    partner: Option<u64>,
}

thread_local! {
    /// The listeners of this thread's engine, by mailbox.
    static CALLBACKS: RefCell<HashMap<u64, Listener>> = RefCell::default();
}

fn lock() -> MutexGuard<'static, Option<HashMap<u64, Mailbox>>> {
    MAILBOXES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notify the listener, unless it has been notified and has not looked yet.
fn tell(number: u64, mailbox: &mut Mailbox) {
    let Some(listener) = mailbox.listener.clone().filter(|_| !mailbox.is_told) else { return };
    mailbox.is_told = true;
    listener.send(Task::Native(Box::new(move |core| {
        if let Some(mailbox) = lock().as_mut().and_then(|mailboxes| mailboxes.get_mut(&number)) {
            mailbox.is_told = false;
        }
        let callback = CALLBACKS.with_borrow(|callbacks| callbacks.get(&number).map(|it| it.callback.clone()));
        callback.map_or(Ok(()), |callback| core.call(&callback, &[]))
    })));
}

fn number(call: &Call<'_>) -> u64 {
    call.integer(0) as u64
}

/// `mailboxOpen()`: the number of a new mailbox.
unsafe extern "C" fn open(info: &CallbackInfo) {
    with_core(info, |call, _| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        lock().get_or_insert_default().insert(number, Mailbox::default());
        call.answer_number(number as f64);
    });
}

/// `mailboxListen(number, callback, partner?)`: `callback()` is called in a turn when there is something to take; with
/// undefined nobody listens any more. The mailbox `partner` is closed when this engine ends and still listens.
unsafe extern "C" fn listen(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let number = number(call);
        let callback = call.function(1);
        let listens = callback.is_some();
        let old = CALLBACKS.with_borrow_mut(|callbacks| match callback {
            Some(callback) => {
                let partner = Some(call.integer(2) as u64).filter(|&it| it > 0);
                callbacks.insert(number, Listener { callback: Rc::new(callback), partner })
            }
            None => callbacks.remove(&number),
        });
        drop(old);
        if let Err(error) = core.waker() {
            return call.raise(error);
        }
        if let Some(mailbox) = lock().as_mut().and_then(|mailboxes| mailboxes.get_mut(&number)) {
            mailbox.listener = listens.then(|| core.inbox.clone());
            mailbox.is_told = false;
            if listens && (!mailbox.packets.is_empty() || mailbox.is_closed) {
                tell(number, mailbox);
            }
        }
    });
}

/// `mailboxPost(number, value, buffers)`: whether it is open. What cannot be cloned throws.
unsafe extern "C" fn post(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(packet) = Packet::pack(call, call.argument(1), 2) else { return };
        if let Err(error) = core.flush() {
            return call.raise(error);
        }
        let number = number(call);
        let mut mailboxes = lock();
        let mailbox = mailboxes.as_mut().and_then(|mailboxes| mailboxes.get_mut(&number)).filter(|it| !it.is_closed);
        let is_open = mailbox.is_some();
        if let Some(mailbox) = mailbox {
            mailbox.packets.push_back(packet);
            tell(number, mailbox);
        }
        drop(mailboxes);
        call.answer(call.scope.boolean(is_open));
    });
}

/// `mailboxTake(number)`: `[value]` of the message that came first, undefined where there is none, null at the end.
unsafe extern "C" fn take(info: &CallbackInfo) {
    with_core(info, |call, _| {
        let number = number(call);
        let mut mailboxes = lock();
        let mailbox = mailboxes.as_mut().and_then(|mailboxes| mailboxes.get_mut(&number));
        let packet = mailbox.map(|mailbox| (mailbox.packets.pop_front(), mailbox.is_closed));
        drop(mailboxes);
        match packet {
            Some((Some(mut packet), _)) => {
                if let Some(value) = packet.unpack(&call.scope) {
                    call.answer(call.scope.array(&[value]));
                }
            }
            Some((None, false)) => {}
            Some((None, true)) | None => {
                if let Some(mailboxes) = lock().as_mut() {
                    mailboxes.remove(&number);
                }
                call.answer(call.scope.null());
            }
        }
    });
}

/// `mailboxClose(number)`: nothing more comes; who listens is told when it has taken the rest.
unsafe extern "C" fn close(info: &CallbackInfo) {
    with_core(info, |call, _| {
        close_one(number(call));
    });
}

fn close_one(number: u64) {
    if let Some(mailbox) = lock().as_mut().and_then(|mailboxes| mailboxes.get_mut(&number)) {
        mailbox.is_closed = true;
        tell(number, mailbox);
    }
}

/// Forget the callbacks of this thread's engine, which is about to be closed; the other ends are closed, too.
pub fn forget(_core: &Core) {
    let listeners = CALLBACKS.take();
    listeners.values().filter_map(|it| it.partner).for_each(close_one);
}
