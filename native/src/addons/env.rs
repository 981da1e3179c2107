//! `napi_env`: one addon in one engine, its last error and its pending exception.
//!
//! Every Node-API function goes through `plain`, or through `running` if it may run JavaScript. Both check cheaply for
//! misuse: no environment, an environment of another thread, or of a closed engine. Environments are never freed, so an
//! addon's thread that outlives its program gets an error status.
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;

use crate::v8::api::layout::TRY_CATCH_WORDS;
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::{Local, Scope, State};

use super::callbacks::OpenScope;
use super::engine::Addons;
use super::references::Id;
use super::types::{Done, EXPERIMENTAL, ExtendedErrorInfo, RawEnv, Status, Value};
use super::uv::event_loop::Loop;

pub struct Env {
    pub isolate: Isolate,
    pub state: Arc<State>,
    pub addons: Rc<Addons>,
    pub api_version: i32,
    /// The addon's file as a URL.
    pub filename: CString,
    last_error: UnsafeCell<ExtendedErrorInfo>,
    /// A persistent handle of the exception that JavaScript sees when the addon returns; null for none.
    exception: Cell<Handle>,
    /// Handle scopes that the addon has opened, the innermost last.
    pub scopes: RefCell<Vec<super::handles::Open>>,
    pub callback_scopes: RefCell<Vec<OpenScope>>,
    /// Their number, which every call of the addon reads without the `RefCell`.
    pub callback_scope_count: Cell<usize>,
    condition: Cell<Condition>,
    pub instance_data: Cell<Option<Id>>,
    pub event_loop: Loop,
}

/// What an environment allows: `Open` everything; `Collecting`, during a finalizer inside the collector, only what does
/// not touch V8's heap; `Closed`, after the end of its engine, nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    Open,
    Collecting,
    Closed,
}

impl Env {
    /// Creates an environment, which is never freed.
    pub fn new(addons: &Rc<Addons>, api_version: i32, filename: CString) -> &'static Env {
        let state = addons.state.clone();
        let no_error =
            ExtendedErrorInfo { message: null_mut(), engine_reserved: null_mut(), engine_code: 0, code: Status::Ok };
        let env = Box::leak(Box::new(Env {
            isolate: state.isolate,
            state,
            addons: addons.clone(),
            api_version,
            filename,
            last_error: UnsafeCell::new(no_error),
            exception: Cell::new(null_mut()),
            scopes: RefCell::default(),
            callback_scopes: RefCell::default(),
            callback_scope_count: Cell::new(0),
            condition: Cell::new(Condition::Open),
            instance_data: Cell::new(None),
            event_loop: Loop::new(),
        }));
        Loop::offer(env);
        env
    }

    pub fn raw(&self) -> RawEnv {
        self
    }

    pub fn close(&self) {
        self.condition.set(Condition::Closed);
    }

    pub fn is_open(&self) -> bool {
        self.condition.get() != Condition::Closed
    }

    /// Runs a finalizer inside the collector.
    pub fn while_collecting(&self, finalizer: impl FnOnce()) {
        let before = self.condition.get();
        if before == Condition::Open {
            self.condition.set(Condition::Collecting);
        }
        finalizer();
        self.condition.set(before);
    }

    /// The result for a finalizer inside the collector that calls a function which may touch V8's heap. As in Node, the
    /// process ends if the addon has opted into such finalizers.
    #[cold]
    fn refuse_in_collector(&self) -> Status {
        if self.api_version == EXPERIMENTAL {
            super::fatal::end(
                "Finalizer is calling a function that may affect GC state.\n\
                The finalizers are run directly from GC and must not affect GC state.\n\
                Use `node_api_post_finalizer` from inside of the finalizer to work around this issue.\n\
                It schedules the call as a new task in the event loop.",
            );
        }
        Status::GenericFailure
    }

    #[inline]
    pub fn context(&self) -> Handle {
        self.state.context()
    }

    /// A scope for the binding's functions. V8 is calling whenever an addon runs, so one is open.
    #[inline]
    pub fn scope(&self) -> Scope<'_> {
        // SAFETY: environments are used on their thread (`usable`), and addons run only inside V8 callbacks.
        unsafe { Scope::in_callback(self.isolate, &self.state) }
    }

    #[inline]
    pub fn undefined(&self) -> Value {
        self.scope().undefined().handle()
    }

    pub fn last_error(&self) -> *mut ExtendedErrorInfo {
        self.last_error.get()
    }

    #[inline]
    pub fn set_last_error(&self, status: Status) -> Status {
        // SAFETY: only the environment's thread writes here, and no Rust reference to it exists.
        unsafe { (*self.last_error.get()).code = status };
        status
    }

    // --- Exceptions.

    pub fn has_exception(&self) -> bool {
        !self.exception.get().is_null()
    }

    /// Throws `value` when the addon returns.
    pub fn set_exception(&self, value: Handle) {
        // SAFETY: the handle is live, and the isolate is current while an addon runs.
        let global = unsafe { (v8().global_new)(self.isolate, *value) };
        self.release(self.exception.replace(global));
    }

    /// Takes the pending exception, as a handle of the innermost scope.
    pub fn take_exception(&self) -> Option<Local<'_>> {
        let exception = self.exception.replace(null_mut());
        if exception.is_null() {
            return None;
        }
        // SAFETY: the persistent handle is live and released after its word is copied to the scope.
        let value = self.scope().handle_for(unsafe { *exception });
        self.release(exception);
        Some(value)
    }

    pub fn release(&self, handle: Handle) {
        if !handle.is_null() {
            self.state.release(handle);
        }
    }

    // --- Calls into the addon.

    /// Calls into the addon from inside a V8 callback, and closes the scopes it leaves open. The second result is the
    /// exception it threw.
    #[inline]
    pub fn enter<R>(&self, call: impl FnOnce(RawEnv) -> R) -> (R, Option<Local<'_>>) {
        let scopes = self.scopes.borrow().len();
        let callback_scopes = self.callback_scope_count.get();
        self.set_last_error(Status::Ok);
        let result = call(self.raw());
        if self.scopes.borrow().len() != scopes {
            super::handles::close_down_to(self, scopes);
        }
        if self.callback_scope_count.get() != callback_scopes {
            super::callbacks::close_down_to(self, callback_scopes);
        }
        (result, self.take_exception())
    }

    /// As `enter`, for calls whose exception goes to the calling JavaScript.
    pub fn enter_throwing<R>(&self, call: impl FnOnce(RawEnv) -> R) -> Option<R> {
        let (result, exception) = self.enter(call);
        match exception {
            None => Some(result),
            Some(exception) => {
                // SAFETY: V8 is calling, so an exception may be scheduled.
                unsafe { (v8().throw)(self.isolate, exception.handle()) };
                None
            }
        }
    }
}

