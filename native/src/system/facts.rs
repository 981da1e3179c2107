//! Host functions about the process and its system that need no Python: times, memory, who this is, random bytes.
use std::ffi::CStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::mem::MaybeUninit;

use rt_guardian::system;

use crate::v8::Local;
use crate::v8::api::{Raw, v8};
use crate::v8::heap::statistics;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("process_setEnv", set_variable),
    ("process_hrtime", monotonic_time),
    ("process_cpuUsage", |call| answer_processor_time(call, libc::RUSAGE_SELF)),
    ("process_threadCpuUsage", |call| answer_processor_time(call, libc::RUSAGE_THREAD)),
    ("process_resourceUsage", resource_usage),
    ("process_memoryUsage", memory_usage),
    ("process_umask", file_mask),
    ("process_ids", ids),
    ("os_names", names),
    ("os_memory", memory),
    ("os_uptime", uptime),
    ("os_loads", loads),
    ("os_parallelism", parallelism),
    ("os_isBigEndian", is_big_endian),
    ("rt_randomBytes", random_bytes),
    ("rt_fillRandom", fill_random),
];

/// `process_setEnv(name, value)`: only the time zone is anything beyond JavaScript's.
fn set_variable(call: &Call<'_>) -> bool {
    call.utf8(0).is_some_and(|name| name != b"TZ")
}

/// `process_hrtime()`: nanoseconds, as a BigInt.
fn monotonic_time(call: &Call<'_>) -> bool {
    // SAFETY: the call fills the structure.
    let time = unsafe {
        let mut time = MaybeUninit::<libc::timespec>::uninit();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, time.as_mut_ptr());
        time.assume_init()
    };
    let words = [time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64];
    // SAFETY: one word is read; what V8 returns lies in the callback's scope.
    let made = unsafe { call.scope.local((v8().bigint_from_words)(call.scope.context.handle(), 0, 1, words.as_ptr())) };
    made.map(|number| call.answer(number)).is_some()
}

fn usage(of: libc::c_int) -> libc::rusage {
    // SAFETY: fills the structure, which is plain numbers.
    unsafe {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        libc::getrusage(of, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn microseconds(time: libc::timeval) -> f64 {
    system::microseconds(time) as f64
}

/// Answer an object of numbers.
fn answer_numbers(call: &Call<'_>, numbers: &[(&str, f64)]) -> bool {
    let object = call.scope.object();
    for (name, number) in numbers {
        call.scope.put(object, name, call.scope.number(*number));
    }
    call.answer(object);
    true
}

fn answer_list(call: &Call<'_>, numbers: &[f64]) -> bool {
    let numbers: Vec<Local<'_>> = numbers.iter().map(|number| call.scope.number(*number)).collect();
    call.answer(call.scope.array(&numbers));
    true
}

fn answer_number(call: &Call<'_>, number: f64) -> bool {
    call.answer(call.scope.number(number));
    true
}

/// `process_cpuUsage()`, `process_threadCpuUsage()`: in microseconds.
fn answer_processor_time(call: &Call<'_>, of: libc::c_int) -> bool {
    let used = usage(of);
    answer_numbers(call, &[("user", microseconds(used.ru_utime)), ("system", microseconds(used.ru_stime))])
}

/// `process_resourceUsage()`: getrusage(2) under Node's names.
fn resource_usage(call: &Call<'_>) -> bool {
    let used = usage(libc::RUSAGE_SELF);
    let numbers = [
        ("userCPUTime", microseconds(used.ru_utime)),
        ("systemCPUTime", microseconds(used.ru_stime)),
        ("maxRSS", used.ru_maxrss as f64),
        ("sharedMemorySize", used.ru_ixrss as f64),
        ("unsharedDataSize", used.ru_idrss as f64),
        ("unsharedStackSize", used.ru_isrss as f64),
        ("minorPageFault", used.ru_minflt as f64),
        ("majorPageFault", used.ru_majflt as f64),
        ("swappedOut", used.ru_nswap as f64),
        ("fsRead", used.ru_inblock as f64),
        ("fsWrite", used.ru_oublock as f64),
        ("ipcSent", used.ru_msgsnd as f64),
        ("ipcReceived", used.ru_msgrcv as f64),
        ("signalsCount", used.ru_nsignals as f64),
        ("voluntaryContextSwitches", used.ru_nvcsw as f64),
        ("involuntaryContextSwitches", used.ru_nivcsw as f64),
    ];
    answer_numbers(call, &numbers)
}

/// `process_memoryUsage()`: in bytes. V8 counts the memory of buffers and what else is outside its heap together.
fn memory_usage(call: &Call<'_>) -> bool {
    let heap = statistics::numbers(&call.scope);
    let outside = heap.external_memory as f64;
    let numbers = [
        ("rss", resident_bytes()),
        ("heapTotal", heap.total_heap_size as f64),
        ("heapUsed", heap.used_heap_size as f64),
        ("external", outside),
        ("arrayBuffers", outside),
    ];
    answer_numbers(call, &numbers)
}

fn resident_bytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    // SAFETY: the call only reads.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    text.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(0.0) * page as f64
}

/// `process_umask(mask)`: the mask so far; a negative one changes nothing.
fn file_mask(call: &Call<'_>) -> bool {
    let mask = call.integer(0);
    // SAFETY: changes only the process's mask.
    let before = unsafe {
        let before = libc::umask(mask.max(0) as libc::mode_t);
        if mask < 0 {
            libc::umask(before);
        }
        before
    };
    answer_number(call, before.into())
}

/// `process_ids()`: users and groups of this process.
fn ids(call: &Call<'_>) -> bool {
    // SAFETY: only asks; the list is as long as the first call has said, or as much of it as the second one fills.
    let (ids, groups) = unsafe {
        let ids = [
            ("uid", f64::from(libc::getuid())),
            ("euid", f64::from(libc::geteuid())),
            ("gid", f64::from(libc::getgid())),
            ("egid", f64::from(libc::getegid())),
        ];
        let mut groups = vec![0; libc::getgroups(0, std::ptr::null_mut()).max(0) as usize];
        let filled = libc::getgroups(groups.len() as libc::c_int, groups.as_mut_ptr()).max(0);
        groups.truncate(filled as usize);
        (ids, groups)
    };
    let object = call.scope.object();
    for (name, id) in ids {
        call.scope.put(object, name, call.scope.number(id));
    }
    let groups: Vec<Local<'_>> = groups.iter().map(|group| call.scope.number(f64::from(*group))).collect();
    call.scope.put(object, "groups", call.scope.array(&groups));
    call.answer(object);
    true
}

/// `os_names()`: of the system, this host, its release and version, and the machine.
fn names(call: &Call<'_>) -> bool {
    // SAFETY: fills the structure with strings that end in NUL.
    let about = unsafe {
        let mut about = MaybeUninit::<libc::utsname>::zeroed();
        libc::uname(about.as_mut_ptr());
        about.assume_init()
    };
    let fields = [&about.sysname, &about.nodename, &about.release, &about.version, &about.machine];
    // SAFETY: as above.
    let texts = fields.map(|field| unsafe { CStr::from_ptr(field.as_ptr()) });
    let texts: Option<Vec<Local<'_>>> = texts.iter().map(|text| call.scope.text(text.to_bytes())).collect();
    texts.map(|texts| call.answer(call.scope.array(&texts))).is_some()
}

/// `os_memory()`: all, and what is free, in bytes.
fn memory(call: &Call<'_>) -> bool {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
    };
    let free = bytes("MemAvailable").or_else(|| bytes("MemFree"));
    answer_list(call, &[bytes("MemTotal").unwrap_or(0.0), free.unwrap_or(0.0)])
}

/// `os_uptime()`: in seconds.
fn uptime(call: &Call<'_>) -> bool {
    let text = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    answer_number(call, text.split(' ').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0.0))
}

