//! Asynchronous work: runs on a thread of the loop's pool and completes on the loop.
//!
//!     IDLE --queue--> QUEUED --taken by a thread--> RUNNING --done--> IDLE (complete)
//!                     QUEUED --cancel--> CANCELLED --> IDLE (complete with napi_cancelled)
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::event_loop::{Inbox, Task};

use super::engine::{Addons, AsyncFrame};
use super::env::{Env, api, check, place};
use super::thrown::{attempt, call};
use super::types::{Data, RawEnv, Status, Value};

type Execute = unsafe extern "C" fn(RawEnv, Data);
type Complete = unsafe extern "C" fn(RawEnv, Status, Data);

const IDLE: u8 = 0;
const QUEUED: u8 = 1;
const RUNNING: u8 = 2;
const CANCELLED: u8 = 3;

struct Work {
    env: &'static Env,
    execute: Execute,
    complete: Option<Complete>,
    data: Data,
    frame: AsyncFrame,
    state: AtomicU8,
    inbox: Arc<Inbox>,
}

// SAFETY: threads call only `execute`, with the data that the addon provided for that, and read `state`; `frame` is
// released by the loop's thread, or through the state's list of handles.
unsafe impl Send for Work {}
// SAFETY: as above.
unsafe impl Sync for Work {}

/// Complete the work on the loop; an exception thrown on its thread is uncaught.
fn complete(work: Arc<Work>, status: Status, thrown: Option<String>) {
    let inbox = work.inbox.clone();
    inbox.send(Task::Native(Box::new(move |core| {
        core.refer(-1);
        let env = work.env;
        work.state.store(IDLE, Ordering::Release);
        if let Some(text) = thrown {
            env.addons.perform(Box::new(move || env.addons.enter(env, |env| env.set_error(&text))))?;
        }
        let Some(complete) = work.complete else { return Ok(()) };
        env.addons.perform(Box::new(move || {
            let words = [env.raw() as usize, status as usize, work.data as usize, 0];
            env.addons.enter(env, |env| {
                // SAFETY: the addon provided the function with these arguments.
                work.frame.within(env, || unsafe { call(env, complete as Data, words) }, |_| false);
            });
        }))
    })));
}

/// The work behind an addon's pointer, if it exists.
unsafe fn find_work(addons: &Addons, work: Data) -> Result<Arc<Work>, Status> {
    place(work)?;
    check(addons.works.borrow().contains(&(work as usize)), Status::InvalidArg)?;
    // SAFETY: a known work is an Arc whose count has not been released.
    unsafe {
        Arc::increment_strong_count(work as *const Work);
        Ok(Arc::from_raw(work as *const Work))
    }
}

api! {
    plain fn napi_create_async_work(env, resource: Value, name: Value, execute: Option<Execute>, complete: Option<Complete>, data: Data, result: *mut Data) {
        let execute = execute.ok_or(Status::InvalidArg)?;
        place(result)?;
        super::env::require(name)?;
        let work = Work { env, execute, complete, data, frame: AsyncFrame::begin(env, resource, name)?, state: AtomicU8::new(IDLE), inbox: env.addons.inbox().ok_or(Status::Closing)? };
        let raw = Arc::into_raw(Arc::new(work));
        env.addons.works.borrow_mut().insert(raw as usize);
        *result = raw as Data;
    }

    plain fn napi_delete_async_work(env, work: Data) {
        place(work)?;
        check(env.addons.works.borrow_mut().remove(&(work as usize)), Status::InvalidArg)?;
        let work = Arc::from_raw(work as *const Work);
        work.frame.end(env);
    }

    basic fn napi_queue_async_work(env, work: Data) {
        let work = find_work(&env.addons, work)?;
        let queued = work.state.compare_exchange(IDLE, QUEUED, Ordering::AcqRel, Ordering::Acquire);
        check(queued.is_ok() && !env.addons.is_ending.get(), Status::GenericFailure)?;
        let core = env.addons.core().ok_or(Status::Closing)?;
        core.refer(1);
        let submitted = core.submit(Box::new(move || {
            let transition = work.state.compare_exchange(QUEUED, RUNNING, Ordering::AcqRel, Ordering::Acquire);
            if transition.is_ok() {
                let words = [work.env.raw() as usize, work.data as usize, 0, 0];
                // SAFETY: the addon provided the function, with these arguments, for another thread.
                match attempt(work.execute as Data, words) {
                    Ok(_) => complete(work, Status::Ok, None),
                    Err(text) => complete(work, Status::GenericFailure, Some(text)),
                }
            }
        }));
        if submitted.is_err() {
            core.refer(-1);
            return Err(Status::GenericFailure);
        }
    }

    basic fn napi_cancel_async_work(env, work: Data) {
        let work = find_work(&env.addons, work)?;
        let cancelled = work.state.compare_exchange(QUEUED, CANCELLED, Ordering::AcqRel, Ordering::Acquire);
        if cancelled == Err(CANCELLED) {
            return Ok(());
        }
        check(cancelled.is_ok(), Status::GenericFailure)?;
        complete(work, Status::Cancelled, None);
    }
}
