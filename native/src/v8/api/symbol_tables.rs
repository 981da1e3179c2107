//! The pages of V8's library that only symbol lookup reads: names in 18 MB. They are removed from this process's page
//! tables on the thread that starts V8, which makes the exit of the process faster. A later access reads them from the
//! page cache.
use std::ffi::c_void;

use super::loaded_libraries::visit_until;

/// Removes the mapped symbol tables of the library that contains `function` from memory.
pub fn give_back(function: *const c_void) {
    let mut found = None;
    visit_until(&mut |library| {
        let is_sought = library.contains(function);
        if is_sought {
            found = library.segment(|header| header.p_type == libc::PT_LOAD && header.p_flags == libc::PF_R);
        }
        is_sought
    });
    if let Some(segment) = found {
        // SAFETY: the pages are read-only and backed by the file, so they are read again from there.
        unsafe {
            libc::madvise(std::ptr::with_exposed_provenance_mut(segment.start), segment.len(), libc::MADV_DONTNEED)
        };
    }
}
