//! Messages between engines of one process: mailboxes that any thread may post to and one engine listens to.
//!
//! JavaScript identifies a mailbox by a number, which may travel in a message to another engine; the last listener
//! receives the messages. Output printed before a post is written first, so that its order matches that of the
//! messages.
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::core::Core;
use super::inbox::{Inbox, Task};
use super::later::with_core;
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo, Global, Packet};

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
    /// The listener was notified and has not read the mailbox yet.
    is_notified: bool,
    is_closed: bool,
}

static MAILBOXES: Mutex<Option<HashMap<u64, Mailbox>>> = Mutex::new(None);
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The callback, and the mailbox that the listening engine posts to, which is closed when that engine ends to notify
/// the other end.
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

impl Mailbox {
    /// The listener to notify, unless a notification is still unread.
    fn due(&mut self) -> Option<Arc<Inbox>> {
        let listener = self.listener.clone().filter(|_| !self.is_notified)?;
        self.is_notified = true;
        Some(listener)
    }
}

/// Notifies the listener of a mailbox. Must not be called under the lock, which the woken thread requests at once.
fn notify(number: u64, listener: Option<Arc<Inbox>>) {
    let Some(listener) = listener else { return };
    listener.send(Task::Native(Box::new(move |core| {
        with_mailbox(number, |mailbox| mailbox.is_notified = false);
        let callback = CALLBACKS.with_borrow(|callbacks| callbacks.get(&number).map(|it| it.callback.clone()));
        callback.map_or(Ok(()), |callback| core.call(&callback, &[]))
    })));
}

/// Runs `work` on a mailbox, if it exists, under the lock.
fn with_mailbox<R>(number: u64, work: impl FnOnce(&mut Mailbox) -> R) -> Option<R> {
    lock().as_mut()?.get_mut(&number).map(work)
}

/// The loop that listens to a mailbox.
pub fn listener(number: u64) -> Option<Arc<Inbox>> {
    with_mailbox(number, |mailbox| mailbox.listener.clone()).flatten()
}

fn number(call: &Call<'_>) -> u64 {
    call.integer(0) as u64
}

/// `mailboxOpen()`: the number of a new mailbox.
extern "C" fn open(info: &CallbackInfo) {
    with_core(info, |call, _| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        lock().get_or_insert_default().insert(number, Mailbox::default());
        call.answer_number(number as f64);
    });
}

/// `mailboxListen(number, callback, partner?)`: calls `callback()` in a turn when there are messages; undefined stops
/// listening. The mailbox `partner` is closed if this engine ends while listening.
extern "C" fn listen(info: &CallbackInfo) {
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
        let listener = with_mailbox(number, |mailbox| {
            mailbox.listener = listens.then(|| core.inbox.clone());
            mailbox.is_notified = false;
            let has_news = listens && (!mailbox.packets.is_empty() || mailbox.is_closed);
            has_news.then(|| mailbox.due()).flatten()
        });
        notify(number, listener.flatten());
    });
}

/// `mailboxPost(number, value, buffers?, isList?)`: whether the mailbox is open. Throws if the value cannot be cloned. The
/// value is the message, or a list of the message and what travels with it.
extern "C" fn post(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(packet) = Packet::pack(call, call.argument(1), 2, call.is_true(3)) else { return };
        let mut packet = Some(packet); // an undeliverable packet is not dropped under the lock
        if let Err(error) = core.flush() {
            return call.raise(error);
        }
        let number = number(call);
        let posted = with_mailbox(number, |mailbox| {
            (!mailbox.is_closed).then(|| {
                mailbox.packets.extend(packet.take());
                mailbox.due()
            })
        });
        let posted = posted.flatten();
        let is_open = posted.is_some();
        notify(number, posted.flatten());
        call.answer(call.scope.boolean(is_open));
    });
}

/// `mailboxTake(number)`: the list of the oldest message, which is `[value]` if it was posted alone; undefined if there is
/// none, null at the end.
extern "C" fn take(info: &CallbackInfo) {
    with_core(info, |call, _| {
        let number = number(call);
        match with_mailbox(number, |mailbox| (mailbox.packets.pop_front(), mailbox.is_closed)) {
            Some((Some(mut packet), _)) => {
                if let Some(value) = packet.unpack(&call.scope) {
                    call.answer(if packet.is_list { value } else { call.scope.array(&[value]) });
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

/// `mailboxClose(number)`: ends the messages; the listener is notified once it has taken the rest.
extern "C" fn close(info: &CallbackInfo) {
    with_core(info, |call, _| {
        close_one(number(call));
    });
}

fn close_one(number: u64) {
    let listener = with_mailbox(number, |mailbox| {
        mailbox.is_closed = true;
        mailbox.due()
    });
    notify(number, listener.flatten());
}

/// Drops the callbacks of this thread's engine, which is about to close, and closes the other ends.
pub fn forget(_core: &Core) {
    let listeners = CALLBACKS.take();
    listeners.values().filter_map(|it| it.partner).for_each(close_one);
}
