//! Work on the pool whose result goes to JavaScript, and completions that JavaScript defers to the next turn.
use pyo3::prelude::*;

use super::core::Core;
use super::inbox::Task;
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo, Global, Local, Scope, guarded};

pub const NATIVES: Natives = &[("core_complete", complete), ("pipes_reference", reference)];

/// The result of work on the pool: creates the callback's arguments on the loop's thread.
pub trait Answer: Send {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>>;
}

impl Core {
    /// The loop of the calling engine, if it has one.
    pub fn of(scope: &Scope<'_>) -> Option<std::rc::Rc<Core>> {
        scope.state.beside::<Core>()
    }

    /// Calls `callback` with the arguments that `answer` creates.
    pub fn answer(&self, callback: &Global, answer: Box<dyn Answer>) -> PyResult<()> {
        let Some(functions) = self.functions() else { return Ok(()) };
        functions.state.enter(|scope| {
            let mut values = vec![callback.in_scope(scope)?];
            values.extend(answer.arguments(scope));
            let handles: Vec<_> = values.iter().map(|value| value.handle()).collect();
            scope.call(functions.call.in_scope(scope)?, &handles).map(|_| ())
        })
    }
}

/// Runs `work` on the pool, then calls `callback` with its answer.
pub fn submit(core: &Core, callback: Global, work: impl FnOnce() -> Box<dyn Answer> + Send + 'static) -> PyResult<()> {
    let inbox = core.inbox.clone();
    core.refer(1);
    let outcome = core.submit(Box::new(move || {
        let answer = work();
        inbox.send(Task::Native(Box::new(move |core| {
            core.refer(-1);
            core.answer(&callback, answer)
        })));
    }));
    if outcome.is_err() {
        core.refer(-1);
    }
    outcome
}

/// Runs `body` with the calling engine's loop; throws a TypeError if it has none.
pub fn with_core(info: &CallbackInfo, body: impl FnOnce(&Call<'_>, &std::rc::Rc<Core>)) {
    guarded(info, |call| match Core::of(&call.scope) {
        Some(core) => body(call, &core),
        None => call.throw_type_error("this engine has no event loop"),
    });
}

/// `core_complete()`: runs the runtime's own completions in the next turn.
extern "C" fn complete(info: &CallbackInfo) {
    with_core(info, |_, core| {
        core.inbox.push(Task::Native(Box::new(|core| {
            let Some(functions) = core.functions() else { return Ok(()) };
            functions.state.enter(|scope| scope.call(functions.completions.in_scope(scope)?, &[]).map(|_| ()))
        })));
    });
}

/// `pipes_reference(change)`: counts what keeps the program alive.
extern "C" fn reference(info: &CallbackInfo) {
    with_core(info, |call, core| core.refer(call.integer(0)));
}
