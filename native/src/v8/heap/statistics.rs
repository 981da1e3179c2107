//! Heap statistics, and collections of the young generation where V8 would wait too long for a full one.
use std::ffi::CStr;
use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::v8::api::layout::{EXTERNAL_MEMORY_PRESSURE, HEAP, HeapSpaceStatistics, HeapStatistics, NEW_SPACE};
use crate::v8::api::{Isolate, Raw, v8};
use crate::v8::values::function::{Call, HostOperation};
use crate::v8::values::scope::{Local, Scope};

pub const OPERATIONS: &[(&str, HostOperation)] =
    &[("process_heapStatistics", answer_statistics), ("process_heapSpaces", answer_spaces)];

/// V8's statistics, in bytes.
pub fn numbers(scope: &Scope<'_>) -> HeapStatistics {
    // SAFETY: the scope proves the isolate current.
    unsafe { numbers_of(scope.isolate) }
}

/// # Safety
/// The isolate is current on this thread, or V8 passes it to a callback.
pub unsafe fn numbers_of(isolate: Isolate) -> HeapStatistics {
    let mut numbers = HeapStatistics::default();
    // SAFETY: guaranteed by the caller; the structure is larger than V8's.
    unsafe { (v8().heap_statistics)(isolate, &mut numbers as *mut _ as Raw) };
    numbers
}

fn named(numbers: &HeapStatistics) -> [(&'static str, usize); 15] {
    [
        ("total_heap_size", numbers.total_heap_size),
        ("total_heap_size_executable", numbers.total_heap_size_executable),
        ("total_physical_size", numbers.total_physical_size),
        ("total_available_size", numbers.total_available_size),
        ("used_heap_size", numbers.used_heap_size),
        ("heap_size_limit", numbers.heap_size_limit),
        ("malloced_memory", numbers.malloced_memory),
        ("external_memory", numbers.external_memory),
        ("peak_malloced_memory", numbers.peak_malloced_memory),
        ("does_zap_garbage", usize::from(numbers.does_zap_garbage)),
        ("number_of_native_contexts", numbers.number_of_native_contexts),
        ("number_of_detached_contexts", numbers.number_of_detached_contexts),
        ("total_global_handles_size", numbers.total_global_handles_size),
        ("used_global_handles_size", numbers.used_global_handles_size),
        ("total_allocated_bytes", numbers.total_allocated_bytes),
    ]
}

/// V8's statistics by name, in bytes.
pub fn statistics(scope: &Scope<'_>, py: Python<'_>) -> PyResult<Py<PyDict>> {
    let result = PyDict::new(py);
    for (name, value) in named(&numbers(scope)) {
        result.set_item(name, value)?;
    }
    Ok(result.unbind())
}

/// `process_heapStatistics()`: V8's statistics by name, in bytes.
fn answer_statistics(call: &Call<'_>) -> bool {
    let object = call.scope.object();
    for (name, value) in named(&numbers(&call.scope)) {
        call.scope.put(object, name, call.scope.number(value as f64));
    }
    call.answer(object);
    true
}

/// A space of the heap: its name, then its size, its used, available and physical bytes.
pub type SpaceNumbers = (&'static CStr, [usize; 4]);

/// # Safety
/// The isolate is current on this thread, or V8 passes it to a callback.
pub unsafe fn spaces_of(isolate: Isolate) -> Vec<SpaceNumbers> {
    // SAFETY: guaranteed by the caller.
    let count = unsafe { (v8().heap_space_count)(isolate) };
    let mut found = Vec::with_capacity(count);
    for index in 0..count {
        let mut space = MaybeUninit::<HeapSpaceStatistics>::zeroed();
        // SAFETY: as above; the structure is larger than V8's, and the names are constants of V8.
        let (name, space) = unsafe {
            if !(v8().heap_space_statistics)(isolate, space.as_mut_ptr().cast(), index) {
                continue;
            }
            let space = space.assume_init();
            (CStr::from_ptr(space.name), space)
        };
        found.push((name, [space.size, space.used, space.available, space.physical]));
    }
    found
}

/// `process_heapSpaces()`: an array for each space.
fn answer_spaces(call: &Call<'_>) -> bool {
    // SAFETY: the scope proves the isolate current.
    let found = unsafe { spaces_of(call.scope.isolate) };
    call.answer(space_rows(&call.scope, &found));
    true
}

/// An array with an array for each space: its name and its numbers.
pub fn space_rows<'s>(scope: &Scope<'s>, spaces: &[SpaceNumbers]) -> Local<'s> {
    let rows: Vec<Local<'_>> = spaces
        .iter()
        .map(|(name, numbers)| {
            let mut row = vec![scope.text(name.to_bytes()).expect("a short text")];
            row.extend(numbers.iter().map(|number| scope.number(*number as f64)));
            scope.array(&row)
        })
        .collect();
    scope.array(&rows)
}

/// Collects the young generation, which takes a fraction of a millisecond. V8 counts the memory of buffers but does not
/// collect for it before they reach 64 MB; a stream has dropped most of them by then.
pub fn collect_young(scope: &Scope<'_>) {
    // SAFETY: the scope proves the isolate current, outside JavaScript; the offset is that of the build (`layout`).
    unsafe {
        (v8().collect_garbage)(
            scope.isolate.cast::<u8>().add(HEAP).cast(),
            NEW_SPACE,
            EXTERNAL_MEMORY_PRESSURE,
            0,
            0,
            0,
        )
    };
}
