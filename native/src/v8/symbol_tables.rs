//! The part of V8's library that is read only when its functions are looked up: thousands of names in 18 MB. Those of
//! its pages that are in memory are taken out of this process's page tables at once, on the thread that starts V8, so
//! that nobody waits for that when the process ends. Whoever reads them again finds them in the system's page cache.
use std::ffi::{c_int, c_void};

/// The library that holds `function`, and of it the segment that is neither written nor executed: start and length.
struct Sought {
    function: usize,
    segment: Option<(usize, usize)>,
}

/// Give back what is mapped of the tables of the library that `function` is in.
pub fn give_back(function: *const c_void) {
    let mut sought = Sought { function: function.addr(), segment: None };
    // SAFETY: the callback gets what it is given here, which lives through the call, and headers of loaded libraries.
    unsafe { libc::dl_iterate_phdr(Some(find), (&raw mut sought).cast()) };
    if let Some((start, length)) = sought.segment {
        // SAFETY: the pages hold what the file holds, since nothing may write to them: they are read again from there.
        unsafe { libc::madvise(std::ptr::with_exposed_provenance_mut(start), length, libc::MADV_DONTNEED) };
    }
}

/// For `dl_iterate_phdr`: 1 ends it, at the library that was sought.
unsafe extern "C" fn find(about: *mut libc::dl_phdr_info, _size: usize, sought: *mut c_void) -> c_int {
    // SAFETY: the loader hands in a library's headers, and `give_back` what is sought.
    let (base, headers, sought) = unsafe {
        let about = &*about;
        let headers = std::slice::from_raw_parts(about.dlpi_phdr, usize::from(about.dlpi_phnum));
        (about.dlpi_addr as usize, headers, &mut *sought.cast::<Sought>())
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
