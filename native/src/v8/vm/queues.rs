//! Microtask queues of contexts (`microtaskMode: 'afterEvaluate'`), run after each evaluation in the context.
use super::tables::Tables;
use crate::v8::api::layout::{EMBEDDER_QUEUE, small_integer};
use crate::v8::api::{Raw, v8};
use crate::v8::values::inner::Closing;
use crate::v8::values::scope::{Local, Scope};
use crate::v8::values::state::State;
use crate::v8::values::weak;

/// Own `queue`, which V8 has released, as long as `context` lives.
pub fn adopt(scope: &Scope<'_>, context: Local<'_>, queue: Raw) {
    let tables = scope.state.slot::<Tables>();
    scope.state.at_close(Closing::Queues, close);
    sweep(scope.state);
    let id = tables.last_queue.get() + 1;
    tables.last_queue.set(id);
    tables.queues.borrow_mut().insert(id, queue as usize);
    // SAFETY: the handles are live.
    unsafe {
        let number = (v8().integer_new)(scope.isolate, id);
        (v8().context_set_embedder_data)(context.handle(), EMBEDDER_QUEUE, number);
    }
    weak::watch(scope, context, move |state| {
        let tables = state.slot::<Tables>();
        let queue = tables.queues.borrow_mut().remove(&id);
        tables.dead_queues.borrow_mut().extend(queue); // deleted outside the collector
    });
}

/// Deletes all queues. No JavaScript runs in this engine any more; its isolate still exists.
fn close(state: &State) {
    let tables = state.slot::<Tables>();
    tables.dead_queues.borrow_mut().extend(tables.queues.take().into_values());
    sweep(state);
}

fn sweep(state: &State) {
    for queue in state.slot::<Tables>().dead_queues.take() {
        // SAFETY: the context of the queue is collected or runs no more; the queue is deleted once, outside the
        // collector.
        unsafe { (v8().microtask_queue_delete)(queue as Raw) };
    }
}

/// Runs the microtasks of `context` if it has a queue. Must not be called after an evaluation that was terminated or
/// threw: V8 would apply the termination to the microtask that requested the evaluation as well.
pub fn run(scope: &Scope<'_>, context: Local<'_>) {
    if let Some(queue) = queue_of(scope, context) {
        // SAFETY: the queue lives as long as its context.
        unsafe { (v8().microtask_queue_run)(queue, scope.isolate) };
    }
}

/// The queue of `context`, if it has one.
pub fn queue_of(scope: &Scope<'_>, context: Local<'_>) -> Option<Raw> {
    if context.is(scope.context) || scope.state.slot::<Tables>().queues.borrow().is_empty() {
        return None;
    }
    // SAFETY: the context is live and was created by `contexts` with this field.
    let number = unsafe { scope.local((v8().context_embedder_data)(context.handle(), EMBEDDER_QUEUE)) };
    let id = number.and_then(|number| small_integer(number.word())).unwrap_or(0);
    scope.state.slot::<Tables>().queues.borrow().get(&id).map(|queue| *queue as Raw)
}
