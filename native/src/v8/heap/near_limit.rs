//! Snapshots of a nearly full heap: `v8.setHeapSnapshotNearHeapLimit`, `--heapsnapshot-near-heap-limit`. V8 requests
//! more room, no JavaScript may run, and V8 writes the snapshot to the file in chunks.
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::fatal_report::local_stamp;
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::rare;
use crate::v8::api::{Isolate, Raw, v8};
use crate::v8::values::function::Natives;
use crate::v8::values::function::guarded;
use crate::v8::values::state::State;

pub const NATIVES: Natives = &[("heap_snapshotNearLimit", keep)];

/// How far the limit is raised for each snapshot, and while one is being taken.
const MORE_ROOM: usize = 16 << 20;

/// What an engine does when its heap is nearly full.
#[derive(Default)]
pub struct NearLimit {
    left: Cell<u32>,
    is_taking: Cell<bool>,
    folder: RefCell<PathBuf>,
    thread: Cell<i64>,
}

/// `heap_snapshotNearLimit(count, folder, thread)`: writes up to `count` snapshots into the folder.
extern "C" fn keep(info: &CallbackInfo) {
    guarded(info, |call| {
        let near_limit = call.scope.state.slot::<NearLimit>();
        let folder = call.utf8(1).unwrap_or_default();
        near_limit.folder.replace(PathBuf::from(String::from_utf8_lossy(&folder).into_owned()));
        near_limit.thread.set(call.integer(2));
        call.scope.state.inner().near_heap_limit.set(Some(write));
        near_limit.left.set(if rare::load().is_ok() { call.integer(0) as u32 } else { 0 });
    });
}

/// Writes a snapshot if any are left. Returns V8's new limit; None if no snapshot was due.
fn write(state: &State, current: usize) -> Option<usize> {
    let near_limit = state.slot::<NearLimit>();
    if near_limit.is_taking.get() {
        return Some(current + MORE_ROOM); // taking the snapshot needs it
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

/// The name of a snapshot, in Node's format.
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

/// Its virtual functions: two destructors, then the fields below.
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

/// The stream lives on the stack of `write_to`; V8 deletes none.
unsafe extern "C" fn nothing(_stream: *mut Stream) {}

unsafe extern "C" fn chunk_size(_stream: *mut Stream) -> c_int {
    64 << 10
}

unsafe extern "C" fn write_text(stream: *mut Stream, text: *const c_char, size: c_int) -> c_int {
    // SAFETY: V8 passes the stream that it received and `size` bytes of text.
    let (stream, bytes) = unsafe { (&mut *stream, std::slice::from_raw_parts(text.cast::<u8>(), size as usize)) };
    stream.outcome = stream.file.write_all(bytes);
    if stream.outcome.is_ok() { GO_ON } else { STOP }
}

unsafe extern "C" fn write_statistics(_stream: *mut Stream, _data: Raw, _count: c_int) -> c_int {
    STOP
}

fn write_to(path: &Path, isolate: Isolate) -> std::io::Result<()> {
    let api = rare::more();
    // it holds the program's data
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    let mut stream = Stream { table: &TABLE, file: BufWriter::new(file), outcome: Ok(()) };
    // SAFETY: the isolate is current and V8 allows a snapshot here; the stream outlives the call; the snapshot is
    // deleted once.
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
