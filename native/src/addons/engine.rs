//! What the addons of one engine share: references, the loop, and the tasks run there for them.
//!
//! Whatever comes from the loop (completed work, calls from other threads, finalizers) is a task that `run`, a
//! JavaScript function, carries out. A task therefore runs inside a V8 callback as every addon does, ticks and
//! microtasks follow it, and its exceptions are uncaught exceptions of the program.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::event_loop::{Core, Inbox, Task};
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::{Call, CallbackInfo, Global, Local, Scope, State, guarded};

use super::callbacks::NodeVersion;
use super::cleanup::Hooks;
use super::env::Env;
use super::references::References;
use super::types::Status;

/// From this version of Node-API on, exceptions of callbacks are uncaught exceptions everywhere.
const LOOSE_BEFORE: i32 = 10;

pub type Work = Box<dyn FnOnce()>;

pub struct Addons {
    pub state: Arc<State>,
    /// For the loop's thread only; its inbox is for all threads. Dropped at the end, because environments are never
    /// freed and would keep the loop's descriptors open.
    core: RefCell<Option<Rc<Core>>>,
    /// Persistent private symbols for the wrapped value and the type tag of an object.
    pub wrap_key: Handle,
    pub tag_key: Handle,
    pub references: References,
    pub hooks: Hooks,
    /// The existing deferreds and works; values from an addon are looked up here before use.
    pub deferreds: RefCell<HashSet<usize>>,
    pub works: RefCell<HashSet<usize>>,
    pub contexts: RefCell<HashMap<usize, Rc<AsyncFrame>>>,
    tasks: RefCell<VecDeque<Work>>,
    /// Closing libuv handles.
    closing: RefCell<Vec<Work>>,
    run: Global,
    /// `Buffer.prototype`, and the function that handles an uncaught exception.
    pub buffer_prototype: Global,
    pub uncaught: Global,
    /// Marks an object as not transferable.
    untransferable: Global,
    /// Receives exceptions of addons for older versions that nothing can catch.
    discarded: Global,
    /// Begin, enter, exit, leave and end an asynchronous resource.
    resources: [Global; 5],
    /// Has `domainCall` if the program uses domains.
    hooks_of_library: Global,
    pub node_version: NodeVersion,
    number: Cell<usize>,
    /// The program is over: finalizers and hooks run, JavaScript does not.
    pub is_ending: Cell<bool>,
}

impl Addons {
    /// The addons of the calling engine, created with the first one. `hooks` holds `bufferPrototype`, `uncaught`,
    /// `markAsUntransferable`, `nodeVersion`, `discarded`, `domainCall`, `…Resource`.
    pub fn of(call: &Call<'_>, hooks: Local<'_>) -> PyResult<Rc<Addons>> {
        let scope = &call.scope;
        if let Some(addons) = Addons::find(scope.state) {
            return Ok(addons);
        }
        let missing = |symbol| pyo3::exceptions::PyRuntimeError::new_err(format!("V8 has no {symbol}"));
        crate::v8::api::rare::load().map_err(missing)?;
        let core = Core::of(scope).ok_or_else(|| missing("loop here"))?;
        core.waker()?; // other threads may send from now on
        let private = |name: &str| {
            let name = scope.text(name.as_bytes()).expect("a short text");
            // SAFETY: the scope proves the isolate current; the string is live.
            unsafe { (v8().global_new)(scope.isolate, *(v8().private_new)(scope.isolate, name.handle())) }
        };
        let addons = Rc::new(Addons {
            state: scope.state.share(),
            wrap_key: private("napi.wrap"),
            tag_key: private("napi.type_tag"),
            references: References::default(),
            hooks: Hooks::default(),
            deferreds: RefCell::default(),
            works: RefCell::default(),
            contexts: RefCell::default(),
            tasks: RefCell::default(),
            closing: RefCell::default(),
            run: scope.keep(crate::v8::make_function(scope, run, 0, "", 0)?),
            buffer_prototype: scope.keep(scope.get(hooks, "bufferPrototype")?),
            uncaught: scope.keep(scope.get(hooks, "uncaught")?),
            untransferable: scope.keep(scope.get(hooks, "markAsUntransferable")?),
            discarded: scope.keep(scope.get(hooks, "discarded")?),
            resources: [
                scope.keep(scope.get(hooks, "beginResource")?),
                scope.keep(scope.get(hooks, "enterResource")?),
                scope.keep(scope.get(hooks, "exitResource")?),
                scope.keep(scope.get(hooks, "leaveResource")?),
                scope.keep(scope.get(hooks, "endResource")?),
            ],
            hooks_of_library: scope.keep(hooks),
            node_version: node_version(&scope.utf8(scope.get(hooks, "nodeVersion")?)),
            number: Cell::new(0),
            is_ending: Cell::new(false),
            core: RefCell::new(Some(core.clone())),
        });
        scope.state.keep_addons(addons.clone());
        let ended = addons.clone();
        core.at_close(Box::new(move |_| super::cleanup::end(&ended)));
        Ok(addons)
    }

