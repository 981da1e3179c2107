//! Garbage collection events. V8 reports the start and the end of each collection, when no JavaScript may run, so they
//! are stored here. Profiles need the heap's statistics before and after; observers need kinds and times.
use std::cell::{Cell, RefCell};
use std::ffi::c_int;

use super::statistics::{self, SpaceNumbers};
use crate::v8::api::layout::{CallbackInfo, HeapStatistics};
use crate::v8::api::rare;
use crate::v8::api::{Isolate, Raw};
use crate::v8::values::clock::clock_ms;
use crate::v8::values::function::Natives;
use crate::v8::values::function::{Call, guarded};
use crate::v8::values::scope::{Local, Scope};
use crate::v8::values::state::State;

pub const NATIVES: Natives = &[
    ("collections_collect", collect),
    ("collections_profile", profile),
    ("collections_profiled", profiled),
    ("heap_codeFigures", code_figures),
];

/// `GCType`: all kinds.
const ALL_KINDS: c_int = 31;

/// V8's numbers for the kind and the flags of a collection, its start on the clock of `now()`, and its duration.
#[derive(Clone, Copy)]
pub struct Collection {
    kind: c_int,
    flags: c_int,
    start_ms: f64,
    duration_ms: f64,
}

impl Collection {
    pub fn figures(&self) -> [f64; 4] {
        [self.kind.into(), self.flags.into(), self.start_ms, self.duration_ms]
    }
}

struct Figures {
    heap: HeapStatistics,
    spaces: Vec<SpaceNumbers>,
}

struct Profiled {
    collection: Collection,
    before: Figures,
    after: Figures,
}

/// The collections that an engine has recorded.
#[derive(Default)]
pub struct Collections {
    /// Whether V8's callbacks are installed.
    is_listening: Cell<bool>,
    /// The kind and the start of the collection in progress. Collections nested in it count as part of it.
    current: Cell<Option<(c_int, f64)>>,
    before: RefCell<Option<Figures>>,
    /// For running profiles; `profiles` holds their numbers and the index of their first collection.
    profiled: RefCell<Vec<Profiled>>,
    profiles: RefCell<Vec<(usize, usize)>>,
    next_profile: Cell<usize>,
    /// Collections for observers; None while there are none.
    untold: RefCell<Option<Vec<Collection>>>,
}

/// Starts or stops recording collections for observers.
pub fn record_for_observers(scope: &Scope<'_>, is_kept: bool) {
    scope.state.slot::<Collections>().untold.replace(is_kept.then(Vec::new));
    update_callbacks(scope);
}

/// Takes the collections since the last call.
pub fn take_recorded(state: &State) -> Vec<Collection> {
    state.slot::<Collections>().untold.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
}

/// Installs or removes V8's callbacks.
fn update_callbacks(scope: &Scope<'_>) {
    let collections = scope.state.slot::<Collections>();
    let is_needed = collections.untold.borrow().is_some() || !collections.profiles.borrow().is_empty();
    if collections.is_listening.replace(is_needed) == is_needed {
        return;
    }
    let Ok(api) = rare::load() else { return };
    let data = std::ptr::null_mut();
    // SAFETY: the scope proves the isolate current; the callbacks have V8's signature.
    unsafe {
        if is_needed {
            (api.add_gc_prologue)(scope.isolate, began as Raw, data, ALL_KINDS);
            (api.add_gc_epilogue)(scope.isolate, ended as Raw, data, ALL_KINDS);
        } else {
            collections.current.take();
            (api.remove_gc_prologue)(scope.isolate, began as Raw, data);
            (api.remove_gc_epilogue)(scope.isolate, ended as Raw, data);
        }
    }
}

/// # Safety
/// V8 passes this isolate, which is current.
unsafe fn figures(isolate: Isolate) -> Figures {
    // SAFETY: guaranteed by the caller.
    unsafe { Figures { heap: statistics::numbers_of(isolate), spaces: statistics::spaces_of(isolate) } }
}

unsafe extern "C" fn began(isolate: Isolate, kind: c_int, _flags: c_int, _data: Raw) {
    // SAFETY: V8 calls on the isolate's thread, and the isolate's state lives as long as it.
    let collections = unsafe { State::of(isolate).slot::<Collections>() };
    if collections.current.get().is_some() {
        return;
    }
    if !collections.profiles.borrow().is_empty() {
        // SAFETY: as above.
        collections.before.replace(Some(unsafe { figures(isolate) }));
    }
    collections.current.set(Some((kind, clock_ms())));
}

