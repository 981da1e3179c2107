//! When a loop started, how long it has waited, and its counts, for `eventLoopUtilization`, which other threads may
//! call as well.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::v8::Natives;
use crate::v8::clock_ms;
use crate::v8::{Call, CallbackInfo};

use super::later::with_core;
use super::mailboxes;

pub const NATIVES: Natives = &[("loop_times", own), ("loop_timesOf", of_listener), ("loop_counts", counts)];

const NEVER: f64 = -1.0;

/// Milliseconds on the clock of `now()`, as bits; the loop's thread writes, any thread reads.
pub struct Times {
    start_ms: AtomicU64,
    end_ms: AtomicU64,
    idle_ms: AtomicU64,
    waits_since_ms: AtomicU64,
    turns: AtomicU64,
    events: AtomicU64,
    /// How many of `events` were ready before the loop polled, counted once the program has read it.
    events_waiting: AtomicU64,
    counts_waiting: AtomicBool,
}

fn read(number: &AtomicU64) -> f64 {
    f64::from_bits(number.load(Relaxed))
}

fn write(number: &AtomicU64, value: f64) {
    number.store(value.to_bits(), Relaxed);
}

impl Default for Times {
    fn default() -> Times {
        let never = || AtomicU64::new(NEVER.to_bits());
        Times {
            start_ms: never(),
            end_ms: never(),
            idle_ms: AtomicU64::default(),
            waits_since_ms: never(),
            turns: AtomicU64::default(),
            events: AtomicU64::default(),
            events_waiting: AtomicU64::default(),
            counts_waiting: AtomicBool::default(),
        }
    }
}

impl Times {
    /// Counts a turn.
    pub fn turn(&self) {
        if self.turns.fetch_add(1, Relaxed) == 0 {
            write(&self.start_ms, clock_ms());
        }
    }

    /// Records the end: nothing is pending any more.
    pub fn end(&self) {
        write(&self.end_ms, clock_ms());
    }

    /// Returns whether to count events that were ready before the loop polled.
    pub fn counts_waiting(&self) -> bool {
        self.counts_waiting.load(Relaxed)
    }

    /// Counts events that were ready before the loop polled.
    pub fn were_waiting(&self, count: usize) {
        self.events_waiting.fetch_add(count as u64, Relaxed);
        self.came(count);
    }

    pub fn came(&self, count: usize) {
        self.events.fetch_add(count as u64, Relaxed);
    }

    /// Measure the duration of `wait`.
    pub fn waiting<R>(&self, wait: impl FnOnce() -> R) -> R {
        let began = clock_ms();
        write(&self.waits_since_ms, began);
        let result = wait();
        write(&self.idle_ms, read(&self.idle_ms) + clock_ms() - began);
        write(&self.waits_since_ms, NEVER);
        result
    }

    /// The start, the idle time and the end of the loop.
    fn figures(&self) -> [f64; 3] {
        let waits_since = read(&self.waits_since_ms);
        let waits = if waits_since < 0.0 { 0.0 } else { clock_ms() - waits_since };
        [read(&self.start_ms), read(&self.idle_ms) + waits, read(&self.end_ms)]
    }
}

fn answer(call: &Call<'_>, numbers: &[f64]) {
    let numbers: Vec<_> = numbers.iter().map(|number| call.scope.number(*number)).collect();
    call.answer(call.scope.array(&numbers));
}

/// `loop_times()`: `[start, idle, end]` of this engine's loop, in milliseconds; negative if not yet known.
extern "C" fn own(info: &CallbackInfo) {
    with_core(info, |call, core| answer(call, &core.inbox.times.figures()));
}

/// `loop_timesOf(mailbox)`: the times of the loop that listens to a mailbox; undefined if none does.
extern "C" fn of_listener(info: &CallbackInfo) {
    with_core(info, |call, _| {
        if let Some(inbox) = mailboxes::listener(call.integer(0) as u64) {
            answer(call, &inbox.times.figures());
        }
    });
}

/// `loop_counts()`: turns, events, and waiting events, which are counted from the first call on.
extern "C" fn counts(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let times = &core.inbox.times;
        times.counts_waiting.store(true, Relaxed);
        let counted = [&times.turns, &times.events, &times.events_waiting].map(|count| count.load(Relaxed) as f64);
        answer(call, &counted);
    });
}
