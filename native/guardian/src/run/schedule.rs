//! Which task of a plan may start next: topological order, concurrency, failures, restarts. A driver may decide this instead
//! (`drive`). Pure: no process, no clock.
//!
//! ```text
//! Waiting ──all dependencies succeeded and a slot is free──> Running ──> Succeeded | Failed
//! Waiting ──a dependency failed or was skipped, or the run stops──> Skipped
//! Running ──restart──> Leaving ──ended──> Waiting
//! Running ──restart, and a dependency has to run first──> Outdated ──all dependencies succeeded──> Leaving
//! Outdated ──ended──> Waiting, or Failed | Skipped if a dependency failed
//! Succeeded | Failed | Skipped ──restart──> Waiting
//! ```
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    /// It is being stopped so that it can run again.
    Leaving,
    /// It runs on until its dependencies have succeeded again, so that a failed build does not stop the server above it.
    Outdated,
    Succeeded,
    Failed(u8),
    Skipped,
}

impl State {
    fn is_active(self) -> bool {
        matches!(self, State::Running | State::Leaving | State::Outdated)
    }

    /// Returns whether a task that depends on one in this state will not run until a restart.
    fn blocks(self) -> bool {
        matches!(self, State::Failed(_) | State::Skipped)
    }
}

/// The states of all tasks. The key of a task is its index in listing order.
pub struct Schedule {
    concurrency: usize,
    needs: Vec<Vec<u32>>,
    dependents: Vec<Vec<u32>>,
    /// For each task, how many of its dependencies have not succeeded.
    missing: Vec<u32>,
    states: Vec<State>,
    /// May also hold tasks that have become waiting again since.
    ready: BinaryHeap<Reverse<u32>>,
    /// How many tasks run, leave or are outdated.
    active: usize,
    /// How many of them are outdated: these do not take the place of what they wait for.
    outdated: usize,
    /// Outdated tasks whose dependencies have succeeded, to be stopped now.
    leaving: Vec<u32>,
    is_stopped: bool,
    /// Only `start`, `skip` and `restart` change waiting tasks.
    is_driven: bool,
}

/// The result of `restart`, in listing order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Restarted {
    /// Tasks that run and have to be stopped first.
    pub leaving: Vec<u32>,
    /// Tasks that run on until their dependencies have succeeded again.
    pub outdated: Vec<u32>,
    /// Tasks that wait from now on.
    pub waiting: Vec<u32>,
}

