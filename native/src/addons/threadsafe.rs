//! Functions that any thread may call: the loop empties a queue and calls into the addon for each item.
//!
//!     OPEN --last thread gone and queue empty, or aborted--> CLOSING --finalized on the loop--> gone
//!
//! An addon holds a number that is looked up in a table of the process, so that a late thread gets an error.
use std::collections::{HashMap, VecDeque};
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};

use crate::event_loop::{Core, Inbox, Task};
use crate::v8::api::{Handle, v8};

use super::engine::{Addons, AsyncFrame};
use super::env::{Env, Running, api, check, place, require};
use super::functions::callable;
use super::types::{Data, Finalize, RawEnv, Status, Value};

type CallJs = unsafe extern "C" fn(RawEnv, Value, Data, Data);

const BLOCKING: i32 = 1;
const ABORT: i32 = 1;
/// The largest number of items delivered in one turn, as in Node.
const MOST_AT_ONCE: usize = 1000;

struct Queue {
    /// The addon's pointers, as words.
    items: VecDeque<usize>,
    threads: usize,
    is_closing: bool,
}

struct Shared {
    number: usize,
    queue: Mutex<Queue>,
    has_room: Condvar,
    most: usize,
    /// Whether the loop was notified and has not read the queue yet.
    is_sent: AtomicBool,
    inbox: Arc<Inbox>,
    context: usize,
    owned: Owned,
}

/// The fields that only the loop's thread uses.
struct Owned {
    env: &'static Env,
    function: Handle,
    call: Option<CallJs>,
    finalize: Option<Finalize>,
    data: Data,
    frame: Mutex<Option<AsyncFrame>>,
    is_referenced: AtomicBool,
    is_finalized: AtomicBool,
}

// SAFETY: the queue, the condition, the inbox and the context may be used by any thread; `owned` is used only by the
// loop's thread (`Env` refuses others).
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

static ALL: RwLock<Option<HashMap<usize, Arc<Shared>>>> = RwLock::new(None);
static NEXT: AtomicUsize = AtomicUsize::new(1);

fn find_function(function: Data) -> Result<Arc<Shared>, Status> {
    let all = ALL.read().unwrap_or_else(PoisonError::into_inner);
    all.as_ref().and_then(|all| all.get(&(function as usize))).cloned().ok_or(Status::InvalidArg)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the loop read the queue.
    fn send(self: &Arc<Self>) {
        if !self.is_sent.swap(true, Ordering::AcqRel) {
            let this = self.clone();
            self.inbox.send(Task::Native(Box::new(move |core| this.dispatch(core))));
        }
    }

    fn push(self: &Arc<Self>, item: Data, mode: i32) -> Status {
        let mut queue = self.lock();
        while self.most > 0 && queue.items.len() >= self.most && !queue.is_closing {
            if mode != BLOCKING {
                return Status::QueueFull;
            }
            queue = self.has_room.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closing {
            if queue.threads == 0 {
                return Status::InvalidArg;
            }
            queue.threads -= 1;
            return Status::Closing;
        }
        queue.items.push_back(item as usize);
        drop(queue);
        self.send();
        Status::Ok
    }

    fn dispatch(self: &Arc<Self>, core: &Rc<Core>) -> pyo3::PyResult<()> {
        self.is_sent.store(false, Ordering::Release);
        for _ in 0..MOST_AT_ONCE {
            let mut queue = self.lock();
            if queue.is_closing {
                drop(queue);
                self.close(core);
                return Ok(());
            }
            let item = queue.items.pop_front();
            if queue.items.is_empty() && queue.threads == 0 {
                queue.is_closing = true;
            }
            let (is_closing, is_empty) = (queue.is_closing, queue.items.is_empty());
            drop(queue);
            self.has_room.notify_one();
            if let Some(item) = item {
                let this = self.clone();
                self.owned.env.addons.perform(Box::new(move || this.deliver(item as Data)))?;
            }
            if is_closing {
                self.close(core);
                return Ok(());
            }
            if is_empty {
                return Ok(());
            }
        }
        self.send();
        Ok(())
    }

    /// Calls into the addon with one item, inside a V8 callback.
    fn deliver(&self, item: Data) {
        let owned = &self.owned;
        let env = owned.env;
        let frame = owned.frame.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(frame) = frame.as_ref() else { return };
        env.addons.enter_loosely(env, |env| {
            let deliver = || {
                // SAFETY: the persistent handle is live or null; the addon provided the function with these arguments.
                unsafe {
                    let function = match owned.function.is_null() {
                        true => null_mut(),
                        false => env.scope().handle_for(*owned.function).handle(),
                    };
                    match owned.call {
                        Some(call) => {
                            let words = [env.raw() as usize, function as usize, self.context, item as usize];
                            super::thrown::call(env, call as Data, words);
                        }
                        None => call_plainly(env.raw(), function),
                    }
                }
            };
            frame.within(env, deliver, |_| false);
        });
    }

    /// Finalize in the next turn, as Node does when it closes the handle.
    fn close(self: &Arc<Self>, _core: &Rc<Core>) {
        let this = self.clone();
        self.owned.env.addons.later(move || this.finalize());
    }

    fn finalize(self: &Arc<Self>) {
        let owned = &self.owned;
        if owned.is_finalized.swap(true, Ordering::AcqRel) {
            return;
        }
        let env = owned.env;
        env.addons.enter_loosely(env, |env| {
            if let Some(finalize) = owned.finalize {
                // SAFETY: the addon provided the function with these arguments.
                let words = [env.raw() as usize, owned.data as usize, self.context, 0];
                unsafe { super::thrown::call(env, finalize as Data, words) };
            }
        });
        let items = std::mem::take(&mut self.lock().items);
        if let Some(call) = owned.call {
            for item in items {
                // SAFETY: as above; without an environment an addon only frees the item.
                let _ = unsafe { super::thrown::attempt(call as Data, [0, 0, self.context, item]) };
            }
        }
        env.release(owned.function);
        if let Some(frame) = owned.frame.lock().unwrap_or_else(PoisonError::into_inner).take() {
            frame.end(env);
        }
        if owned.is_referenced.swap(false, Ordering::AcqRel) {
            env.addons.refer(-1);
        }
        if let Some(all) = ALL.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
            all.remove(&self.number);
        }
    }

    fn reference(&self, wanted: bool) {
        if self.owned.is_referenced.swap(wanted, Ordering::AcqRel) != wanted {
            self.owned.env.addons.refer(if wanted { 1 } else { -1 });
        }
    }
}

