//! Memory for array buffers: V8's own allocator, sandbox pages for buffers too large for it, and recycled blocks
//! (`blocks`) for large buffers that soon become garbage.
//!
//! V8's allocator refuses blocks of nearly 2 GiB and more. Buffers must lie in the sandbox, so larger ones get pages
//! from the sandbox's address space. A failed allocation never ends the process: JavaScript gets a RangeError. The
//! allocator object stays V8's; only its virtual table is replaced, by a copy with three functions of rt.
use std::cell::Cell;
use std::ffi::CStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::blocks;
use super::mapped_files;
use super::{Raw, v8};

/// Blocks of at least this size are allocated as pages. Well below what V8's allocator refuses.
const LARGE: usize = 1 << 30;
const READ_WRITE: i32 = 2; // PagePermissions::kReadWrite
/// Addresses and sizes of pages are multiples of this.
const GRANULE: usize = 64 << 10;
/// Words of the copied table, more than V8's has: two destructors, `Allocate`, `AllocateUninitialized`, `Free`, others.
const TABLE_WORDS: usize = 12;
const ALLOCATE: usize = 2;
const ALLOCATE_UNINITIALIZED: usize = 3;
const FREE: usize = 4;

type Allocate = unsafe extern "C" fn(Raw, usize) -> Raw;
type Free = unsafe extern "C" fn(Raw, Raw, usize);
type AllocatePages = unsafe extern "C" fn(Raw, usize, usize, usize, i32) -> Raw;
type FreePages = unsafe extern "C" fn(Raw, usize, usize);

struct Own {
    object: usize,
    allocate: Allocate,
    allocate_uninitialized: Allocate,
    free: Free,
    /// The sandbox's address space, with its functions for allocating and freeing pages.
    pages: Option<(usize, AllocatePages, FreePages)>,
}

/// Buffers up to this size are counted. Streams use such buffers and soon drop them.
const SMALL: usize = 256 << 10;
/// The young generation is collected after this many counted bytes. A larger threshold would leave garbage in memory;
/// with a smaller one, collections would find little.
const MANY: usize = 16 << 20;

thread_local! {
    /// Bytes of small buffers allocated on this thread since `should_collect` last returned true.
    static GIVEN: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    if size <= SMALL {
        GIVEN.with(|given| given.set(given.get() + size));
    }
}

/// Returns whether it is time to collect the young generation. Returning true resets the count, so the caller must collect.
pub fn should_collect() -> bool {
    GIVEN.with(|given| given.get() >= MANY && given.replace(0) > 0)
}

static OWN: OnceLock<Own> = OnceLock::new();
/// The allocator's table of functions: V8's own, with those of this module.
static TABLE: OnceLock<Box<[usize; TABLE_WORDS]>> = OnceLock::new();
/// Whether the last large allocation failed. V8 then calls the near-heap-limit callback although its heap is not full.
static WAS_REFUSED: AtomicBool = AtomicBool::new(false);

/// Returns whether a large buffer was refused since the last call.
pub fn take_refusal() -> bool {
    WAS_REFUSED.swap(false, Ordering::Relaxed)
}

/// Creates the process's allocator; called once, after V8 is initialised. `library` is the handle of V8.
///
/// # Safety
/// V8 of the version in `layout` is initialised, and `library` is its handle.
pub unsafe fn make(library: Raw) -> Raw {
    // SAFETY: the object is fresh, and its first word is the address of its table. The table is constant memory
    // followed by other tables, so reading a few words past it is harmless. The function types are those of V8's
    // header.
    unsafe {
        let object = (v8().allocator_new)();
        let table = *(object as *const *const usize);
        let mut copy = Box::new([0usize; TABLE_WORDS]);
        std::ptr::copy_nonoverlapping(table, copy.as_mut_ptr(), TABLE_WORDS);
        let own = Own {
            object: object as usize,
            allocate: std::mem::transmute::<usize, Allocate>(copy[ALLOCATE]),
            allocate_uninitialized: std::mem::transmute::<usize, Allocate>(copy[ALLOCATE_UNINITIALIZED]),
            free: std::mem::transmute::<usize, Free>(copy[FREE]),
            pages: pages(library),
        };
        copy[ALLOCATE] = allocate as *const () as usize;
        copy[ALLOCATE_UNINITIALIZED] = allocate_uninitialized as *const () as usize;
        copy[FREE] = free as *const () as usize;
        if OWN.set(own).is_ok() {
            *(object as *mut *const usize) = TABLE.get_or_init(|| copy).as_ptr();
        }
        object
    }
}

