//! Files as the memory of array buffers (`RT.mmap`).
//!
//! Buffers must lie in V8's sandbox. A file is therefore mapped over pages of the sandbox while V8 asks `allocator` for
//! the memory of one buffer. When V8 frees the memory, the pages are detached from the file before the sandbox reuses
//! them.
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Raw;
use super::allocator;

thread_local! {
    /// The memory of the next buffer made on this thread.
    static NEXT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Addresses of buffers backed by files, each with the start and the size of its pages.
static MAPPED: Mutex<Option<HashMap<usize, (usize, usize)>>> = Mutex::new(None);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Maps bytes of a file as the memory of the buffer that `make` creates on this thread. Fails with an errno.
pub fn with_mapped<R>(
    descriptor: i32,
    offset: i64,
    size: usize,
    flags: i32,
    make: impl FnOnce() -> R,
) -> Result<R, i32> {
    let data = map(descriptor, offset, size, flags)?;
    NEXT.set(Some(data as usize));
    let file = make();
    if NEXT.take().is_some() {
        free(data); // V8 does not use the memory
    }
    Ok(file)
}

/// Maps bytes of a file onto pages of the sandbox. Fails with an errno.
fn map(descriptor: i32, offset: i64, size: usize, flags: i32) -> Result<Raw, i32> {
    let inside = offset as usize % page_size();
    let whole = inside + size;
    let pages = allocator::take_pages(whole);
    if pages.is_null() {
        return Err(libc::ENOMEM);
    }
    // SAFETY: the pages were just allocated, and the mapping does not exceed them.
    let mapped = unsafe {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(pages, whole, access, flags | libc::MAP_FIXED, descriptor, offset - inside as i64)
    };
    if mapped == libc::MAP_FAILED {
        let number = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        allocator::free_pages(pages, whole);
        return Err(number);
    }
    let data = pages as usize + inside;
    let mut all = MAPPED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.get_or_insert_default().insert(data, (pages as usize, whole));
    COUNT.fetch_add(1, Ordering::Release);
    Ok(data as Raw)
}

fn page_size() -> usize {
    // SAFETY: the call only reads.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// The memory for the next buffer of this thread, if a file is to back it.
pub fn take() -> Option<Raw> {
    NEXT.take().map(|data| data as Raw)
}

/// Frees a buffer's pages if a file backs it; returns whether one does. May be called on any thread.
pub fn free(data: Raw) -> bool {
    if COUNT.load(Ordering::Acquire) == 0 {
        return false;
    }
    let mut all = MAPPED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some((pages, whole)) = all.as_mut().and_then(|all| all.remove(&(data as usize))) else { return false };
    COUNT.fetch_sub(1, Ordering::Release);
    // SAFETY: the buffer no longer exists, so only this function refers to the pages. The new mapping hides the file from later
    // users.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
        libc::mmap(pages as Raw, whole, libc::PROT_NONE, flags, -1, 0);
    }
    allocator::free_pages(pages as Raw, whole);
    true
}
