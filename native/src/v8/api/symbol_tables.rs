//! The pages of V8's library that only symbol lookup reads: names in 18 MB. They are removed from this process's page
//! tables on the thread that starts V8, which makes the exit of the process faster. A later access reads them from the
//! page cache.
use std::ffi::{c_int, c_void};

/// The library that contains `function`, and start and length of its segment that is neither writable nor executable.
struct SymbolSearch {
    function: usize,
    segment: Option<(usize, usize)>,
}

/// Removes the mapped symbol tables of the library that contains `function` from memory.
pub fn give_back(function: *const c_void) {
    let mut sought = SymbolSearch { function: function.addr(), segment: None };
    // SAFETY: the callback receives `sought`, which outlives the call, and headers of loaded libraries.
    unsafe { libc::dl_iterate_phdr(Some(find), (&raw mut sought).cast()) };
    if let Some((start, length)) = sought.segment {
        // SAFETY: the pages are read-only and backed by the file, so they are read again from there.
        unsafe { libc::madvise(std::ptr::with_exposed_provenance_mut(start), length, libc::MADV_DONTNEED) };
    }
}

/// Callback of `dl_iterate_phdr`; returns 1 to stop at the library that contains the function.
unsafe extern "C" fn find(about: *mut libc::dl_phdr_info, _size: usize, sought: *mut c_void) -> c_int {
    // SAFETY: the loader passes a library's headers and the data of `give_back`.
    let (base, headers, sought) = unsafe {
        let about = &*about;
        let headers = std::slice::from_raw_parts(about.dlpi_phdr, usize::from(about.dlpi_phnum));
        (about.dlpi_addr as usize, headers, &mut *sought.cast::<SymbolSearch>())
    };
    let loaded = || headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let range = |header: &libc::Elf64_Phdr| (base.wrapping_add(header.p_vaddr as usize), header.p_memsz as usize);
    let holds = |header| {
        let (start, length) = range(header);
        (start..start + length).contains(&sought.function)
    };
    if !loaded().any(holds) {
        return 0;
    }
    sought.segment = loaded().find(|header| header.p_flags == libc::PF_R).map(range);
    1
}
