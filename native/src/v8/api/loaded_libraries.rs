//! The shared libraries of this process and their segments, as the loader knows them.
use std::borrow::Cow;
use std::ffi::{CStr, c_int, c_void};
use std::ops::Range;

/// A loaded library. The program itself has an empty name.
pub struct LoadedLibrary<'a> {
    pub name: Cow<'a, str>,
    base: usize,
    headers: &'a [libc::Elf64_Phdr],
}

impl LoadedLibrary<'_> {
    /// Where it lies, which is what the addresses in its headers are relative to.
    pub fn base(&self) -> usize {
        self.base
    }

    /// The addresses of the first segment for which `is_sought` returns true.
    pub fn segment(&self, is_sought: impl Fn(&libc::Elf64_Phdr) -> bool) -> Option<Range<usize>> {
        self.headers.iter().find(|header| is_sought(header)).map(|header| self.range(header))
    }

    pub fn contains(&self, function: *const c_void) -> bool {
        self.segment(|header| header.p_type == libc::PT_LOAD && self.range(header).contains(&function.addr())).is_some()
    }

    fn range(&self, header: &libc::Elf64_Phdr) -> Range<usize> {
        let start = self.base.wrapping_add(header.p_vaddr as usize);
        start..start.wrapping_add(header.p_memsz as usize)
    }
}

type Visit<'v> = &'v mut dyn FnMut(&LoadedLibrary<'_>) -> bool;

/// Calls `visit` with each library, in the order in which they were loaded, until it returns true.
pub fn visit_until(mut visit: Visit<'_>) {
    // SAFETY: the callback receives `visit`, which outlives the call, and headers of loaded libraries.
    unsafe { libc::dl_iterate_phdr(Some(pass_on), (&raw mut visit).cast()) };
}

unsafe extern "C" fn pass_on(about: *mut libc::dl_phdr_info, _size: usize, visit: *mut c_void) -> c_int {
    // SAFETY: the loader passes a library's headers and a name that ends in NUL, and the data of `visit_until`.
    unsafe {
        let (about, visit) = (&*about, &mut *visit.cast::<Visit<'_>>());
        c_int::from(visit(&LoadedLibrary {
            name: CStr::from_ptr(about.dlpi_name).to_string_lossy(),
            base: about.dlpi_addr as usize,
            headers: std::slice::from_raw_parts(about.dlpi_phdr, usize::from(about.dlpi_phnum)),
        }))
    }
}
