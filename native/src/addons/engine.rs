//! What the addons of one engine share: references, the loop, and what runs there on their behalf.
//!
//! Whatever comes from the loop (work that is done, calls from other threads, finalizers) is a task that `run`, a function of
//! JavaScript, carries out: so it runs inside a callback of V8 as every addon does, ticks and microtasks come after it, and
//! what it throws is an uncaught exception of the program.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::event_loop::{Core, Inbox, Task};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::api_addons::more;
use crate::v8::{Call, CallbackInfo, Global, Local, Scope, State, guarded};

use super::callbacks::NodeVersion;
use super::cleanup::Hooks;
use super::env::Env;
use super::references::References;

pub type Work = Box<dyn FnOnce()>;

pub struct Addons {
    pub state: Arc<State>,
    /// The loop's thread only; its inbox for all.
    /// Let go of at the end, for environments live for ever, and the loop's descriptors go with it.
    core: RefCell<Option<Rc<Core>>>,
    /// Private symbols, persistent: what an object wraps, its type tag.
    pub wrap_key: Handle,
    pub tag_key: Handle,
    pub references: References,
    pub hooks: Hooks,
    /// Deferreds and works that are there: what an addon gives is looked up before it is used.
    pub deferreds: RefCell<HashSet<usize>>,
    pub works: RefCell<HashSet<usize>>,
    pub contexts: RefCell<HashMap<usize, Rc<AsyncFrame>>>,
    tasks: RefCell<VecDeque<Work>>,
    /// Handles of libuv that are closing.
    closing: RefCell<Vec<Work>>,
    run: Global,
    /// `Buffer.prototype`, and the function that deals with an uncaught exception.
    pub buffer_prototype: Global,
    pub uncaught: Global,
    /// Marks an object that is never transferred.
    untransferable: Global,
    pub node_version: NodeVersion,
    number: Cell<usize>,
    /// The program is over: finalizers and hooks run, JavaScript does not.
    pub is_ending: Cell<bool>,
}

