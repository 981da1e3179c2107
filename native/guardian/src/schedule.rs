//! Which task of a plan may start next: order, concurrency, failure. Pure: knows no process, no clock. The same as
//! `rt_supervisor/supervising/schedule.py`, without what runs again.
//!
//! WAITING --everything it waits for succeeded and a place is free--> RUNNING --> SUCCEEDED | FAILED
//! WAITING --a task it waits for failed or was skipped, or the run stops--> SKIPPED
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Succeeded,
    Failed(u8),
    Skipped,
}

/// The state of one run. The key of a task is its index in listing order.
pub struct Schedule {
    concurrency: usize,
    dependents: Vec<Vec<u32>>,
    missing: Vec<u32>,
    states: Vec<State>,
    ready: BinaryHeap<Reverse<u32>>,
    running: usize,
    is_stopped: bool,
}

impl Schedule {
    /// `after` holds for each task those that must have succeeded before; None where there is no such task.
    pub fn new<'a>(concurrency: usize, after: impl Iterator<Item = &'a [u32]>) -> Option<Schedule> {
        let after: Vec<&[u32]> = after.collect();
        let mut dependents = vec![Vec::new(); after.len()];
        for (key, needs) in (0..).zip(&after) {
            for need in *needs {
                dependents.get_mut(*need as usize)?.push(key);
            }
        }
        let missing: Vec<u32> = after.iter().map(|needs| needs.len() as u32).collect();
        let ready = (0..).zip(&missing).filter(|(_, missing)| **missing == 0).map(|(key, _)| Reverse(key)).collect();
        let states = vec![State::Waiting; after.len()];
        let concurrency = concurrency.max(1);
        Some(Schedule { concurrency, dependents, missing, states, ready, running: 0, is_stopped: false })
    }

    /// Whether nothing runs and nothing will.
    pub fn is_finished(&self) -> bool {
        self.running == 0 && self.ready.is_empty()
    }

    /// The task to start now; it counts as running from here on.
    pub fn take_ready(&mut self) -> Option<u32> {
        if self.running >= self.concurrency {
            return None;
        }
        let Reverse(key) = self.ready.pop()?;
        self.running += 1;
        self.states[key as usize] = State::Running;
        Some(key)
    }

    /// Undo the start of `key`, which the system refused, and run no more at once than run now.
    pub fn put_back(&mut self, key: u32) {
        self.running -= 1;
        self.states[key as usize] = State::Waiting;
        if !self.is_stopped {
            self.ready.push(Reverse(key));
        }
        self.concurrency = self.running.max(1);
    }

    /// Note that `key` ended with exit status `status`. Each task that will now never run, in listing order, and the
    /// failed one that it depends on.
    pub fn end(&mut self, key: u32, status: u8) -> Vec<(u32, u32)> {
        self.running -= 1;
        if status != 0 {
            self.states[key as usize] = State::Failed(status);
            return self.skip_dependents(key);
        }
        self.states[key as usize] = State::Succeeded;
        for dependent in self.dependents[key as usize].clone() {
            let place = dependent as usize;
            self.missing[place] -= 1;
            if self.missing[place] == 0 && self.states[place] == State::Waiting && !self.is_stopped {
                self.ready.push(Reverse(dependent));
            }
        }
        Vec::new()
    }

    /// Start nothing more; the tasks that are given up, in listing order.
    pub fn stop(&mut self) -> Vec<u32> {
        self.is_stopped = true;
        self.ready.clear();
        let waiting = (0..).zip(&mut self.states).filter(|(_, state)| **state == State::Waiting);
        waiting
            .map(|(key, state)| {
                *state = State::Skipped;
                key
            })
            .collect()
    }

    /// The exit status of the first task in listing order that failed, 0 without one.
    pub fn exit_status(&self) -> u8 {
        let failed = |state: &State| if let State::Failed(status) = state { Some(*status) } else { None };
        self.states.iter().find_map(failed).unwrap_or(0)
    }

    fn skip_dependents(&mut self, failed: u32) -> Vec<(u32, u32)> {
        let mut skipped = Vec::new();
        let mut reached = vec![failed];
        while let Some(cause) = reached.pop() {
            for dependent in self.dependents[cause as usize].clone() {
                if self.states[dependent as usize] == State::Waiting {
                    self.states[dependent as usize] = State::Skipped;
                    skipped.push((dependent, cause));
                    reached.push(dependent);
                }
            }
        }
        skipped.sort_unstable();
        skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(concurrency: usize, after: &[&[u32]]) -> Schedule {
        Schedule::new(concurrency, after.iter().copied()).unwrap_or_else(|| unreachable!())
    }

    fn taken(schedule: &mut Schedule) -> Vec<u32> {
        std::iter::from_fn(|| schedule.take_ready()).collect()
    }

    #[test]
    fn what_waits_starts_when_all_it_waits_for_succeeded() {
        let mut one = schedule(8, &[&[1, 2], &[], &[]]);
        assert_eq!(taken(&mut one), [1, 2]);
        assert_eq!(one.end(1, 0), []);
        assert_eq!(taken(&mut one), []);
        assert_eq!(one.end(2, 0), []);
        assert_eq!(taken(&mut one), [0]);
        assert!(!one.is_finished());
        one.end(0, 3);
        assert!(one.is_finished());
        assert_eq!(one.exit_status(), 3);
    }

    #[test]
    fn what_depends_on_a_failure_is_skipped_with_all_that_depends_on_it() {
        let mut one = schedule(1, &[&[], &[0], &[1], &[]]);
        assert_eq!(taken(&mut one), [0]);
        assert_eq!(one.end(0, 1), [(1, 0), (2, 1)]);
        assert_eq!(taken(&mut one), [3]);
        assert_eq!(one.stop(), []);
    }

    #[test]
    fn one_that_was_refused_waits_and_fewer_run_at_once() {
        let mut one = schedule(3, &[&[], &[], &[], &[]]);
        assert_eq!(taken(&mut one), [0, 1, 2]);
        one.put_back(2);
        one.end(0, 0);
        assert_eq!(taken(&mut one), [2]);
        assert_eq!(one.stop(), [3]);
        assert!(!one.is_finished());
    }

    #[test]
    fn a_task_that_is_not_there_is_no_plan() {
        assert!(Schedule::new(1, [&[7u32][..]].into_iter()).is_none());
    }
}
