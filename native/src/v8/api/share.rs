//! `std::shared_ptr` of V8's C++ library, owned by Rust.
use std::sync::atomic::Ordering;

use super::Raw;
use super::layout::{CONTROL_ON_ZERO_SHARED, CONTROL_ON_ZERO_WEAK, SharedPointer};

/// One share of the ownership, released on drop.
pub struct Share(SharedPointer);

// SAFETY: the control block counts atomically, and what rt shares (memory of buffers, task runners) may be destroyed on
// any thread, as V8 does itself.
unsafe impl Send for Share {}
// SAFETY: a shared reference only reads the address and counts atomically.
unsafe impl Sync for Share {}

impl Share {
    /// # Safety
    /// V8 returned the share to the caller, which owns it.
    pub unsafe fn new(pointer: SharedPointer) -> Share {
        Share(pointer)
    }

    /// Another share, for V8 to own.
    pub fn another(&self) -> SharedPointer {
        let SharedPointer { object, control } = self.0;
        if !control.is_null() {
            // SAFETY: this share keeps the block alive.
            unsafe { (*control).owners.fetch_add(1, Ordering::Relaxed) };
        }
        SharedPointer { object, control }
    }

    /// The object, null for an empty pointer.
    pub fn object(&self) -> Raw {
        self.0.object
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let control = self.0.control;
        if control.is_null() {
            return;
        }
        // SAFETY: `~shared_ptr` of V8's C++ library: releasing the last share destroys the object, then the block.
        unsafe {
            if (*control).owners.fetch_sub(1, Ordering::AcqRel) == 0 {
                let table = (*control).table;
                (*table.add(CONTROL_ON_ZERO_SHARED))(control);
                let is_last = (*control).weak_owners.load(Ordering::Acquire) == 0
                    || (*control).weak_owners.fetch_sub(1, Ordering::AcqRel) == 0;
                if is_last {
                    (*table.add(CONTROL_ON_ZERO_WEAK))(control);
                }
            }
        }
    }
}
