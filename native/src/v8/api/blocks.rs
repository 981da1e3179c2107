//! Recycled blocks of array buffers, for bodies of messages, for streams, and for files that are read block after block.
//!
//! V8's allocator returns the pages of a freed block to the system and maps and clears fresh ones for the next block,
//! which is most of the cost of a stream or an upload. Blocks are therefore kept in lists by size, as many as V8 lets
//! become garbage before it collects; an idle event loop frees them. V8 frees blocks on its own threads, so the lists
//! are locked.
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest and the largest buffer whose block is recycled. Clearing a smaller block costs next to nothing; a
/// larger one is rare, and few of them would fill the lists.
const LEAST: usize = 32 << 10;
const LARGEST: usize = 32 << 20;
/// Sizes of blocks are multiples of a sixteenth of the next power of two, so that bodies of similar lengths share them,
/// and a block is at most an eighth larger than its buffer.
const STEPS: usize = 16;
/// The recycled blocks have at most this many bytes. A collection frees about as many at once, so a smaller limit would
/// leave none before the next one.
const MOST_BYTES: usize = 64 << 20;

struct Lists {
    by_size: BTreeMap<usize, Vec<usize>>,
    bytes: usize,
}

static FREE: Mutex<Lists> = Mutex::new(Lists { by_size: BTreeMap::new(), bytes: 0 });

fn free() -> MutexGuard<'static, Lists> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lists {
    fn pop(&mut self, size: usize) -> Option<usize> {
        let list = self.by_size.get_mut(&size)?;
        let block = list.pop()?;
        if list.is_empty() {
            self.by_size.remove(&size);
        }
        self.bytes -= size;
        Some(block)
    }

    /// The size of which there are the most bytes, other than `size`.
    fn most_common_besides(&self, size: usize) -> Option<usize> {
        let others = self.by_size.iter().filter(|(other, _)| **other != size);
        others.max_by_key(|(other, list)| *other * list.len()).map(|(other, _)| *other)
    }
}

/// The size of the block for a buffer of `size` bytes; None if such blocks are not recycled.
pub fn block_size(size: usize) -> Option<usize> {
    (LEAST..=LARGEST).contains(&size).then(|| size.next_multiple_of(size.next_power_of_two() / STEPS))
}

/// Takes a block of a size that `block_size` returned. It still holds its old bytes.
pub fn take(size: usize) -> Option<*mut u8> {
    free().pop(size).map(|address| address as *mut u8)
}

/// Adds a block of a size that `block_size` returned. The result are blocks to free instead, with their sizes: of other
/// sizes if there are some, otherwise the block itself.
pub fn keep(block: *mut u8, size: usize) -> Vec<(*mut u8, usize)> {
    let mut free = free();
    let mut surplus = Vec::new();
    while free.bytes + size > MOST_BYTES {
        let other = free.most_common_besides(size);
        let Some((other, address)) = other.and_then(|other| Some((other, free.pop(other)?))) else {
            surplus.push((block, size));
            return surplus;
        };
        surplus.push((address as *mut u8, other));
    }
    free.bytes += size;
    free.by_size.entry(size).or_default().push(block as usize);
    surplus
}

pub fn are_kept() -> bool {
    free().bytes > 0
}

/// Takes all blocks with their sizes, to free them.
pub fn take_all() -> Vec<(*mut u8, usize)> {
    let mut free = free();
    free.bytes = 0;
    let all = std::mem::take(&mut free.by_size);
    all.into_iter().flat_map(|(size, list)| list.into_iter().map(move |address| (address as *mut u8, size))).collect()
}
