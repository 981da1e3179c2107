//! How many scripts of a run may run at once if the command line does not say so. The run starts with a number that depends on
//! the CPUs (`initial_concurrency`); while scripts wait for a slot only, more start as long as CPUs are idle. So builds do not
//! starve the machine, and all servers of a run start although none of them ever ends. `schedule` counts the slots.
use std::time::{Duration, Instant};

const LEAST: usize = 4;
const PER_CPU: usize = 2;
const REVIEW: Duration = Duration::from_millis(500);
/// CPUs count as idle if they were for this share of the time since the last review.
const IDLE_PERCENT: u64 = 30;
/// One more script starts after this time without a start, however busy the CPUs are: the run may wait for scripts that never end.
const STALLED: Duration = Duration::from_secs(2);

/// Returns how many CPUs this process may use: its affinity and the quota of its control group limit them.
pub fn available_cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns how many scripts a run starts with.
pub fn initial_concurrency() -> usize {
    initial_for(available_cpus())
}

fn initial_for(cpus: usize) -> usize {
    (cpus * PER_CPU).max(LEAST)
}

/// The ticks that all CPUs have spent idle, and all their ticks, since the system started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticks {
    idle: u64,
    all: u64,
}

impl Ticks {
    /// Reads the ticks of the system; None if it does not show them.
    pub fn now() -> Option<Ticks> {
        Ticks::parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// Reads the first line of proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; guests are part of user.
    fn parse(text: &str) -> Option<Ticks> {
        let ticks = text.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
        let ticks = ticks.map(|word| word.parse().ok()).collect::<Option<Vec<u64>>>()?;
        Some(Ticks { idle: ticks.get(3)? + ticks.get(4)?, all: ticks.iter().sum() })
    }

    fn were_idle_since(self, earlier: Ticks) -> bool {
        let all = self.all.saturating_sub(earlier.all);
        all > 0 && self.idle.saturating_sub(earlier.idle) * 100 >= all * IDLE_PERCENT
    }
}

/// When to review the number of slots, and what was seen at the last review.
#[derive(Debug, Default)]
pub struct Crowding {
    next: Option<Instant>,
    ticks: Option<Ticks>,
    /// How many scripts had been started at the last start, and when that was noticed.
    progress: Option<(u64, Instant)>,
}

impl Crowding {
    /// Returns when the next review is due; None while no script waits for a slot.
    pub fn deadline(&self) -> Option<Instant> {
        self.next
    }

    /// No script waits for a slot.
    pub fn rest(&mut self) {
        *self = Crowding::default();
    }

    /// Returns how many more scripts than `slots` may run at once, while scripts wait for a slot. `starts` is the number of scripts
    /// started so far; `ticks` is called only if a review is due.
    pub fn review(&mut self, now: Instant, slots: usize, starts: u64, ticks: impl FnOnce() -> Option<Ticks>) -> usize {
        if self.progress.is_none_or(|(count, _)| count != starts) {
            self.progress = Some((starts, now));
        }
        if self.next.is_some_and(|next| now < next) {
            return 0;
        }
        let is_first = self.next.is_none();
        self.next = Some(now + REVIEW);
        let (before, after) = (self.ticks, ticks());
        self.ticks = after;
        let is_idle = matches!((before, after), (Some(before), Some(after)) if after.were_idle_since(before));
        let is_stalled = self.progress.is_some_and(|(_, since)| now >= since + STALLED);
        match (is_first, is_idle, is_stalled) {
            (false, true, _) => slots,
            (false, false, true) => 1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
