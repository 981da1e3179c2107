//! Heap statistics, and a collection of the young generation where V8 would wait too long for a full one.
use std::ffi::CStr;
use std::mem::MaybeUninit;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::api::{Raw, v8};
use super::layout::{EXTERNAL_MEMORY_PRESSURE, HEAP, HeapSpaceStatistics, HeapStatistics, NEW_SPACE};
use super::scope::Scope;

/// V8's numbers, in bytes.
pub fn numbers(scope: &Scope<'_>) -> HeapStatistics {
    let mut numbers = HeapStatistics::default();
    // SAFETY: the scope proves the isolate current; the structure is larger than V8's.
    unsafe { (v8().heap_statistics)(scope.isolate, &mut numbers as *mut _ as Raw) };
    numbers
}

/// V8's numbers by their names, in bytes.
pub fn statistics(scope: &Scope<'_>, py: Python<'_>) -> PyResult<Py<PyDict>> {
    let numbers = numbers(scope);
    let result = PyDict::new(py);
    for (name, value) in [
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
    ] {
        result.set_item(name, value)?;
    }
    Ok(result.unbind())
}

/// For each space of the heap its name, then its size, what of it is used, available and in memory, in bytes.
pub type SpaceNumbers = (String, usize, usize, usize, usize);

pub fn spaces(scope: &Scope<'_>) -> Vec<SpaceNumbers> {
    // SAFETY: the scope proves the isolate current.
    let count = unsafe { (v8().heap_space_count)(scope.isolate) };
    let mut found = Vec::with_capacity(count);
    for index in 0..count {
        let mut space = MaybeUninit::<HeapSpaceStatistics>::zeroed();
        // SAFETY: as above; the structure is larger than V8's, and a name that V8 has set is a text of its own.
        let (space, name) = unsafe {
            if !(v8().heap_space_statistics)(scope.isolate, space.as_mut_ptr().cast(), index) {
                continue;
            }
            let space = space.assume_init();
            let name = CStr::from_ptr(space.name).to_string_lossy().into_owned();
            (space, name)
        };
        found.push((name, space.size, space.used, space.available, space.physical));
    }
    found
}

/// Collect the young generation, which takes a fraction of a millisecond. V8 counts the memory of buffers, but does not
/// collect for it before there are 64 MB: by then a stream has read much that nobody holds any more.
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
