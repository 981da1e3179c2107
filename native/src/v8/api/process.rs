//! V8's process-wide objects: its platform and the allocator of array buffers. `v8/start` creates them.
use std::sync::OnceLock;

use super::Raw;

struct Process {
    platform: usize,
    allocator: usize,
}

static PROCESS: OnceLock<Process> = OnceLock::new();

/// Record that V8 was started, with its platform and its allocator of array buffers.
pub fn set_started(platform: Raw, allocator: Raw) {
    let _ = PROCESS.set(Process { platform: platform as usize, allocator: allocator as usize });
}

pub fn is_started() -> bool {
    PROCESS.get().is_some()
}

/// V8's platform. Panics before V8 is started.
pub fn platform() -> Raw {
    PROCESS.get().expect("V8 is started").platform as Raw
}

/// The allocator of array buffers, in the sandbox. It is never freed, so buffers may outlive their engine. Panics before
/// V8 is started.
pub fn allocator() -> Raw {
    PROCESS.get().expect("V8 is started").allocator as Raw
}
