//! Host functions that read facts about the process and its system: times, memory, users, random bytes.
use std::fs::File;
use std::io::Read;
use std::mem::MaybeUninit;

use rt_guardian::system;
use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::process::{getegid, geteuid, getgid, getgroups, getuid, umask};
use rustix::rand::{GetRandomFlags, getrandom};
use rustix::thread::sched_getaffinity;
use rustix::time::{ClockId, clock_gettime};

use crate::v8::Local;
use crate::v8::heap::statistics;
use crate::v8::memory;
use crate::v8::{Call, HostOperation};
use crate::workspace::env_text;

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("process_setEnv", set_variable),
    ("process_parseEnv", parse_variables),
    ("process_hrtime", monotonic_time),
    ("process_cpuUsage", |call| answer_processor_time(call, libc::RUSAGE_SELF)),
    ("process_threadCpuUsage", |call| answer_processor_time(call, libc::RUSAGE_THREAD)),
    ("process_resourceUsage", resource_usage),
    ("process_memoryUsage", memory_usage),
    ("process_availableMemory", |call| answer_number(call, available_bytes())),
    ("process_constrainedMemory", |call| answer_number(call, constrained_bytes().unwrap_or(UNLIMITED))),
    ("process_umask", file_mask),
    ("process_ids", ids),
    ("os_names", names),
    ("os_memory", os_memory),
    ("os_uptime", uptime),
    ("os_loads", loads),
    ("os_parallelism", parallelism),
    ("os_isBigEndian", is_big_endian),
    ("rt_randomBytes", random_bytes),
    ("rt_fillRandom", fill_random),
];

/// `process_setEnv(name, value)`: only the time zone affects anything outside of JavaScript.
fn set_variable(call: &Call<'_>) -> bool {
    call.utf8(0).is_some_and(|name| name != b"TZ")
}

/// `process_parseEnv(text, asNode)`: the names and the values of a `.env` file in turn.
fn parse_variables(call: &Call<'_>) -> bool {
    let Some(text) = call.utf8(0) else { return false };
    let mut texts = Vec::new();
    for (name, value) in env_text::parse(&String::from_utf8_lossy(&text), call.is_true(1)) {
        let pair = [call.scope.text(name.as_bytes()), call.scope.text(value.as_bytes())];
        texts.extend(pair.into_iter().flatten());
    }
    call.answer(call.scope.array(&texts));
    true
}

/// `process_hrtime()`: nanoseconds, as a BigInt.
fn monotonic_time(call: &Call<'_>) -> bool {
    let time = clock_gettime(ClockId::Monotonic);
    let made = call.scope.big_unsigned(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64);
    made.map(|number| call.answer(number)).is_some()
}

fn usage(of: libc::c_int) -> libc::rusage {
    // SAFETY: the call fills the structure, which consists of numbers.
    unsafe {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        libc::getrusage(of, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn microseconds(time: libc::timeval) -> f64 {
    system::microseconds(time) as f64
}

/// Answer with an object of numbers.
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

/// `process_memoryUsage()`: in bytes. V8 counts the memory of buffers together with everything else outside its heap.
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
    let page = rustix::param::page_size();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(0.0) * page as f64
}

/// `process.constrainedMemory()` where memory is unlimited: 2 to the power of 64.
const UNLIMITED: f64 = (1_u128 << 64) as f64;

/// The smallest limit of this process's control group and those above it.
fn constrained_bytes() -> Option<f64> {
    memory::limit().map(|bytes| bytes as f64)
}

/// The system's available memory, limited by the control group.
fn available_bytes() -> f64 {
    let [_, free] = machine_memory();
    constrained_bytes().map_or(free, |limit| free.min(limit - resident_bytes()).max(0.0))
}

/// `process_umask(mask)`: sets the mask and returns the old one; a negative mask only reads it.
fn file_mask(call: &Call<'_>) -> bool {
    let mask = call.integer(0);
    let before = umask(Mode::from_raw_mode(mask.max(0) as u32));
    if mask < 0 {
        umask(before);
    }
    answer_number(call, before.as_raw_mode().into())
}

/// `process_ids()`: the users and groups of this process.
fn ids(call: &Call<'_>) -> bool {
    let ids = [
        ("uid", getuid().as_raw()),
        ("euid", geteuid().as_raw()),
        ("gid", getgid().as_raw()),
        ("egid", getegid().as_raw()),
    ];
    let groups = getgroups().unwrap_or_default();
    let object = call.scope.object();
    for (name, id) in ids {
        call.scope.put(object, name, call.scope.number(id.into()));
    }
    let groups: Vec<Local<'_>> = groups.iter().map(|group| call.scope.number(f64::from(group.as_raw()))).collect();
    call.scope.put(object, "groups", call.scope.array(&groups));
    call.answer(object);
    true
}

/// `os_names()`: the system's name, host name, release, version and machine.
fn names(call: &Call<'_>) -> bool {
    let about = rustix::system::uname();
    let texts = [about.sysname(), about.nodename(), about.release(), about.version(), about.machine()];
    let texts: Option<Vec<Local<'_>>> = texts.iter().map(|text| call.scope.text(text.to_bytes())).collect();
    texts.map(|texts| call.answer(call.scope.array(&texts))).is_some()
}

/// `os_memory()`: total and available memory, in bytes.
fn os_memory(call: &Call<'_>) -> bool {
    answer_list(call, &machine_memory())
}

/// The machine's whole and available memory in bytes.
fn machine_memory() -> [f64; 2] {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
    };
    let free = bytes("MemAvailable").or_else(|| bytes("MemFree"));
    [bytes("MemTotal").unwrap_or(0.0), free.unwrap_or(0.0)]
}

/// `os_uptime()`: in seconds.
fn uptime(call: &Call<'_>) -> bool {
    let text = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    answer_number(call, text.split(' ').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0.0))
}

/// `os_loads()`
fn loads(call: &Call<'_>) -> bool {
    const SCALE: f64 = 65536.0;
    answer_list(call, &rustix::system::sysinfo().loads.map(|load| load as f64 / SCALE))
}

/// `os_parallelism()`: the number of processors that this process may use.
fn parallelism(call: &Call<'_>) -> bool {
    let count = sched_getaffinity(None).map_or(1, |set| set.count());
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

/// `rt_fillRandom(buffer, offset, size)`: whether that succeeded.
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

/// Fill with random bytes from the system call, or from the device if a sandbox refuses the call.
fn randomise(bytes: &mut [u8]) -> std::io::Result<()> {
    let mut filled = 0;
    while filled < bytes.len() {
        let left = &mut bytes[filled..];
        match getrandom(&mut *left, GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(Errno::INTR) => {}
            Err(_) => return File::open("/dev/urandom")?.read_exact(left),
        }
    }
    Ok(())
}
