//! What Python has decided about a run of several scripts, as bytes: `rt_supervisor/plan/kept_plan.py` encodes, this decodes.
//!
//! Its fields are those of `frames`. Every word that is printed is in it, line ends and colours included.
use std::ffi::c_int;

use crate::decision::Refusals;
use crate::frames::Reader;
use crate::protocol::{Bytes, Spawn, Variable};

/// One process of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Stands before each of its lines.
    pub prefix: Bytes,
    /// Its name in the list of failures.
    pub name: Bytes,
    pub argv: Vec<Bytes>,
    /// A file and its argv, executed instead if the system can execute the file; may be empty.
    pub direct: Vec<Bytes>,
    /// Variables that are set or replaced.
    pub set: Vec<Variable>,
}

/// One script of one package, with its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub label: Bytes,
    pub folder: Bytes,
    /// The indexes of the tasks that must succeed before it starts.
    pub after: Vec<u32>,
    /// Never empty.
    pub steps: Vec<Step>,
}

/// What is said about the ends of scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Before an exit code, and before the name of a signal.
    pub exited: Bytes,
    pub signaled: Bytes,
    /// Before the duration of a script that succeeded; empty: its exit code is said.
    pub done: Bytes,
    /// About a step that does not run; nothing where this is empty.
    pub skipped: Bytes,
    /// The names of signals, by number.
    pub signals: Vec<Bytes>,
}

/// What is said at the end of a run about its failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// The list is printed always; else only where something did not run because of a failure, if `tells_skipped`.
    pub is_always: bool,
    pub tells_skipped: bool,
    /// Before and after how many scripts failed.
    pub head: (Bytes, Bytes),
    /// Between the name of a script and its exit code, or the signal that ended it.
    pub exited: Bytes,
    pub ended: Bytes,
    /// Between the name of a script and why it did not run; then what follows the name of one that failed.
    pub did_not_run: Bytes,
    pub failed: Bytes,
    /// The reason where the failure that ended the run did not concern the script itself: no script's name.
    pub another: Bytes,
}

/// What is said where the run cannot go on; the exit status is `failed` then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    pub refusals: Refusals,
    pub lost: Bytes,
    pub unanswered: Bytes,
    pub descriptor_limit: Bytes,
    /// About output that cannot be written, by errno.
    pub output: Vec<(u32, Bytes)>,
    pub failed: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub grace_ms: u32,
    pub concurrency: u32,
    /// The first failure ends all others.
    pub exits_on_error: bool,
    /// stdout and stderr of a script are one stream, and everything is said on stdout.
    pub is_joined: bool,
    /// Prefixes of the variables that scripts do not inherit.
    pub dropped: Vec<Bytes>,
    pub tasks: Vec<Task>,
    pub words: Words,
    pub failures: Failures,
    pub problems: Problems,
}

impl Plan {
    /// None for what is no plan.
    pub fn decode(bytes: &[u8]) -> Option<Plan> {
        let mut from = Reader(bytes);
        let plan = Plan {
            grace_ms: from.number()?,
            concurrency: from.number()?,
            exits_on_error: from.number()? != 0,
            is_joined: from.number()? != 0,
            dropped: from.texts()?,
            tasks: from.list(task)?,
            words: Words {
                exited: from.text()?,
                signaled: from.text()?,
                done: from.text()?,
                skipped: from.text()?,
                signals: from.texts()?,
            },
            failures: Failures {
                is_always: from.number()? != 0,
                tells_skipped: from.number()? != 0,
                head: (from.text()?, from.text()?),
                exited: from.text()?,
                ended: from.text()?,
                did_not_run: from.text()?,
                failed: from.text()?,
                another: from.text()?,
            },
            problems: Problems {
                refusals: Refusals::take(&mut from)?,
                lost: from.text()?,
                unanswered: from.text()?,
                descriptor_limit: from.text()?,
                output: from.list(|from| Some((from.number()?, from.text()?)))?,
                failed: from.number()?,
            },
        };
        let is_whole = from.0.is_empty() && !plan.tasks.is_empty();
        (is_whole && plan.tasks.iter().all(|task| !task.steps.is_empty())).then_some(plan)
    }

    /// What the guardian is ordered for a step of task `key`.
    pub fn order(&self, key: u32, step: usize) -> Spawn {
        let Some(task) = self.tasks.get(key as usize) else { return Spawn::default() };
        let Some(step) = task.steps.get(step) else { return Spawn::default() };
        Spawn {
            key,
            argv: step.argv.clone(),
            direct: step.direct.clone(),
            set: step.set.clone(),
            dropped: self.dropped.clone(),
            folder: task.folder.clone(),
            ..Spawn::default()
        }
    }
}

impl Words {
    pub fn signal(&self, number: c_int) -> &[u8] {
        self.signals.get(number as usize).map_or(b"", Vec::as_slice)
    }
}

fn task(from: &mut Reader) -> Option<Task> {
    Some(Task { label: from.text()?, folder: from.text()?, after: from.list(Reader::number)?, steps: from.list(step)? })
}

fn step(from: &mut Reader) -> Option<Step> {
    Some(Step {
        prefix: from.text()?,
        name: from.text()?,
        argv: from.texts()?,
        direct: from.texts()?,
        set: from.list(|from| Some((from.text()?, from.text()?)))?,
    })
}