    /// The addons of an engine that has loaded one.
    pub fn find(state: &State) -> Option<Rc<Addons>> {
        state.addons()?.downcast::<Addons>().ok()
    }

    /// An id that is unique in this engine; never zero.
    pub fn next_number(&self) -> usize {
        let next = self.number.get() + 1;
        self.number.set(next);
        next
    }

    pub fn core(&self) -> Option<Rc<Core>> {
        self.core.borrow().clone()
    }

    pub fn inbox(&self) -> Option<Arc<Inbox>> {
        self.core().map(|core| core.inbox.clone())
    }

    /// Counts what keeps the program alive.
    pub fn refer(&self, change: i64) {
        if let Some(core) = self.core() {
            core.refer(change);
        }
    }

    pub fn let_go_of_loop(&self) {
        drop(self.core.take());
    }

    /// Runs `work` now, from the loop, followed by ticks and microtasks.
    pub fn perform(&self, work: Work) -> PyResult<()> {
        self.tasks.borrow_mut().push_back(work);
        self.core().map_or(Ok(()), |core| core.call(&self.run, &[]))
    }

    /// Runs `work` now, from outside of JavaScript, without ticks and microtasks; for the program's end.
    pub fn perform_last(&self, work: Work) {
        self.tasks.borrow_mut().push_back(work);
        let _ = self.state.enter(|scope| scope.call(self.run.in_scope(scope)?, &[]).map(|_| ()));
    }

    /// Runs `work` as `perform` does, in the loop's next turn, which starts without waiting.
    pub fn later(&self, work: impl FnOnce() + 'static) {
        let state = self.state.clone();
        self.push(move || Addons::find(&state).map_or(Ok(()), |addons| addons.perform(Box::new(work))));
    }

    /// Calls `work` in the loop's next turn, which starts without waiting.
    fn push(&self, work: impl FnOnce() -> PyResult<()> + 'static) {
        struct OwnThread<T>(T);
        // SAFETY: the inbox requires Send because other threads use it too; this value is sent and received on the
        // loop's own thread.
        unsafe impl<T> Send for OwnThread<T> {}
        impl<T> OwnThread<T> {
            fn open(self) -> T {
                self.0
            }
        }
        let work = OwnThread(work);
        let Some(inbox) = self.inbox() else { return };
        inbox.push(Task::Native(Box::new(move |_| work.open()())));
    }

    /// Runs `work` in the loop's next turn, in reverse order of these calls, as libuv does for closing handles.
    pub fn close_later(&self, work: Work) {
        let is_first = self.closing.borrow().is_empty();
        self.closing.borrow_mut().push(work);
        if !is_first {
            return;
        }
        let state = self.state.clone();
        self.push(move || {
            let Some(addons) = Addons::find(&state) else { return Ok(()) };
            let closing = addons.closing.take();
            closing.into_iter().rev().try_for_each(|work| addons.perform(work))
        });
    }

    /// Reports an exception that nothing can catch to the program.
    pub fn report_uncaught(&self, scope: &Scope<'_>, value: Local<'_>) {
        if let Ok(uncaught) = self.uncaught.in_scope(scope) {
            let _ = scope.call(uncaught, &[value.handle()]);
        }
    }

    /// The function that calls a function in its receiver's domain, if the program uses domains.
    pub fn domain_call<'s>(&self, scope: &Scope<'s>) -> Option<Local<'s>> {
        let call = scope.get(self.hooks_of_library.in_scope(scope).ok()?, "domainCall").ok()?;
        // SAFETY: the handle is live; the test has no side effects.
        unsafe { (v8().is_function)(call.handle()) }.then_some(call)
    }

    /// Keeps a buffer over an addon's memory in this engine, as in Node.
    pub fn keep_here(&self, scope: &Scope<'_>, buffer: Handle) {
        if let Ok(mark) = self.untransferable.in_scope(scope) {
            let _ = scope.call(mark, &[buffer]);
        }
    }

    /// As `enter`, for calls whose exceptions Node discards with a warning if the addon was built for a version before
    /// 10.
    pub fn enter_loosely(&self, env: &Env, call: impl FnOnce(&Env)) {
        if env.api_version >= LOOSE_BEFORE {
            return self.enter(env, call);
        }
        let ((), exception) = env.enter(|_| call(env));
        if let Some(exception) = exception {
            self.discard(env, exception);
        }
    }

    fn discard(&self, env: &Env, exception: Local<'_>) {
        let scope = env.scope();
        if let (false, Ok(discarded)) = (self.is_ending.get(), self.discarded.in_scope(&scope)) {
            let _ = scope.call(discarded, &[exception.handle()]);
        }
    }

    /// Calls into an addon from a task; its exceptions are uncaught exceptions of the program.
    pub fn enter(&self, env: &Env, call: impl FnOnce(&Env)) {
        let ((), exception) = env.enter(|_| call(env));
        if let Some(exception) = exception
            && !self.is_ending.get()
        {
            // SAFETY: a task runs inside a V8 callback, so an exception may be scheduled.
            unsafe { (v8().throw)(env.isolate, exception.handle()) };
        }
    }
}

