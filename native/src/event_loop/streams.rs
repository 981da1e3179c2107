//! Pipes and sockets of the program, by descriptor: read and written without Python and without blocking.
//!
//! A descriptor is non-blocking and belongs to whatever passed it to JavaScript (`js/internal/pipe_handle.js`). Writes
//! go out at once as far as they fit; the rest keeps its memory and is written when the descriptor has room. A pipe is
//! read only between `read` and `stop`, at most a megabyte per turn, in blocks.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use pyo3::prelude::*;
use rustix::io::Errno;

use super::core::{Core, Slot};
use super::descriptors;
use super::later::with_core;
use super::poller::borrowed;
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo, Global, Local, PinnedBytes, Scope, with_bytes};

pub const NATIVES: Natives = &[
    ("pipes_read", read),
    ("pipes_readChannel", read_channel),
    ("pipes_stop", stop),
    ("pipes_write", write),
    ("pipes_writev", write_many),
    ("pipes_writeText", write_text),
    ("pipes_writeWith", write_with),
    ("pipes_end", end),
    ("pipes_close", close),
];

const DONE: f64 = 0.0;
const WAITING: f64 = 1.0;
/// Small reads go through a block of this size and are copied, so that each takes only the memory it needs.
const SMALL_BLOCK: usize = 64 * 1024;
/// Faster data is read in place, without a copy, into blocks of the size that `v8/api/blocks.rs` recycles.
const LARGE_BLOCK: usize = 64 * 1024;
/// How many blocks are read from one descriptor before the turn continues with others.
const BLOCKS_A_TURN: usize = 16;
const MOST_SLICES: usize = 1024;

/// The streams of one loop.
#[derive(Default)]
pub struct Streams {
    reading: RefCell<HashMap<i32, Rc<Reading>>>,
    writing: RefCell<HashMap<i32, Queue>>,
    scratch: RefCell<Vec<u8>>,
}

type Queue = Rc<RefCell<VecDeque<Chunk>>>;

/// Data waiting to be written.
struct Chunk {
    bytes: Memory,
    written: usize,
    /// Called with 0 or a negative errno once this and everything before it is written.
    callback: Option<Global>,
    /// The descriptor that accompanies the first byte.
    passed: Option<OwnedFd>,
}

enum Memory {
    PinnedBytes(PinnedBytes),
    Copy(Vec<u8>),
}

impl Memory {
    fn bytes(&self) -> &[u8] {
        match self {
            Memory::PinnedBytes(kept) => kept.bytes(),
            Memory::Copy(bytes) => bytes,
        }
    }
}

impl Chunk {
    fn rest(&self) -> &[u8] {
        &self.bytes.bytes()[self.written..]
    }
}

fn failure(error: Errno) -> f64 {
    -f64::from(error.raw_os_error())
}

// --- Reading.