/// The sandbox's address space, if it is an instance of one of V8's two classes for it.
///
/// # Safety
/// As for `make`.
unsafe fn pages(library: Raw) -> Option<(usize, AllocatePages, FreePages)> {
    const CLASSES: [(&CStr, &CStr); 2] = [
        (
            c"_ZN2v84base22VirtualAddressSubspace13AllocatePagesEmmmNS_15PagePermissionsE",
            c"_ZN2v84base22VirtualAddressSubspace9FreePagesEmm",
        ),
        (
            c"_ZN2v84base30EmulatedVirtualAddressSubspace13AllocatePagesEmmmNS_15PagePermissionsE",
            c"_ZN2v84base30EmulatedVirtualAddressSubspace9FreePagesEmm",
        ),
    ];
    // SAFETY: the sandbox's space lives as long as the process. Its first word is the address of its table, which has
    // more than `TABLE_WORDS` functions. A function found there has the signature that its symbol encodes.
    unsafe {
        let space = (v8().sandbox_space)();
        let table = std::slice::from_raw_parts(*(space as *const *const usize), TABLE_WORDS);
        for (allocate, free) in CLASSES {
            let (allocate, free) = (libc::dlsym(library, allocate.as_ptr()), libc::dlsym(library, free.as_ptr()));
            if !allocate.is_null() && !free.is_null() && table.contains(&(allocate as usize)) {
                let allocate = std::mem::transmute::<Raw, AllocatePages>(allocate);
                return Some((space as usize, allocate, std::mem::transmute::<Raw, FreePages>(free)));
            }
        }
        None
    }
}

unsafe extern "C" fn allocate(this: Raw, size: usize) -> Raw {
    let own = OWN.get().expect("set before the table is ours");
    note(size);
    let block_size = blocks::block_size(size);
    if let Some(block) = block_size.and_then(blocks::take) {
        // SAFETY: V8 freed the block, so nothing else refers to it.
        unsafe { block.write_bytes(0, size) };
        return block.cast();
    }
    // SAFETY: V8 calls with its own allocator.
    unsafe { if size < LARGE { (own.allocate)(this, block_size.unwrap_or(size)) } else { large(own, size) } }
}

unsafe extern "C" fn allocate_uninitialized(this: Raw, size: usize) -> Raw {
    let own = OWN.get().expect("set before the table is ours");
    if let Some(mapped) = mapped_files::take() {
        return mapped;
    }
    note(size);
    let block_size = blocks::block_size(size);
    if let Some(block) = block_size.and_then(blocks::take) {
        return block.cast();
    }
    let whole = block_size.unwrap_or(size);
    // SAFETY: as above.
    unsafe { if size < LARGE { (own.allocate_uninitialized)(this, whole) } else { large(own, size) } }
}

unsafe extern "C" fn free(this: Raw, data: Raw, size: usize) {
    let own = OWN.get().expect("set before the table is ours");
    if mapped_files::free(data) {
        return;
    }
    if let Some(block_size) = blocks::block_size(size).filter(|_| !data.is_null()) {
        for (block, size) in blocks::keep(data.cast(), block_size) {
            // SAFETY: V8's allocator made the block with this size, and nothing refers to it.
            unsafe { (own.free)(this, block.cast(), size) };
        }
        return;
    }
    // SAFETY: as above; the size is that of the allocation, so it selects the allocator that made it.
    unsafe {
        match own.pages {
            Some((space, _, free)) if size >= LARGE => {
                if !data.is_null() {
                    free(space as Raw, data as usize, size.next_multiple_of(GRANULE));
                }
            }
            _ => (own.free)(this, data, size),
        }
    }
}

/// Allocates zeroed pages in the sandbox; null if none are available.
pub fn take_pages(size: usize) -> Raw {
    // SAFETY: the allocator exists, so the sandbox is initialised.
    OWN.get().map_or(std::ptr::null_mut(), |own| unsafe { large(own, size) })
}

/// Frees pages that `take_pages` returned for this size.
pub fn free_pages(pages: Raw, size: usize) {
    let Some((space, _, free)) = OWN.get().and_then(|own| own.pages) else { return };
    // SAFETY: the pages were allocated from this space with this size.
    unsafe { free(space as Raw, pages as usize, size.next_multiple_of(GRANULE)) };
}

/// Frees the recycled blocks.
pub fn give_back() {
    let Some(own) = OWN.get() else { return };
    for (block, size) in blocks::take_all() {
        // SAFETY: as in `free`.
        unsafe { (own.free)(own.object as Raw, block.cast(), size) };
    }
}

/// Allocates zeroed pages; null if none are available.
///
/// # Safety
/// V8's sandbox is initialised.
unsafe fn large(own: &Own, size: usize) -> Raw {
    let rounded = size.checked_next_multiple_of(GRANULE);
    let data = match (own.pages, rounded) {
        // SAFETY: the space is V8's and synchronises its callers.
        (Some((space, allocate, _)), Some(rounded)) => unsafe {
            allocate(space as Raw, 0, rounded, GRANULE, READ_WRITE)
        },
        _ => std::ptr::null_mut(),
    };
    WAS_REFUSED.store(data.is_null(), Ordering::Relaxed);
    data
}
