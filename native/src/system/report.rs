//! What a diagnostic report says of the process: its limits, its shared libraries, and its C library.
use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;

use crate::v8::{Call, HostOperation, Local, Scope, visit_libraries_until};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("report_facts", facts)];

/// Node's name of a limit, the resource, and the unit in bytes where that is not one.
const LIMITS: [(&str, libc::__rlimit_resource_t, u64); 10] = [
    ("core_file_size_blocks", libc::RLIMIT_CORE, 512),
    ("data_seg_size_bytes", libc::RLIMIT_DATA, 1),
    ("file_size_blocks", libc::RLIMIT_FSIZE, 512),
    ("max_locked_memory_bytes", libc::RLIMIT_MEMLOCK, 1),
    ("max_memory_size_bytes", libc::RLIMIT_RSS, 1),
    ("open_files", libc::RLIMIT_NOFILE, 1),
    ("stack_size_bytes", libc::RLIMIT_STACK, 1),
    ("cpu_time_seconds", libc::RLIMIT_CPU, 1),
    ("max_user_processes", libc::RLIMIT_NPROC, 1),
    ("virtual_memory_bytes", libc::RLIMIT_AS, 1),
];

/// `report_facts()`: an object with `glibc` and `builtForGlibc`, both "" with another C library, `userLimits` and
/// `sharedObjects`.
fn facts(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let text = |text: &str| scope.text(text.as_bytes()).unwrap_or_else(|| scope.undefined());
    let libraries = Libraries::read();
    let object = scope.object();
    scope.put(object, "glibc", text(&glibc_version()));
    scope.put(object, "builtForGlibc", text(&libraries.built_for));
    scope.put(object, "userLimits", limits(scope));
    let paths: Vec<_> = libraries.paths.iter().map(|path| text(path)).collect();
    scope.put(object, "sharedObjects", scope.array(&paths));
    call.answer(object);
    true
}

fn limits<'s>(scope: &Scope<'s>) -> Local<'s> {
    let all = scope.object();
    for (name, resource, unit) in LIMITS {
        let mut found = MaybeUninit::<libc::rlimit>::zeroed();
        // SAFETY: the call fills the structure, which consists of numbers.
        let found = unsafe {
            libc::getrlimit(resource, found.as_mut_ptr());
            found.assume_init()
        };
        let shown = |value: libc::rlim_t| match value {
            libc::RLIM_INFINITY => scope.text(b"unlimited").unwrap_or_else(|| scope.undefined()),
            value => scope.number((value / unit) as f64),
        };
        let limit = scope.object();
        scope.put(limit, "soft", shown(found.rlim_cur));
        scope.put(limit, "hard", shown(found.rlim_max));
        scope.put(all, name, limit);
    }
    all
}

/// The version of glibc that is running; "" with another C library.
#[cfg(target_env = "gnu")]
fn glibc_version() -> String {
    // SAFETY: the function returns a constant string.
    unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) }.to_string_lossy().into_owned()
}

#[cfg(not(target_env = "gnu"))]
fn glibc_version() -> String {
    String::new()
}

/// The shared libraries of this process, in the order in which they were loaded.
#[derive(Default)]
struct Libraries {
    paths: Vec<String>,
    /// The latest version of glibc that this library requires; "" with another C library.
    built_for: String,
}

impl Libraries {
    fn read() -> Libraries {
        let mut found = Libraries::default();
        visit_libraries_until(&mut |library| {
            if !library.name.is_empty() {
                found.paths.push(library.name.to_string());
            }
            if library.contains(facts as *const c_void)
                && let Some(dynamic) = library.segment(|header| header.p_type == libc::PT_DYNAMIC)
            {
                // SAFETY: the addresses are those of a loaded library.
                found.built_for = unsafe { required_glibc(library.base(), dynamic.start) };
            }
            false
        });
        found
    }
}

/// The latest version of glibc among the versions that a loaded library requires of others; "" if there is none.
///
/// # Safety
/// `base` is the address of a loaded library, and `dynamic` that of its dynamic section.
unsafe fn required_glibc(base: usize, dynamic: usize) -> String {
    const DT_STRTAB: u64 = 5;
    const DT_VERNEED: u64 = 0x6fff_fffe;
    const DT_VERNEEDNUM: u64 = 0x6fff_ffff;
    /// Of `Elf64_Verneed`: version, count (16 bits each), file, auxiliary entries, next entry (32 bits each).
    const NEED: (usize, usize, usize) = (2, 8, 12);
    /// Of `Elf64_Vernaux`: hash (32 bits), flags, index (16 bits each), name, next entry (32 bits each).
    const ENTRY: (usize, usize) = (8, 12);
    // SAFETY: the section ends with a zero tag; the tables have the layout that the ELF specification gives them.
    unsafe {
        let (mut strings, mut need, mut count) = (0, 0, 0);
        let mut at = dynamic as *const [u64; 2];
        while (*at)[0] != 0 {
            let [tag, value] = *at;
            // glibc replaces offsets by addresses in some sections; other C libraries leave them.
            let address = || if (value as usize) < base { base + value as usize } else { value as usize };
            match tag {
                DT_STRTAB => strings = address(),
                DT_VERNEED => need = address(),
                DT_VERNEEDNUM => count = value,
                _ => {}
            }
            at = at.add(1);
        }
        let half = |address: usize| (address as *const u16).read_unaligned();
        let word = |address: usize| (address as *const u32).read_unaligned() as usize;
        let mut latest = (0, 0);
        for _ in 0..count {
            let mut entry = need + word(need + NEED.1);
            for _ in 0..half(need + NEED.0) {
                let name = CStr::from_ptr((strings + word(entry + ENTRY.0)) as *const c_char).to_string_lossy();
                latest = latest.max(version(&name).unwrap_or_default());
                entry += word(entry + ENTRY.1);
            }
            need += word(need + NEED.2);
        }
        if latest == (0, 0) { String::new() } else { format!("{}.{}", latest.0, latest.1) }
    }
}

/// The numbers of "GLIBC_2.34".
fn version(name: &str) -> Option<(u32, u32)> {
    let (major, minor) = name.strip_prefix("GLIBC_")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