unsafe fn call_plainly(env: RawEnv, function: Value) {
    let call = |env: &Running| {
        require(function)?;
        let receiver = env.undefined();
        // SAFETY: the handles are live.
        unsafe { env.call(function, receiver, 0, std::ptr::null()).map(|_| ()) }
    };
    // SAFETY: the environment is an addon's, and this runs inside a V8 callback.
    unsafe { super::env::running(env, call) };
}

/// Closes all functions of an engine that is about to end.
pub fn close_all(addons: &Rc<Addons>) {
    let all: Vec<_> = {
        let all = ALL.read().unwrap_or_else(PoisonError::into_inner);
        let mine = |shared: &&Arc<Shared>| Rc::ptr_eq(&shared.owned.env.addons, addons);
        all.iter().flat_map(|all| all.values().filter(mine).cloned()).collect()
    };
    for shared in all {
        shared.lock().is_closing = true;
        shared.has_room.notify_all();
        addons.perform_last(Box::new(move || shared.finalize()));
    }
}

api! {
    plain fn napi_create_threadsafe_function(
        env, function: Value, resource: Value, name: Value, most: usize, threads: usize, data: Data, finalize: Option<Finalize>,
        context: Data, call: Option<CallJs>, result: *mut Data,
    ) {
        require(name)?;
        check(threads > 0, Status::InvalidArg)?;
        place(result)?;
        let function = if function.is_null() {
            check(call.is_some(), Status::InvalidArg)?;
            null_mut()
        } else {
            callable(function)?;
            (v8().global_new)(env.isolate, *function)
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let owned = Owned {
            env,
            function,
            call,
            finalize,
            data,
            frame: Mutex::new(Some(AsyncFrame::begin(env, resource, name)?)),
            is_referenced: AtomicBool::new(false),
            is_finalized: AtomicBool::new(false),
        };
        let shared = Arc::new(Shared {
            number,
            queue: Mutex::new(Queue { items: VecDeque::new(), threads, is_closing: false }),
            has_room: Condvar::new(),
            most,
            is_sent: AtomicBool::new(false),
            inbox: env.addons.inbox().ok_or(Status::Closing)?,
            context: context as usize,
            owned,
        });
        shared.reference(true);
        ALL.write().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(number, shared);
        *result = number as Data;
    }

    basic fn napi_ref_threadsafe_function(_env, function: Data) {
        find_function(function)?.reference(true);
    }

    basic fn napi_unref_threadsafe_function(_env, function: Data) {
        find_function(function)?.reference(false);
    }
}

/// May be called on any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_get_threadsafe_function_context(function: Data, result: *mut Data) -> Status {
    match (find_function(function), place(result)) {
        // SAFETY: the addon guarantees that the pointer is valid for writes.
        (Ok(shared), Ok(result)) => unsafe { *result = shared.context as Data },
        _ => return Status::InvalidArg,
    }
    Status::Ok
}

/// May be called on any thread.
#[unsafe(no_mangle)]
pub extern "C" fn napi_call_threadsafe_function(function: Data, item: Data, mode: i32) -> Status {
    find_function(function).map_or(Status::Closing, |shared| shared.push(item, mode))
}

/// May be called on any thread.
#[unsafe(no_mangle)]
pub extern "C" fn napi_acquire_threadsafe_function(function: Data) -> Status {
    let Ok(shared) = find_function(function) else { return Status::Closing };
    let mut queue = shared.lock();
    if queue.is_closing {
        return Status::Closing;
    }
    queue.threads += 1;
    Status::Ok
}

/// May be called on any thread.
#[unsafe(no_mangle)]
pub extern "C" fn napi_release_threadsafe_function(function: Data, mode: i32) -> Status {
    let Ok(shared) = find_function(function) else { return Status::InvalidArg };
    let mut queue = shared.lock();
    if queue.threads == 0 {
        return Status::InvalidArg;
    }
    queue.threads -= 1;
    if (queue.threads == 0 || mode == ABORT) && !queue.is_closing {
        queue.is_closing = mode == ABORT;
        drop(queue);
        shared.has_room.notify_all();
        shared.send();
    }
    Status::Ok
}