unsafe extern "C" fn ended(isolate: Isolate, kind: c_int, flags: c_int, _data: Raw) {
    // SAFETY: as for `began`.
    let collections = unsafe { State::of(isolate).slot::<Collections>() };
    let Some((_, start_ms)) = collections.current.get().filter(|(current, _)| *current == kind) else { return };
    collections.current.take();
    let collection = Collection { kind, flags, start_ms, duration_ms: clock_ms() - start_ms };
    if let Some(before) = collections.before.take() {
        // SAFETY: as above.
        let after = unsafe { figures(isolate) };
        collections.profiled.borrow_mut().push(Profiled { collection, before, after });
    }
    if let Some(untold) = collections.untold.borrow_mut().as_mut() {
        untold.push(collection);
    }
}

/// `collections_profile()`: starts recording; returns a number for `collections_profiled`.
extern "C" fn profile(info: &CallbackInfo) {
    guarded(info, |call| {
        let collections = call.scope.state.slot::<Collections>();
        let number = collections.next_profile.get();
        collections.next_profile.set(number + 1);
        let first = collections.profiled.borrow().len();
        collections.profiles.borrow_mut().push((number, first));
        update_callbacks(&call.scope);
        call.answer(call.scope.number(number as f64));
    });
}

/// `collections_profiled(number)`: ends a profile. For each collection `[kind, ms, heap before, spaces before, heap
/// after, spaces after]`.
extern "C" fn profiled(info: &CallbackInfo) {
    guarded(info, |call| {
        let number = call.integer(0);
        let collections = call.scope.state.slot::<Collections>();
        let mut first = usize::MAX;
        collections.profiles.borrow_mut().retain(|(known, begins_at)| {
            let is_it = *known as i64 == number;
            first = if is_it { *begins_at } else { first };
            !is_it
        });
        let is_last = collections.profiles.borrow().is_empty();
        if is_last {
            update_callbacks(&call.scope);
        }
        let rows: Vec<Local<'_>> = {
            let all = collections.profiled.borrow();
            all.get(first..).unwrap_or_default().iter().map(|each| row(&call.scope, each)).collect()
        };
        if is_last {
            collections.profiled.take();
        }
        call.answer(call.scope.array(&rows));
    });
}

fn numbers<'s>(scope: &Scope<'s>, numbers: &[usize]) -> Vec<Local<'s>> {
    numbers.iter().map(|number| scope.number(*number as f64)).collect()
}

fn row<'s>(scope: &Scope<'s>, one: &Profiled) -> Local<'s> {
    let mut items = vec![scope.number(one.collection.kind.into()), scope.number(one.collection.duration_ms)];
    for figures in [&one.before, &one.after] {
        let heap = &figures.heap;
        items.push(scope.array(&numbers(
            scope,
            &[
                heap.total_heap_size,
                heap.total_heap_size_executable,
                heap.total_physical_size,
                heap.total_available_size,
                heap.total_global_handles_size,
                heap.used_global_handles_size,
                heap.used_heap_size,
                heap.heap_size_limit,
                heap.malloced_memory,
                heap.external_memory,
                heap.peak_malloced_memory,
            ],
        )));
        items.push(statistics::space_rows(scope, &figures.spaces));
    }
    scope.array(&items)
}

/// `collections_collect(options)`: V8's own `gc`, with its options and its result.
extern "C" fn collect(info: &CallbackInfo) {
    if let Ok(api) = rare::load() {
        // SAFETY: the function is a callback of V8 itself, and V8 is calling.
        unsafe { (api.gc_extension)(info as *const CallbackInfo as Raw) };
    }
}

/// `heap_codeFigures()`: the sizes in bytes of code, of bytecode, of external sources, and of profiling data.
extern "C" fn code_figures(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| {
        let mut found = [0usize; 8];
        if let Ok(api) = rare::load() {
            // SAFETY: the scope proves the isolate current; the array has room for V8's structure of four numbers.
            unsafe { (api.code_statistics)(call.scope.isolate, found.as_mut_ptr() as Raw) };
        }
        call.answer(call.scope.array(&numbers(&call.scope, &found[..4])));
    });
}
