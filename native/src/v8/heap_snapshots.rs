//! Snapshots of a heap that is nearly full: `v8.setHeapSnapshotNearHeapLimit`, `--heapsnapshot-near-heap-limit`. V8 asks for
//! more room, no JavaScript may run, and what is written goes from V8 to the file in pieces.
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::api::{Isolate, Raw, v8};
use super::api_addons;
use super::fatal_report::local_stamp;
use super::function::guarded;
use super::layout::CallbackInfo;
use super::natives::Natives;
use super::state::State;

pub const NATIVES: Natives = &[("heap_snapshotNearLimit", keep)];

/// How much more room V8 gets for each snapshot, and while one is taken.
const MORE_ROOM: usize = 16 << 20;

/// What is to be done when the heap of an engine is nearly full.
#[derive(Default)]
pub struct NearLimit {
    left: Cell<u32>,
    is_taking: Cell<bool>,
    folder: RefCell<PathBuf>,
    thread: Cell<i64>,
}

/// `heap_snapshotNearLimit(count, folder, thread)`: write so many snapshots into the folder.
unsafe extern "C" fn keep(info: &CallbackInfo) {
    guarded(info, |call| {
        let near_limit = &call.scope.state.inner().near_limit;
        let folder = call.utf8(1).unwrap_or_default();
        near_limit.folder.replace(PathBuf::from(String::from_utf8_lossy(&folder).into_owned()));
        near_limit.thread.set(call.integer(2));
        near_limit.left.set(if api_addons::load().is_ok() { call.integer(0) as u32 } else { 0 });
    });
}

/// Write a snapshot if one is still to be written. The limit that V8 has from now on; None where nothing was done.
pub fn write(state: &State, current: usize) -> Option<usize> {
    let near_limit = &state.inner().near_limit;
    if near_limit.is_taking.get() {
        return Some(current + MORE_ROOM); // what takes the snapshot needs it
    }
    if near_limit.left.get() == 0 {
        return None;
    }
    near_limit.left.set(near_limit.left.get() - 1);
    let path = near_limit.folder.borrow().join(name(near_limit.thread.get()));
    near_limit.is_taking.set(true);
    let outcome = write_to(&path, state.isolate);
    near_limit.is_taking.set(false);
    match outcome {
        Ok(()) => eprintln!("Wrote snapshot to {}", path.display()),
        Err(problem) => eprintln!("Cannot write snapshot to {} ({problem})", path.display()),
    }
    Some(current + MORE_ROOM)
}

/// As Node calls such files.
fn name(thread: i64) -> String {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let sequence = WRITTEN.fetch_add(1, Ordering::Relaxed) + 1;
    format!("Heap.{}.{}.{thread}.{sequence:03}.heapsnapshot", local_stamp(), std::process::id())
}

/// `v8::OutputStream`.
#[repr(C)]
struct Stream {
    table: *const Table,
    file: BufWriter<File>,
    outcome: std::io::Result<()>,
}

/// Its virtual functions: two destructors, then what is named here.
#[repr(C)]
struct Table {
    destructors: [unsafe extern "C" fn(*mut Stream); 2],
    end: unsafe extern "C" fn(*mut Stream),
    chunk_size: unsafe extern "C" fn(*mut Stream) -> c_int,
    write_text: unsafe extern "C" fn(*mut Stream, *const c_char, c_int) -> c_int,
    write_statistics: unsafe extern "C" fn(*mut Stream, Raw, c_int) -> c_int,
}

static TABLE: Table = Table { destructors: [nothing, nothing], end: nothing, chunk_size, write_text, write_statistics };

const GO_ON: c_int = 0;
const STOP: c_int = 1;

/// It lies on the stack of `write_to`; V8 deletes none.
unsafe extern "C" fn nothing(_stream: *mut Stream) {}

unsafe extern "C" fn chunk_size(_stream: *mut Stream) -> c_int {
    64 << 10
}

unsafe extern "C" fn write_text(stream: *mut Stream, text: *const c_char, size: c_int) -> c_int {
    // SAFETY: V8 is calling with the stream that it was given and so many bytes.
    let (stream, bytes) = unsafe { (&mut *stream, std::slice::from_raw_parts(text.cast::<u8>(), size as usize)) };
    stream.outcome = stream.file.write_all(bytes);
    if stream.outcome.is_ok() { GO_ON } else { STOP }
}

unsafe extern "C" fn write_statistics(_stream: *mut Stream, _data: Raw, _count: c_int) -> c_int {
    STOP
}

fn write_to(path: &Path, isolate: Isolate) -> std::io::Result<()> {
    let api = api_addons::more();
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?; // it holds what the program knows
    let mut stream = Stream { table: &TABLE, file: BufWriter::new(file), outcome: Ok(()) };
    // SAFETY: V8 is calling with this isolate and allows a snapshot then; the stream lives through the call; the snapshot is
    // V8's and deleted once.
    unsafe {
        let profiler = (v8().heap_profiler)(isolate);
        let snapshot = (api.heap_snapshot)(profiler, std::ptr::null_mut(), std::ptr::null_mut(), true, false);
        const JSON: c_int = 0;
        (api.heap_snapshot_serialize)(snapshot, &mut stream as *mut Stream as Raw, JSON);
        (api.heap_snapshot_delete)(snapshot);
    }
    stream.outcome?;
    stream.file.flush()
}