/// The environment behind a pointer from an addon, if it may be used now.
///
/// # Safety
/// The pointer is null or was given to the addon.
#[inline]
unsafe fn usable<'a>(env: RawEnv) -> Result<&'a Env, Status> {
    // SAFETY: guaranteed by the caller; environments are never freed.
    match unsafe { env.as_ref() } {
        None => Err(Status::InvalidArg),
        Some(env) if !env.state.is_owner() => Err(Status::GenericFailure),
        Some(env) => match env.condition.get() {
            Condition::Open => Ok(env),
            Condition::Closed => Err(Status::CannotRunJs),
            Condition::Collecting => Err(env.refuse_in_collector()),
        },
    }
}

/// As `usable`, for functions that do not touch V8's heap.
///
/// # Safety
/// As for `usable`.
unsafe fn usable_always<'a>(env: RawEnv) -> Result<&'a Env, Status> {
    // SAFETY: guaranteed by the caller.
    match unsafe { env.as_ref() } {
        Some(env) if env.state.is_owner() && env.condition.get() == Condition::Collecting => Ok(env),
        // SAFETY: as above.
        _ => unsafe { usable(env) },
    }
}

#[inline]
fn conclude(env: &Env, outcome: std::thread::Result<Done>) -> Status {
    match outcome {
        Ok(Ok(())) => env.set_last_error(Status::Ok),
        Ok(Err(status)) => env.set_last_error(status),
        Err(_) => env.set_last_error(Status::GenericFailure), // a panic in rt, which was printed
    }
}