/// `os_loads()`
fn loads(call: &Call<'_>) -> bool {
    let mut found = [0.0; 3];
    // SAFETY: fills as many numbers as it is told.
    unsafe { libc::getloadavg(found.as_mut_ptr(), 3) };
    answer_list(call, &found)
}

/// `os_parallelism()`: how many processors this process may use.
fn parallelism(call: &Call<'_>) -> bool {
    // SAFETY: fills the set, which is plain bits.
    let count = unsafe {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), set.as_mut_ptr());
        libc::CPU_COUNT(&set.assume_init())
    };
    answer_number(call, count.into())
}

/// `os_isBigEndian()`
fn is_big_endian(call: &Call<'_>) -> bool {
    call.answer(call.scope.boolean(cfg!(target_endian = "big")));
    true
}

/// `rt_randomBytes(count)`
fn random_bytes(call: &Call<'_>) -> bool {
    let size = call.integer(0).max(0) as usize;
    let mut outcome = Ok(());
    let fill = |bytes: &mut [u8]| {
        outcome = randomise(bytes);
        size
    };
    let Some(bytes) = call.scope.bytes(size, fill) else { return false };
    match outcome {
        Ok(()) => call.answer(bytes),
        Err(error) => call.raise(error.into()),
    }
    true
}

/// `rt_fillRandom(buffer, offset, size)`: whether that could be done.
fn fill_random(call: &Call<'_>) -> bool {
    let (offset, size) = (call.integer(1).max(0) as usize, call.integer(2).max(0) as usize);
    let done = call.with_bytes_mut(0, |bytes| {
        let range = offset.checked_add(size).and_then(|end| bytes.get_mut(offset..end));
        range.map(randomise).transpose().map(|filled| filled.is_some())
    });
    match done {
        Some(Err(error)) => call.raise(error.into()),
        done => call.answer(call.scope.boolean(matches!(done, Some(Ok(true))))),
    }
    true
}

/// Fill with random bytes: of the system call, else, where a sandbox refuses it, of the device.
fn randomise(bytes: &mut [u8]) -> std::io::Result<()> {
    let mut filled = 0;
    while filled < bytes.len() {
        let left = &mut bytes[filled..];
        // SAFETY: writes at most as many bytes as there are left.
        let count = unsafe { libc::getrandom(left.as_mut_ptr() as Raw, left.len(), 0) };
        let is_interrupted = || std::io::Error::last_os_error().kind() == ErrorKind::Interrupted;
        match usize::try_from(count) {
            Ok(count) => filled += count,
            Err(_) if is_interrupted() => {}
            Err(_) => return File::open("/dev/urandom")?.read_exact(left),
        }
    }
    Ok(())
}
