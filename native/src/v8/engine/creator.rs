//! Start-up snapshots of programs: an engine whose heap is stored after its program has run.
//!
//! Such an engine belongs to a `SnapshotCreator` of V8, the only object that can store a heap. It keeps its isolate current
//! on the thread that created it.
use std::cell::Cell;
use std::collections::HashSet;
use std::ffi::c_int;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::context::{self, Fresh, new_context, new_params};
use super::snapshot::{self, Loaded};
use crate::v8::api::layout::SNAPSHOT_CREATOR_WORDS;
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::values::state::State;

/// With the code of async functions that have run, V8 cannot read the heap again.
const CLEAR_FUNCTION_CODE: c_int = 0;

/// The creator of an engine's isolate, if it has one.
#[derive(Default)]
struct Creator(Cell<usize>);

/// An isolate with its context, for `adopt`, and its creator.
pub struct Creating {
    fresh: Fresh,
    creator: Raw,
}

impl Creating {
    pub fn isolate(&self) -> Isolate {
        self.fresh.isolate
    }
}

/// Creates an isolate whose heap can be stored, and its context, from a snapshot of the runtime.
pub fn fresh(snapshot: Loaded, heap_limit_bytes: Option<usize>) -> PyResult<Creating> {
    let mut params = new_params(Some(snapshot.blob()), heap_limit_bytes);
    let creator = Box::into_raw(Box::new([0usize; SNAPSHOT_CREATOR_WORDS])) as Raw;
    // SAFETY: the memory is large enough and outlives the creator; the pointers of the parameters live as long as the
    // isolate, which is fresh and current.
    unsafe {
        (v8().snapshot_creator)(creator, params.as_mut_ptr() as Raw);
        let isolate = (v8().snapshot_isolate)(creator);
        let context = new_context(isolate, true)?;
        Ok(Creating { fresh: Fresh { isolate, context, snapshot: Some(snapshot) }, creator })
    }
}

/// Makes `create` store the heap of this engine.
pub fn adopt(state: &State, creating: Creating) -> Fresh {
    state.slot::<Creator>().0.set(creating.creator as usize);
    state.inner().globals.replace(Some(HashSet::new()));
    creating.fresh
}

/// Stores the heap of an engine whose program has ended, and closes the engine. The result is a snapshot as `build_snapshot`
/// returns it, of the same sources.
pub fn create(state: &State) -> PyResult<Vec<u8>> {
    state.check()?;
    let creator = state.slot::<Creator>().0.take() as Raw;
    let loaded = context::take_snapshot(state);
    let (false, Some(loaded)) = (creator.is_null(), loaded) else {
        return Err(PyRuntimeError::new_err("the engine was not made for a snapshot"));
    };
    for close in state.inner().closers.take().into_values() {
        close(state);
    }
    state.enter(|scope| {
        context::remove_callbacks(scope);
        // SAFETY: the creator made the isolate.
        unsafe { snapshot::add_contexts(scope, creator) };
        Ok(())
    })?;
    state.release_everything();
    state.inner().let_everything_go();
    let rest = state.inner().globals.take().unwrap_or_default();
    // SAFETY: no JavaScript is on the stack and no scope is open. The owners of the handles do not touch them once the engine is
    // abandoned. `context::open` entered the isolate once more than its creator.
    let bytes = unsafe {
        rest.into_iter().for_each(|handle| (v8().global_dispose)(handle as Handle));
        let blob = (v8().snapshot_blob)(creator, CLEAR_FUNCTION_CODE);
        let bytes = loaded.with_blob(std::slice::from_raw_parts(blob.data, blob.size as usize));
        (v8().operator_delete)(blob.data as Raw);
        state.abandon();
        (v8().isolate_exit)(state.isolate);
        (v8().snapshot_creator_end)(creator);
        drop(Box::from_raw(creator as *mut [usize; SNAPSHOT_CREATOR_WORDS]));
        bytes
    };
    Ok(bytes)
}
