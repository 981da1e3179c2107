//! Recycled blocks of array buffers, for streams and files that are read block after block.
//!
//! V8's allocator returns the pages of a freed block to the system and maps and clears fresh ones for the next block,
//! which is most of the cost of a stream. This list keeps blocks of one size, as many as V8 lets become garbage before
//! it collects; an idle event loop frees them. V8 frees blocks on its own threads, so the list is locked.
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The size of a block, which is also how much a stream reads at once.
pub const SIZE: usize = 64 << 10;
/// The largest number of recycled blocks. A collection frees about 64 MB at once, so a shorter list would run out
/// before the next one.
const MOST: usize = 1024;

static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn free() -> MutexGuard<'static, Vec<usize>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a block, which still holds its old bytes.
pub fn take() -> Option<*mut u8> {
    free().pop().map(|address| address as *mut u8)
}

/// Adds a block to the list; false if the list is full.
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

/// Takes all blocks, to free them.
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