impl Schedule {
    /// `after` lists the dependencies of each task; a task may name one twice. Returns None if a dependency does not exist.
    pub fn new<'a>(concurrency: usize, after: impl Iterator<Item = &'a [u32]>) -> Option<Schedule> {
        let needs: Vec<Vec<u32>> = after
            .map(|needs| {
                let mut needs = needs.to_vec();
                needs.sort_unstable();
                needs.dedup();
                needs
            })
            .collect();
        let mut dependents = vec![Vec::new(); needs.len()];
        for (key, needs) in (0..).zip(&needs) {
            for need in needs {
                dependents.get_mut(*need as usize)?.push(key);
            }
        }
        let missing: Vec<u32> = needs.iter().map(|needs| needs.len() as u32).collect();
        let ready = (0..).zip(&missing).filter(|(_, missing)| **missing == 0).map(|(key, _)| Reverse(key)).collect();
        let states = vec![State::Waiting; needs.len()];
        Some(Schedule {
            concurrency: concurrency.max(1),
            needs,
            dependents,
            missing,
            states,
            ready,
            active: 0,
            outdated: 0,
            leaving: Vec::new(),
            is_stopped: false,
            is_driven: false,
        })
    }

    /// Lets the driver decide from now on which tasks start and which are skipped.
    pub fn drive(&mut self) {
        self.is_driven = true;
        self.ready.clear();
    }

    /// Starts `key` if it waits. Returns whether it does.
    pub fn start(&mut self, key: u32) -> bool {
        self.leave_waiting(key, State::Running)
    }

    /// Skips `key` if it waits. Returns whether it does.
    pub fn skip(&mut self, key: u32) -> bool {
        self.leave_waiting(key, State::Skipped)
    }

    fn leave_waiting(&mut self, key: u32, state: State) -> bool {
        let may_leave = !self.is_stopped && self.states.get(key as usize) == Some(&State::Waiting);
        if may_leave {
            self.set(key, state);
        }
        may_leave
    }

    /// The tasks that have started and not ended, in listing order.
    pub fn running(&self) -> Vec<u32> {
        self.keys(State::is_active)
    }

    /// Returns whether no task runs and none will.
    pub fn is_finished(&mut self) -> bool {
        let is_waiting = if self.is_driven {
            !self.is_stopped && self.states.contains(&State::Waiting)
        } else {
            self.next_ready().is_some()
        };
        self.active == 0 && !is_waiting
    }

    /// Takes the next task to start, which counts as running from now on.
    pub fn take_ready(&mut self) -> Option<u32> {
        if self.active - self.outdated >= self.concurrency {
            return None;
        }
        let key = self.next_ready()?;
        self.ready.pop();
        self.set(key, State::Running);
        Some(key)
    }

    /// Returns whether a task waits for nothing but a slot.
    pub fn is_full(&mut self) -> bool {
        self.active - self.outdated >= self.concurrency && self.next_ready().is_some()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.concurrency
    }

    /// Adds `more` slots, up to `most` in total.
    pub fn widen(&mut self, more: usize, most: usize) {
        self.concurrency = (self.concurrency + more).min(most.max(self.concurrency));
    }

    /// Undoes the start of `key`, which the system refused, and lowers the concurrency to what runs now.
    pub fn put_back(&mut self, key: u32) {
        self.wait(key);
        self.concurrency = self.active.max(1);
    }

    /// Records that `key` ended with exit status `status`. Returns each task that will now never run, in listing order,
    /// with the failed or skipped dependency that is the reason. A task that will run again waits, whatever its status.
    pub fn end(&mut self, key: u32, status: u8) -> Vec<(u32, u32)> {
        let place = key as usize;
        if self.runs_again(key) {
            self.wait(key);
            return Vec::new();
        }
        if status != 0 {
            self.set(key, State::Failed(status));
            return if self.is_driven { Vec::new() } else { self.skip_dependents(key) };
        }
        if self.states[place] == State::Outdated {
            self.set(key, State::Skipped); // what it made is outdated, too
            return self.skip_dependents(key);
        }
        self.set(key, State::Succeeded);
        for dependent in self.dependents[place].clone() {
            self.missing[dependent as usize] -= 1;
            self.offer(dependent);
        }
        Vec::new()
    }

    /// Reruns the tasks `keys`, each as soon as its dependencies have succeeded. One that runs is stopped at that moment.
    pub fn restart(&mut self, keys: &[u32]) -> Restarted {
        let mut keys: Vec<u32> = keys.iter().copied().filter(|key| (*key as usize) < self.states.len()).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut restarted = Restarted::default();
        let running = |states: &[State], key: u32| matches!(states[key as usize], State::Running | State::Outdated);
        let (running, others): (Vec<u32>, Vec<u32>) = keys.into_iter().partition(|key| running(&self.states, *key));
        for key in others {
            if self.states[key as usize] == State::Leaving {
                continue;
            }
            if self.states[key as usize] == State::Succeeded {
                for dependent in self.dependents[key as usize].clone() {
                    self.missing[dependent as usize] += 1;
                }
            }
            restarted.waiting.push(key);
            self.wait(key);
        }
        for key in running {
            if self.missing[key as usize] == 0 || self.is_driven {
                self.set(key, State::Leaving);
                restarted.leaving.push(key);
            } else {
                self.set(key, State::Outdated);
                restarted.outdated.push(key);
            }
        }
        restarted
    }

    /// Returns the outdated tasks whose dependencies have succeeded since the last call; each has to be stopped.
    pub fn take_leaving(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.leaving)
    }

    /// Returns whether `key` waits once it has ended, instead of having succeeded or failed.
    pub fn runs_again(&self, key: u32) -> bool {
        match self.states[key as usize] {
            State::Leaving => true,
            State::Outdated => {
                !self.is_stopped && !self.needs[key as usize].iter().any(|need| self.states[*need as usize].blocks())
            }
            _ => false,
        }
    }

    /// Starts no more tasks. Returns the tasks that will not run, in listing order.
    pub fn stop(&mut self) -> Vec<u32> {
        self.is_stopped = true;
        self.ready.clear();
        let given_up = self.keys(|state| state == State::Waiting);
        given_up.iter().for_each(|key| self.set(*key, State::Skipped));
        given_up
    }

    /// The exit status of the first task in listing order that failed, 0 if none did.
    pub fn exit_status(&self) -> u8 {
        let failed = |state: &State| if let State::Failed(status) = state { Some(*status) } else { None };
        self.states.iter().find_map(failed).unwrap_or(0)
    }

    fn keys(&self, is_wanted: impl Fn(State) -> bool) -> Vec<u32> {
        (0..).zip(&self.states).filter(|(_, state)| is_wanted(**state)).map(|(key, _)| key).collect()
    }

    fn set(&mut self, key: u32, state: State) {
        let before = std::mem::replace(&mut self.states[key as usize], state);
        self.active = self.active + usize::from(state.is_active()) - usize::from(before.is_active());
        self.outdated = self.outdated + usize::from(state == State::Outdated) - usize::from(before == State::Outdated);
    }

    /// The head of `ready` that may start; drops what may not start any more.
    fn next_ready(&mut self) -> Option<u32> {
        while let Some(Reverse(key)) = self.ready.peek() {
            if self.states[*key as usize] == State::Waiting && self.missing[*key as usize] == 0 {
                return Some(*key);
            }
            self.ready.pop();
        }
        None
    }

    fn wait(&mut self, key: u32) {
        self.set(key, State::Waiting);
        self.offer(key);
    }

    fn offer(&mut self, key: u32) {
        let place = key as usize;
        if self.missing[place] != 0 || self.is_stopped || self.is_driven {
            return;
        }
        match self.states[place] {
            State::Waiting => self.ready.push(Reverse(key)),
            State::Outdated => {
                self.set(key, State::Leaving);
                self.leaving.push(key);
            }
            _ => {}
        }
    }

    fn skip_dependents(&mut self, failed: u32) -> Vec<(u32, u32)> {
        let mut skipped = Vec::new();
        let mut reached = vec![failed];
        while let Some(cause) = reached.pop() {
            for dependent in self.dependents[cause as usize].clone() {
                if self.states[dependent as usize] == State::Waiting {
                    self.set(dependent, State::Skipped);
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
mod tests;