/// Runs the body of a function that cannot run JavaScript.
///
/// # Safety
/// The pointer is null or was given to the addon.
#[inline]
pub unsafe fn plain(env: RawEnv, body: impl FnOnce(&'static Env) -> Done) -> Status {
    // SAFETY: guaranteed by the caller.
    let env = match unsafe { usable(env) } {
        Ok(env) => env,
        Err(status) => return status,
    };
    conclude(env, catch_unwind(AssertUnwindSafe(|| body(env))))
}

/// Runs the body of a function that finalizers may also call inside the collector.
///
/// # Safety
/// The pointer is null or was given to the addon.
pub unsafe fn basic(env: RawEnv, body: impl FnOnce(&'static Env) -> Done) -> Status {
    // SAFETY: guaranteed by the caller.
    let env = match unsafe { usable_always(env) } {
        Ok(env) => env,
        Err(status) => return status,
    };
    conclude(env, catch_unwind(AssertUnwindSafe(|| body(env))))
}

/// The context of a function that may run JavaScript, whose exceptions become the environment's.
pub struct Running {
    pub env: &'static Env,
    words: *mut usize,
}

impl Running {
    fn has_caught(&self) -> bool {
        // SAFETY: the catcher is open until `running` returns.
        unsafe { (more().has_caught)(self.words as Raw) }
    }

    /// The status for a V8 call that returned nothing: `PendingException` if it threw, otherwise `status`.
    pub fn failure_status(&self, status: Status) -> Status {
        if self.has_caught() { Status::PendingException } else { status }
    }

    /// V8's result; if it is empty, the status of `failure_status`.
    pub fn some(&self, handle: Handle, status: Status) -> Result<Handle, Status> {
        if handle.is_null() { Err(self.failure_status(status)) } else { Ok(handle) }
    }
}

impl std::ops::Deref for Running {
    type Target = Env;
    fn deref(&self) -> &Env {
        self.env
    }
}

/// Runs the body of a function that may run JavaScript.
///
/// # Safety
/// The pointer is null or was given to the addon.
#[inline]
pub unsafe fn running(env: RawEnv, body: impl FnOnce(&Running) -> Done) -> Status {
    // SAFETY: guaranteed by the caller.
    let env = match unsafe { usable(env) } {
        Ok(env) => env,
        Err(status) => return status,
    };
    if env.has_exception() {
        return env.set_last_error(Status::PendingException);
    }
    if env.addons.is_ending.get() {
        let is_new = env.api_version >= 10;
        return env.set_last_error(if is_new { Status::CannotRunJs } else { Status::PendingException });
    }
    let mut words = [0usize; TRY_CATCH_WORDS];
    // SAFETY: the words have room for V8's structure and stay in place until it is destroyed below.
    unsafe { (v8().try_catch)(words.as_mut_ptr() as Raw, env.isolate) };
    let running = Running { env, words: words.as_mut_ptr() };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        body(&running)?;
        if running.has_caught() { Err(Status::PendingException) } else { Ok(()) }
    }));
    // SAFETY: the catcher is open, and what it caught is a live handle. After a termination nothing is stored: V8
    // continues it when the addon returns.
    unsafe {
        let catcher = words.as_mut_ptr() as Raw;
        if (more().has_caught)(catcher) && !(v8().try_catch_has_terminated)(catcher) {
            let exception = (v8().try_catch_exception)(catcher);
            if !exception.is_null() {
                env.set_exception(exception);
            }
        }
        (v8().try_catch_end)(catcher);
    }
    conclude(env, outcome)
}

/// Define Node-API functions: `basic`, `plain` or `running` selects how the body runs. The body gets the environment
/// under the name of the first parameter, may use `?` with a status, and otherwise succeeds.
macro_rules! api {
    ($($(#[$doc:meta])* $kind:ident fn $name:ident($env:ident $(, $argument:ident: $type:ty)* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($env: $crate::addons::types::RawEnv $(, $argument: $type)*) -> $crate::addons::types::Status {
            // SAFETY: the addon's part of the contract in node_api.h: the environment was given to it, pointers are
            // null (checked where that is forbidden) or valid for writes, handles are live and of this thread. rt's
            // part: the function runs inside a V8 callback, so the isolate is current and a handle scope is open.
            unsafe {
                $crate::addons::env::$kind($env, |$env| {
                    $body
                    #[allow(unreachable_code)]
                    Ok(())
                })
            }
        }
    )*};
}
pub(super) use api;

/// An argument that must not be null.
#[inline]
pub fn require(value: Value) -> Result<Value, Status> {
    if value.is_null() { Err(Status::InvalidArg) } else { Ok(value) }
}

/// A pointer that must not be null.
#[inline]
pub fn place<T>(pointer: *mut T) -> Result<*mut T, Status> {
    if pointer.is_null() { Err(Status::InvalidArg) } else { Ok(pointer) }
}

/// Writes a result unless the addon passed null.
///
/// # Safety
/// The pointer is null or valid for writing a `T`.
#[inline]
pub unsafe fn store<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe { pointer.write(value) };
    }
}

/// Fail with `status` unless a condition holds.
#[inline]
pub fn check(condition: bool, status: Status) -> Done {
    if condition { Ok(()) } else { Err(status) }
}
