//! Freed blocks of array buffers, kept for the next allocation: streams and files read block after block.
//!
//! V8's allocator gives the pages of a freed block back to the system and takes fresh ones for the next, each of which
//! the system maps and clears: for a stream of blocks that is most of what it costs. Blocks of one size are kept here,
//! as many as V8 lets become garbage before it collects; an event loop that has nothing to do frees them. V8 frees on
//! threads of its own, so the list is guarded.
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The bytes of a block: streams read as many at once.
pub const SIZE: usize = 64 << 10;
/// How many are kept. Fewer are soon spent: a collection frees some 64 MB at once, and the next comes after as much.
const MOST: usize = 1024;

static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn free() -> MutexGuard<'static, Vec<usize>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A block that was freed; it still holds its old bytes.
pub fn take() -> Option<*mut u8> {
    free().pop().map(|address| address as *mut u8)
}

/// Keep a block; false if there are enough.
pub fn keep(block: *mut u8) -> bool {
    let mut free = free();
    let is_kept = free.len() < MOST;
    if is_kept {
        free.push(block as usize);
    }
    is_kept
}

pub fn are_kept() -> bool {
    !free().is_empty()
}

/// All that are kept, to be given back.
pub fn take_all() -> Vec<*mut u8> {
    std::mem::take(&mut *free()).into_iter().map(|address| address as *mut u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_taken_again_and_there_is_a_most() {
        let address = |number: usize| (number * SIZE) as *mut u8; // never read
        assert!((1..=MOST).all(|number| keep(address(number))));
        assert!(!keep(address(MOST + 1)));
        assert_eq!(take(), Some(address(MOST)));
        assert!(are_kept());
        assert_eq!(take_all().len(), MOST - 1);
        assert!(!are_kept() && take().is_none());
    }
}
