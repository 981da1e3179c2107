//! Files as the memory of array buffers (`RT.mmap`).
//!
//! Buffers must lie in V8's sandbox, so a file is mapped over pages that the sandbox has given out, while V8 asks the allocator
//! (`allocator`) for the memory of one buffer. Where that memory is freed, the pages lose the file before the sandbox has them again.
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::allocator;
use super::api::Raw;
use super::buffer;
use super::function::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("rt_mapFile", map_file)];

thread_local! {
    /// The memory of the next buffer that this thread makes.
    static NEXT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Addresses of buffers that are files, each with its pages: where they begin and how many bytes they are.
static MAPPED: Mutex<Option<HashMap<usize, (usize, usize)>>> = Mutex::new(None);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// `rt_mapFile(descriptor, offset, size, isShared, isSynchronous)`: the bytes, or the system's number of what went wrong.
fn map_file(call: &Call<'_>) -> bool {
    let (offset, size) = (call.integer(1).max(0), call.integer(2));
    if size <= 0 {
        call.answer_number(f64::from(libc::EINVAL));
        return true;
    }
    let flags = match (call.is_true(3), call.is_true(4)) {
        (_, true) => libc::MAP_SHARED_VALIDATE | libc::MAP_SYNC,
        (true, false) => libc::MAP_SHARED,
        (false, false) => libc::MAP_PRIVATE,
    };
    match map(call.integer(0) as i32, offset, size as usize, flags) {
        Err(number) => call.answer_number(f64::from(number)),
        Ok(data) => {
            NEXT.set(Some(data as usize));
            let made = buffer::new_uint8_array(&call.scope, size as usize);
            if NEXT.take().is_some() {
                free(data); // V8 never asked for it
            }
            match made {
                Some((array, _)) => call.answer(array),
                None => call.answer_number(f64::from(libc::ENOMEM)),
            }
        }
    }
    true
}

/// Bytes of a file in pages of the sandbox, or the system's number of what went wrong.
fn map(descriptor: i32, offset: i64, size: usize, flags: i32) -> Result<Raw, i32> {
    let inside = offset as usize % page_size();
    let whole = inside + size;
    let pages = allocator::take_pages(whole);
    if pages.is_null() {
        return Err(libc::ENOMEM);
    }
    // SAFETY: the pages are ours alone, and the mapping covers no more than they do.
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
    // SAFETY: only asks.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// The memory that the next buffer of this thread is to have, if it is to be a file.
pub fn take() -> Option<Raw> {
    NEXT.take().map(|data| data as Raw)
}

/// Give a buffer's pages back if it is a file; whether it was one. On any thread.
pub fn free(data: Raw) -> bool {
    if COUNT.load(Ordering::Acquire) == 0 {
        return false;
    }
    let mut all = MAPPED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some((pages, whole)) = all.as_mut().and_then(|all| all.remove(&(data as usize))) else { return false };
    COUNT.fetch_sub(1, Ordering::Release);
    // SAFETY: the pages are the buffer's, which nobody has any more; nothing else may see the file through them.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
        libc::mmap(pages as Raw, whole, libc::PROT_NONE, flags, -1, 0);
    }
    allocator::free_pages(pages as Raw, whole);
    true
}