impl Addons {
    /// Those of the calling engine; made with the first addon. `hooks` holds `bufferPrototype`, `uncaught`,
    /// `markAsUntransferable`, `nodeVersion`.
    pub fn of(call: &Call<'_>, hooks: Local<'_>) -> PyResult<Rc<Addons>> {
        let scope = &call.scope;
        if let Some(addons) = Addons::known(scope.state) {
            return Ok(addons);
        }
        let missing = |symbol| pyo3::exceptions::PyRuntimeError::new_err(format!("V8 has no {symbol}"));
        crate::v8::api_addons::load().map_err(missing)?;
        let core = Core::of(scope).ok_or_else(|| missing("loop here"))?;
        core.waker()?; // from now on other threads may send
        let private = |name: &str| {
            let name = scope.text(name.as_bytes()).expect("a short text");
            // SAFETY: the scope proves the isolate current; a live string.
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

    /// Those of an engine that has loaded an addon.
    pub fn known(state: &State) -> Option<Rc<Addons>> {
        state.addons()?.downcast::<Addons>().ok()
    }

    /// A number that no other thing of this engine has; never zero.
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

    /// Count what keeps the program alive.
    pub fn refer(&self, change: i64) {
        if let Some(core) = self.core() {
            core.refer(change);
        }
    }

    pub fn let_go_of_loop(&self) {
        drop(self.core.take());
    }

    /// Carry `work` out now, from the loop, with ticks and microtasks after it.
    pub fn perform(&self, work: Work) -> PyResult<()> {
        self.tasks.borrow_mut().push_back(work);
        self.core().map_or(Ok(()), |core| core.call(&self.run, &[]))
    }

    /// Carry `work` out now, from outside of JavaScript, with nothing after it; for the program's end.
    pub fn perform_last(&self, work: Work) {
        self.tasks.borrow_mut().push_back(work);
        let _ = self.state.enter(|scope| scope.call(self.run.in_scope(scope)?, &[]).map(|_| ()));
    }

    /// Carry `work` out in the loop's next turn, which comes.
    pub fn later(&self, work: impl FnOnce() + 'static) {
        let state = self.state.clone();
        self.push(move || Addons::known(&state).map_or(Ok(()), |addons| addons.perform(Box::new(work))));
    }

    /// Have `work` done in the loop's next turn, which comes.
    fn push(&self, work: impl FnOnce() -> PyResult<()> + 'static) {
        struct OwnThread<T>(T);
        // SAFETY: the inbox asks for Send because other threads send too; this is the loop's own thread, which takes it out.
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

    /// Carry `work` out in the loop's next turn; the last that was given comes first, as with libuv's closing handles.
    pub fn close_later(&self, work: Work) {
        let is_first = self.closing.borrow().is_empty();
        self.closing.borrow_mut().push(work);
        if !is_first {
            return;
        }
        let state = self.state.clone();
        self.push(move || {
            let Some(addons) = Addons::known(&state) else { return Ok(()) };
            let closing = addons.closing.take();
            closing.into_iter().rev().try_for_each(|work| addons.perform(work))
        });
    }

    /// Tell the program of an exception that nobody can catch.
    pub fn tell_uncaught(&self, scope: &Scope<'_>, value: Local<'_>) {
        if let Ok(uncaught) = self.uncaught.in_scope(scope) {
            let _ = scope.call(uncaught, &[value.handle()]);
        }
    }

    /// Have a buffer over an addon's memory stay in this engine, as in Node.
    pub fn keep_here(&self, scope: &Scope<'_>, buffer: Handle) {
        if let Ok(mark) = self.untransferable.in_scope(scope) {
            let _ = scope.call(mark, &[buffer]);
        }
    }

    /// Call into an addon from a task; what it throws is uncaught.
    pub fn enter(&self, env: &Env, call: impl FnOnce(&Env)) {
        let ((), exception) = env.enter(|_| call(env));
        if let Some(exception) = exception
            && !self.is_ending.get()
        {
            // SAFETY: a task runs inside a callback of V8, so an exception may be scheduled.
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

/// The function of JavaScript that carries out the next task.
unsafe extern "C" fn run(info: &CallbackInfo) {
    guarded(info, |call| {
        let work = Addons::known(call.scope.state).and_then(|addons| addons.tasks.borrow_mut().pop_front());
        if let Some(work) = work {
            work();
        }
    });
}

/// The asynchronous context of the moment (what AsyncLocalStorage reads), to be had again in a later call.
pub struct AsyncFrame(Handle, Arc<State>);

impl AsyncFrame {
    pub fn now(env: &Env) -> AsyncFrame {
        // SAFETY: an addon is running, so the isolate is current; the handle is live.
        let handle = unsafe { (v8().global_new)(env.isolate, *(v8().async_context)(env.isolate)) };
        AsyncFrame(handle, env.state.clone())
    }

    /// No context.
    pub fn nothing(env: &Env) -> AsyncFrame {
        // SAFETY: as above.
        AsyncFrame(unsafe { (v8().global_new)(env.isolate, *env.undefined()) }, env.state.clone())
    }

    /// Call `work` inside it.
    pub fn within<R>(&self, env: &Env, work: impl FnOnce() -> R) -> R {
        // SAFETY: inside a callback of V8; the handle is live as long as `self`, and the old one in the scope of the callback.
        unsafe {
            let before = (v8().async_context)(env.isolate);
            (more().set_async_context)(env.isolate, env.scope().handle_for(*self.0).handle());
            let result = work();
            (more().set_async_context)(env.isolate, before);
            result
        }
    }
}

impl Drop for AsyncFrame {
    fn drop(&mut self) {
        self.1.release(self.0);
    }
}

/// The pointer of a callback as V8 takes it.
pub fn as_raw(callback: unsafe extern "C" fn(&CallbackInfo)) -> Raw {
    callback as Raw
}
