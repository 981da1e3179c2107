//! Ending JavaScript from outside: termination, the heap's limit, the stack's limit.
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::api::{Raw, v8};
use super::scope::Scope;
use super::state::State;

/// Kept free below JavaScript's stack for callbacks into Rust and Python and for V8's own C++.
const STACK_RESERVE: usize = 512 * 1024;
/// JavaScript gets no more than this even where the stack is unlimited.
const STACK_MAXIMUM: usize = 7 * 1024 * 1024;

pub fn install(scope: &Scope<'_>) {
    // SAFETY: the scope proves the isolate current; the limit lies in this thread's stack; the callback has V8's
    // signature, and its data is the state, which outlives the isolate.
    unsafe {
        if let Some(limit) = stack_limit() {
            (v8().set_stack_limit)(scope.isolate, limit);
        }
        (v8().add_near_heap_limit)(scope.isolate, near_heap_limit as Raw, scope.state as *const State as Raw);
    }
}

/// The address that JavaScript's stack may grow down to on this thread.
fn stack_limit() -> Option<usize> {
    // SAFETY: the attributes are initialised by the first call and destroyed by the last; the others only read them.
    let (low, size) = unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let (mut low, mut size) = (std::ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&attributes, &mut low, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        (low as usize, size)
    };
    let top = low + size;
    let marker = stack_marker();
    if marker < low || marker >= top {
        return None;
    }
    let limit = (low + STACK_RESERVE).max(marker.saturating_sub(STACK_MAXIMUM));
    (limit < marker).then_some(limit)
}

/// An address in the frame of the caller.
#[inline(never)]
fn stack_marker() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

pub fn terminate(state: &State) {
    let _guard = state.disposing.lock().unwrap_or_else(PoisonError::into_inner);
    if state.is_open() {
        // SAFETY: V8 allows this from any thread; the lock keeps the isolate from being disposed of meanwhile.
        unsafe { (v8().terminate)(state.isolate) };
    }
}

/// V8's near-heap-limit callback: end JavaScript, and give it the room to come to its end.
unsafe extern "C" fn near_heap_limit(data: Raw, current: usize, initial: usize) -> usize {
    // SAFETY: the state that `install` gave, alive as long as its isolate.
    let state = unsafe { &*(data as *const State) };
    state.heap_limit_reached.store(true, Ordering::Relaxed);
    // SAFETY: V8 is calling with this isolate.
    unsafe { (v8().terminate)(state.isolate) };
    current + (initial / 4).max(64 << 20)
}