/// What is passed to JavaScript for the bytes of a read, and whether it needs the bytes as well.
pub type Decode = dyn for<'s> Fn(&Scope<'s>, &[u8]) -> (Local<'s>, bool);

/// How the bytes that were read reach JavaScript.
enum Delivery {
    /// As a block.
    Blocks,
    /// As a block, with the descriptors that arrived.
    Channel,
    /// Decoded, with the block if it is needed, and its size.
    Decoded(Rc<Decode>),
}

struct Reading {
    descriptor: i32,
    callback: Global,
    /// Whether the last read filled a small block, or half of a large one, so more is likely to come.
    is_fast: Cell<bool>,
    is_stopped: Cell<bool>,
    delivery: Delivery,
}

/// The result of one read.
enum Outcome {
    Block,
    End,
    Nothing,
}

impl Reading {
    /// Reads the available data and passes it on, a few blocks at most.
    fn run(&self, core: &Rc<Core>) -> PyResult<()> {
        for _ in 0..BLOCKS_A_TURN {
            let is_fast = self.is_fast.get();
            if !matches!(self.one(core)?, Outcome::Block) || self.is_stopped.get() {
                break;
            }
            if !is_fast && !self.is_fast.get() {
                break; // the descriptor has been emptied
            }
        }
        Ok(())
    }

    fn one(&self, core: &Rc<Core>) -> PyResult<Outcome> {
        let Some(functions) = core.functions() else { return Ok(Outcome::Nothing) };
        functions.state.enter(|scope| {
            let source = borrowed(self.descriptor);
            let mut outcome = Ok(0);
            let mut arrived = Vec::new();
            let mut fill = |room: &mut [u8]| match self.delivery {
                Delivery::Channel => descriptors::receive(source, room, &mut arrived),
                Delivery::Blocks | Delivery::Decoded(_) => rustix::io::read(source, room),
            };
            let mut decoded = None;
            let block = if self.is_fast.get() {
                let block = scope.bytes(LARGE_BLOCK, |room| {
                    outcome = fill(room);
                    outcome.unwrap_or(0)
                });
                self.is_fast.set(outcome.is_ok_and(|count| count >= LARGE_BLOCK / 2));
                if let (Delivery::Decoded(decode), Ok(1..), Some(block)) = (&self.delivery, outcome, block) {
                    decoded = with_bytes(block, |bytes| decode(scope, bytes).0);
                }
                block
            } else {
                let mut scratch = core.streams.scratch.borrow_mut();
                scratch.resize(SMALL_BLOCK, 0);
                outcome = fill(&mut scratch[..]);
                let count = outcome.unwrap_or(0);
                self.is_fast.set(count == SMALL_BLOCK);
                let mut is_needed = true;
                if let (Delivery::Decoded(decode), 1..) = (&self.delivery, count) {
                    let (value, needs_bytes) = decode(scope, &scratch[..count]);
                    decoded = Some(value);
                    is_needed = needs_bytes;
                }
                if is_needed {
                    scope.bytes(count, |room| {
                        room.copy_from_slice(&scratch[..count]);
                        count
                    })
                } else {
                    Some(scope.undefined())
                }
            };
            let (what, value) = match (outcome, block) {
                (Err(Errno::AGAIN | Errno::INTR), _) => return Ok(Outcome::Nothing),
                (Err(error), _) => (Outcome::End, scope.number(failure(error))),
                (Ok(0), _) => (Outcome::End, scope.null()),
                (Ok(_), Some(block)) => (Outcome::Block, block),
                (Ok(_), None) => (Outcome::End, scope.number(failure(Errno::NOMEM))),
            };
            let call = functions.call.in_scope(scope)?;
            let callback = self.callback.in_scope(scope)?;
            if let Some(decoded) = decoded {
                let size = scope.number(outcome.unwrap_or(0) as f64);
                scope.call(call, &[callback.handle(), decoded.handle(), value.handle(), size.handle()])?;
            } else if arrived.is_empty() {
                scope.call(call, &[callback.handle(), value.handle()])?;
            } else {
                arrived.iter().for_each(|each| core.own(*each));
                let numbers: Vec<_> = arrived.iter().map(|each| scope.number(f64::from(*each))).collect();
                scope.call(call, &[callback.handle(), value.handle(), scope.array(&numbers).handle()])?;
            }
            Ok(what)
        })
    }
}

/// `pipes_read(descriptor, callback)`: calls back with each block, null at the end, or a negative errno.
extern "C" fn read(info: &CallbackInfo) {
    with_core(info, |call, core| begin_reading(call, core, Delivery::Blocks));
}

/// `pipes_readChannel(descriptor, callback)`: the same for a socket, with an array of received descriptors.
extern "C" fn read_channel(info: &CallbackInfo) {
    with_core(info, |call, core| begin_reading(call, core, Delivery::Channel));
}

/// Reads the descriptor of the first argument, and calls the function of the second one with what `decode` makes of each
/// read, with its bytes if they are needed and with their number; at the end with null, or with a negative errno.
pub fn read_decoded(call: &Call<'_>, core: &Rc<Core>, decode: Rc<Decode>) {
    begin_reading(call, core, Delivery::Decoded(decode));
}

fn begin_reading(call: &Call<'_>, core: &Rc<Core>, delivery: Delivery) {
    let Some(callback) = call.function(1) else { return };
    let descriptor = call.integer(0) as i32;
    let (is_fast, is_stopped) = (Cell::new(false), Cell::new(false));
    let reading = Rc::new(Reading { descriptor, callback, is_fast, is_stopped, delivery });
    core.streams.stop(descriptor);
    core.streams.reading.borrow_mut().insert(descriptor, reading.clone());
    if let Err(error) = core.watch(descriptor, Slot::Readable, Rc::new(move |core: &Rc<Core>| reading.run(core))) {
        call.raise(std::io::Error::from(error).into());
    }
}

extern "C" fn stop(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        core.streams.stop(descriptor);
        core.unwatch(descriptor, Slot::Readable);
    });
}

impl Streams {
    /// Stops reading, even in the middle of a turn's blocks.
    fn stop(&self, descriptor: i32) {
        let reading = self.reading.borrow_mut().remove(&descriptor);
        if let Some(reading) = reading {
            reading.is_stopped.set(true);
        }
    }
}

// --- Writing.