fn node_version(text: &[u8]) -> NodeVersion {
    let text = String::from_utf8_lossy(text);
    let mut numbers = text.trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    NodeVersion { major: next(), minor: next(), patch: next(), release: c"node".as_ptr() }
}

/// The JavaScript function that runs the next task.
extern "C" fn run(info: &CallbackInfo) {
    guarded(info, |call| {
        let work = Addons::find(call.scope.state).and_then(|addons| addons.tasks.borrow_mut().pop_front());
        if let Some(work) = work {
            work();
        }
    });
}

/// A snapshot of the asynchronous context (the values of AsyncLocalStorage) to be restored in a later call, and the
/// resource reported to `async_hooks`, if these are in use.
pub struct AsyncFrame {
    frame: Handle,
    resource: Option<Global>,
    state: Arc<State>,
}

/// The context that was current before another was entered: a persistent handle.
pub struct PreviousContext(Handle);

#[derive(Clone, Copy)]
enum Step {
    Begin,
    Enter,
    Exit,
    Leave,
    End,
}

impl AsyncFrame {
    /// The current context, as a resource of the type `name`. `resource` may be a null pointer, but not undefined or
    /// null.
    pub fn begin(env: &Env, resource: Handle, name: Handle) -> Result<AsyncFrame, Status> {
        let scope = env.scope();
        // SAFETY: the handle is null or live.
        let word = (!resource.is_null()).then(|| unsafe { *resource });
        if word.is_some_and(|word| word == scope.undefined().word() || word == scope.null().word()) {
            return Err(Status::ObjectExpected);
        }
        let object = if resource.is_null() { env.undefined() } else { resource };
        let created = env.addons.notify(&scope, Step::Begin, &[object, name]);
        let resource =
            created.filter(|created| created.word() != scope.undefined().word()).map(|created| scope.keep(created));
        // SAFETY: an addon is running, so the isolate is current; the handle is live.
        let frame = unsafe { (v8().global_new)(env.isolate, *(v8().async_context)(env.isolate)) };
        Ok(AsyncFrame { frame, resource, state: env.state.clone() })
    }

    /// No context.
    pub fn nothing(env: &Env) -> AsyncFrame {
        // SAFETY: as above.
        let frame = unsafe { (v8().global_new)(env.isolate, *env.undefined()) };
        AsyncFrame { frame, resource: None, state: env.state.clone() }
    }

    fn notify(&self, env: &Env, step: Step) {
        let scope = env.scope();
        if let Some(Ok(resource)) = self.resource.as_ref().map(|resource| resource.in_scope(&scope)) {
            env.addons.notify(&scope, step, &[resource.handle()]);
        }
    }

    /// Calls `work` inside the context; `has_thrown` interprets its result.
    pub fn within<R>(&self, env: &Env, work: impl FnOnce() -> R, has_thrown: impl FnOnce(&R) -> bool) -> R {
        // SAFETY: the persistent handle is live as long as `self`.
        let entered = self.enter(env, unsafe { *self.frame });
        let result = work();
        self.exit(env, entered, has_thrown(&result));
        result
    }

    /// Enter the resource without its AsyncLocalStorage values, as a callback scope does in Node. The result is for
    /// `exit`.
    pub fn enter_bare(&self, env: &Env) -> PreviousContext {
        self.enter(env, env.scope().undefined().word())
    }

    fn enter(&self, env: &Env, frame: usize) -> PreviousContext {
        // SAFETY: called inside a V8 callback, with the word of a live value.
        let before = unsafe {
            let before = (v8().global_new)(env.isolate, *(v8().async_context)(env.isolate));
            (more().set_async_context)(env.isolate, env.scope().handle_for(frame).handle());
            before
        };
        self.notify(env, Step::Enter);
        PreviousContext(before)
    }

    pub fn exit(&self, env: &Env, entered: PreviousContext, has_thrown: bool) {
        self.notify(env, if has_thrown { Step::Leave } else { Step::Exit });
        // SAFETY: called inside a V8 callback; the handle is live until it is released here, once.
        unsafe { (more().set_async_context)(env.isolate, env.scope().handle_for(*entered.0).handle()) };
        env.release(entered.0);
    }

    /// Reports the end of the resource, which is not entered again.
    pub fn end(&self, env: &Env) {
        self.notify(env, Step::End);
    }
}

impl Addons {
    /// Reports a step in the life of a resource to JavaScript.
    fn notify<'s>(&self, scope: &Scope<'s>, step: Step, values: &[Handle]) -> Option<Local<'s>> {
        if self.is_ending.get() {
            return None;
        }
        scope.call(self.resources[step as usize].in_scope(scope).ok()?, values).ok()
    }
}

impl Drop for AsyncFrame {
    fn drop(&mut self) {
        self.state.release(self.frame);
    }
}

/// The address of a callback, as V8 takes it.
pub fn as_raw(callback: extern "C" fn(&CallbackInfo)) -> Raw {
    callback as Raw
}
