//! Hears of collections of garbage, while somebody wants to: V8 calls before and after each of them, when no JavaScript may
//! run, so what is heard waits here. Profiles hold the heap's figures before and after; who is told hears of kinds and times.
use std::cell::{Cell, RefCell};
use std::ffi::c_int;

use super::api::{Isolate, Raw};
use super::api_addons;
use super::function::{Call, guarded};
use super::heap::{self, SpaceNumbers};
use super::layout::{CallbackInfo, HeapStatistics};
use super::natives::{Natives, clock_ms};
use super::scope::{Local, Scope};
use super::state::State;

pub const NATIVES: Natives = &[
    ("collections_collect", collect),
    ("collections_profile", profile),
    ("collections_profiled", profiled),
    ("heap_codeFigures", code_figures),
];

/// `GCType`: every kind.
const ALL_KINDS: c_int = 31;

/// V8's numbers of a kind of collection and its flags, when it began on the clock of `now()`, and how long it took.
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

/// What an engine has heard.
#[derive(Default)]
pub struct Collections {
    /// V8 calls.
    is_listening: Cell<bool>,
    /// The kind that is under way, and when it began. What another one does inside it is part of it.
    current: Cell<Option<(c_int, f64)>>,
    before: RefCell<Option<Figures>>,
    /// For running profiles, whose numbers and first collections are in `profiles`.
    profiled: RefCell<Vec<Profiled>>,
    profiles: RefCell<Vec<(usize, usize)>>,
    next_profile: Cell<usize>,
    /// For who is told; None while nobody is.
    untold: RefCell<Option<Vec<Collection>>>,
}

/// Keep what comes for who is told, or no longer.
pub fn keep_untold(scope: &Scope<'_>, is_kept: bool) {
    scope.state.inner().collections.untold.replace(is_kept.then(Vec::new));
    listen_as_needed(scope);
}

/// What came since the last time.
pub fn take_untold(state: &State) -> Vec<Collection> {
    state.inner().collections.untold.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
}

/// Have V8 call while anybody listens.
fn listen_as_needed(scope: &Scope<'_>) {
    let collections = &scope.state.inner().collections;
    let is_needed = collections.untold.borrow().is_some() || !collections.profiles.borrow().is_empty();
    if collections.is_listening.replace(is_needed) == is_needed {
        return;
    }
    let Ok(api) = api_addons::load() else { return };
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
/// V8 is calling with this isolate.
unsafe fn figures(isolate: Isolate) -> Figures {
    // SAFETY: the caller's promise.
    unsafe { Figures { heap: heap::numbers_of(isolate), spaces: heap::spaces_of(isolate) } }
}

unsafe extern "C" fn began(isolate: Isolate, kind: c_int, _flags: c_int, _data: Raw) {
    // SAFETY: V8 calls on the isolate's thread, which has a state as long as it is there.
    let collections = unsafe { &State::of(isolate).inner().collections };
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
    let collections = unsafe { &State::of(isolate).inner().collections };
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

/// `collections_profile()`: a number for `collections_profiled`; from now on collections are written down.
unsafe extern "C" fn profile(info: &CallbackInfo) {
    guarded(info, |call| {
        let collections = &call.scope.state.inner().collections;
        let number = collections.next_profile.get();
        collections.next_profile.set(number + 1);
        let first = collections.profiled.borrow().len();
        collections.profiles.borrow_mut().push((number, first));
        listen_as_needed(&call.scope);
        call.answer(call.scope.number(number as f64));
    });
}

/// `collections_profiled(number)`: end a profile. For each collection `[kind, ms, heap before, spaces before, heap after,
/// spaces after]`.
unsafe extern "C" fn profiled(info: &CallbackInfo) {
    guarded(info, |call| {
        let number = call.integer(0);
        let collections = &call.scope.state.inner().collections;
        let mut first = usize::MAX;
        collections.profiles.borrow_mut().retain(|(known, begins_at)| {
            let is_it = *known as i64 == number;
            first = if is_it { *begins_at } else { first };
            !is_it
        });
        let is_last = collections.profiles.borrow().is_empty();
        if is_last {
            listen_as_needed(&call.scope);
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
        items.push(heap::space_rows(scope, &figures.spaces));
    }
    scope.array(&items)
}

/// `collections_collect(options)`: V8's own `gc`, with its options; the answer, too.
unsafe extern "C" fn collect(info: &CallbackInfo) {
    if let Ok(api) = api_addons::load() {
        // SAFETY: the function is a callback of V8 itself, and V8 is calling.
        unsafe { (api.gc_extension)(info as *const CallbackInfo as Raw) };
    }
}

/// `heap_codeFigures()`: the sizes of code, of bytecode, of sources outside of the heap, and of what profiles need, in bytes.
unsafe extern "C" fn code_figures(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| {
        let mut found = [0usize; 8];
        if let Ok(api) = api_addons::load() {
            // SAFETY: the scope proves the isolate current; the numbers have room for V8's structure of four.
            unsafe { (api.code_statistics)(call.scope.isolate, found.as_mut_ptr() as Raw) };
        }
        call.answer(call.scope.array(&numbers(&call.scope, &found[..4])));
    });
}