/// Writes as much as fits at once: (bytes written, the error that stopped it). With `passed` there is only one part.
fn write_now(descriptor: i32, parts: &[&[u8]], passed: Option<BorrowedFd<'_>>) -> (usize, Option<Errno>) {
    if let (Some(passed), [part, ..]) = (passed, parts) {
        return match descriptors::send(borrowed(descriptor), part, passed) {
            Ok(count) => (count, None),
            Err(Errno::AGAIN | Errno::INTR) => (0, None),
            Err(error) => (0, Some(error)),
        };
    }
    if let [part] = parts {
        return match rustix::io::write(borrowed(descriptor), part) {
            Ok(count) => (count, None),
            Err(Errno::AGAIN | Errno::INTR) => (0, None),
            Err(error) => (0, Some(error)),
        };
    }
    let mut total = 0;
    for some in parts.chunks(MOST_SLICES) {
        let size: usize = some.iter().map(|part| part.len()).sum();
        let slices: Vec<IoSlice<'_>> = some.iter().map(|part| IoSlice::new(part)).collect();
        match rustix::io::writev(borrowed(descriptor), &slices) {
            Ok(count) => {
                total += count;
                if count < size {
                    break;
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => break,
            Err(error) => return (total, Some(error)),
        }
    }
    (total, None)
}

/// `pipes_write(descriptor, bytes, callback)`: 0 if everything is written, 1 if the callback will be called with 0 or a
/// negative errno, or a negative errno.
extern "C" fn write(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let values = [call.argument(1)];
        answer_write(call, core, &values, None);
    });
}

/// `pipes_writeWith(descriptor, bytes, callback, passed)`: the same, with another descriptor that accompanies the first
/// byte.
extern "C" fn write_with(info: &CallbackInfo) {
    with_core(info, |call, core| match descriptors::duplicate(borrowed(call.integer(3) as i32)) {
        Ok(passed) => answer_write(call, core, &[call.argument(1)], Some(passed)),
        Err(error) => call.answer_number(failure(error)),
    });
}

/// `pipes_writev(descriptor, [bytes, ...], callback)`: the same for many.
extern "C" fn write_many(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let values = call.scope.elements(call.argument(1));
        answer_write(call, core, &values, None);
    });
}

fn answer_write(call: &Call<'_>, core: &Rc<Core>, values: &[Local<'_>], mut passed: Option<OwnedFd>) {
    let descriptor = call.integer(0) as i32;
    let is_waiting = core.streams.writing.borrow().contains_key(&descriptor);
    let memories: Option<Vec<Memory>> = values.iter().map(|value| memory(call, *value)).collect();
    let Some(memories) = memories else { return call.throw_type_error("a buffer is needed") };
    let mut written = 0;
    if !is_waiting {
        let parts: Vec<&[u8]> = memories.iter().map(Memory::bytes).collect();
        let (count, error) = write_now(descriptor, &parts, passed.as_ref().map(AsFd::as_fd));
        if let Some(error) = error {
            return call.answer_number(failure(error));
        }
        if count == parts.iter().map(|part| part.len()).sum::<usize>() {
            return call.answer_number(DONE);
        }
        written = count;
        if written > 0 {
            passed = None;
        }
    }
    let mut rest = VecDeque::new();
    for bytes in memories {
        let size = bytes.bytes().len();
        if written < size || size == 0 {
            rest.push_back(Chunk { bytes, written, callback: None, passed: passed.take() });
            written = 0;
        } else {
            written -= size;
        }
    }
    if let Some(chunk) = rest.back_mut() {
        chunk.callback = call.function(2);
    }
    call.answer_number(core.enqueue(descriptor, rest).map_or_else(failure, |()| WAITING));
}

/// `pipes_writeText(descriptor, text, isLatin, callback)`: writes text in UTF-8 or Latin-1. A negative errno, or twice the
/// number of bytes, plus 1 if the callback will be called with 0 or a negative errno.
extern "C" fn write_text(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let (descriptor, text, is_latin) = (call.integer(0) as i32, call.argument(1), call.integer(2) != 0);
        let is_waiting = core.streams.writing.borrow().contains_key(&descriptor);
        let outcome = call.scope.encoded(text, is_latin, |bytes| {
            let (written, error) = if is_waiting { (0, None) } else { write_now(descriptor, &[bytes], None) };
            let is_done = !is_waiting && written == bytes.len();
            error.map_or_else(|| Ok((bytes.len(), (!is_done).then(|| bytes[written..].to_vec()))), Err)
        });
        let Some(outcome) = outcome else { return call.throw_type_error("a string is needed") };
        let outcome = outcome.and_then(|(size, rest)| {
            let Some(rest) = rest else { return Ok(2.0 * size as f64) };
            let chunk = Chunk { bytes: Memory::Copy(rest), written: 0, callback: call.function(3), passed: None };
            core.enqueue(descriptor, VecDeque::from([chunk])).map(|()| 2.0 * size as f64 + WAITING)
        });
        call.answer_number(outcome.unwrap_or_else(failure));
    });
}

impl Core {
    /// Appends data to the queue of a descriptor, which is written when it has room.
    fn enqueue(self: &Rc<Self>, descriptor: i32, mut chunks: VecDeque<Chunk>) -> Result<(), Errno> {
        let is_waiting = self.streams.writing.borrow().contains_key(&descriptor);
        let queue = self.streams.writing.borrow_mut().entry(descriptor).or_default().clone();
        queue.borrow_mut().append(&mut chunks);
        if is_waiting {
            return Ok(());
        }
        let watcher = Rc::new(move |core: &Rc<Core>| write_on(core, descriptor, &queue));
        self.watch(descriptor, Slot::Writable, watcher).inspect_err(|_| {
            self.streams.writing.borrow_mut().remove(&descriptor);
        })
    }
}

/// The memory of a buffer, or a copy of a resizable one.
fn memory(call: &Call<'_>, value: Local<'_>) -> Option<Memory> {
    match PinnedBytes::of(value) {
        Some(kept) => Some(Memory::PinnedBytes(kept)),
        None => call.scope.copy_bytes(value).map(Memory::Copy),
    }
}

/// Continue writing when the descriptor has room again.
fn write_on(core: &Rc<Core>, descriptor: i32, queue: &Queue) -> PyResult<()> {
    loop {
        let (mut count, error) = {
            let chunks = queue.borrow();
            let passed = chunks.front().and_then(|chunk| chunk.passed.as_ref());
            let together = match passed {
                Some(_) => 1,
                None => chunks.iter().take_while(|chunk| chunk.passed.is_none()).count(),
            };
            let parts: Vec<&[u8]> = chunks.iter().take(together).map(Chunk::rest).collect();
            write_now(descriptor, &parts, passed.map(AsFd::as_fd))
        };
        if let (true, Some(chunk)) = (count > 0, queue.borrow_mut().front_mut()) {
            chunk.passed = None;
        }
        let mut callbacks = Vec::new();
        let is_stuck = {
            let mut chunks = queue.borrow_mut();
            while let Some(chunk) = chunks.front_mut() {
                let size = chunk.rest().len();
                if count < size && error.is_none() {
                    chunk.written += count;
                    break;
                }
                count -= count.min(size);
                callbacks.extend(chunks.pop_front().and_then(|chunk| chunk.callback));
            }
            !chunks.is_empty()
        };
        if !is_stuck {
            forget(core, descriptor, queue);
        }
        let outcome = error.map_or(0.0, failure);
        for callback in &callbacks {
            core.call(callback, &[&|scope| Ok(scope.number(outcome))])?;
        }
        // Writes of the callbacks wait in a new queue, or in this one if it is still in use.
        if is_stuck || callbacks.is_empty() || queue.borrow().is_empty() {
            return Ok(());
        }
    }
}

/// Removes an empty queue.
fn forget(core: &Rc<Core>, descriptor: i32, queue: &Queue) {
    let mut writing = core.streams.writing.borrow_mut();
    if writing.get(&descriptor).is_some_and(|known| Rc::ptr_eq(known, queue)) {
        writing.remove(&descriptor);
        drop(writing);
        core.unwatch(descriptor, Slot::Writable);
    }
}

// --- Closing.

/// `pipes_end(descriptor)`: ends writing and tells the peer of a socket, which may continue to write.
extern "C" fn end(info: &CallbackInfo) {
    with_core(info, |call, _| {
        // The peer may be gone.
        let _ = rustix::net::shutdown(borrowed(call.integer(0) as i32), rustix::net::Shutdown::Write);
    });
}

/// `pipes_close(descriptor)`: drops unwritten data and its callbacks.
extern "C" fn close(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        core.streams.stop(descriptor);
        core.unwatch(descriptor, Slot::Readable);
        core.unwatch(descriptor, Slot::Writable);
        let waiting = core.streams.writing.borrow_mut().remove(&descriptor);
        drop(waiting);
        core.disown(descriptor);
        // SAFETY: JavaScript owned the descriptor and transfers it with this call.
        unsafe { rustix::io::close(descriptor) };
    });
}
