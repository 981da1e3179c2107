//! A run of several scripts, as Python decided it: `rt_supervisor/plan/run_record.py` encodes it.
//!
//! It has the fields of `frames`, and contains every message that may be printed as a template (`template`), with line ends and
//! colours.
use std::ffi::c_int;
use std::sync::Arc;

use crate::decision::Refusals;
use crate::frames::Reader;
use crate::protocol::{Bytes, Spawn, Variable};

/// One process of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskStep {
    /// Printed before each line that the process writes.
    pub prefix: Bytes,
    /// The key of the script in package.json.
    pub script: Bytes,
    /// The step's name in the list of failures and in annotations.
    pub name: Bytes,
    pub annotated_name: Bytes,
    /// Empty if the driver of the run supplies it when the task starts.
    pub process: StepProcess,
}

/// What a step starts.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StepProcess {
    pub argv: Vec<Bytes>,
    /// A file and its argv, executed instead if the system can execute the file; may be empty.
    pub direct: Vec<Bytes>,
    /// The same command as arguments of rt, if a worker of a zygote can run it; may be empty.
    pub program: Vec<Bytes>,
    /// Variables that are set or replaced, and variables that are removed.
    pub set: Vec<Variable>,
    pub removed: Vec<Bytes>,
    /// Why the step cannot be started, if its arguments cannot be encoded; usually empty.
    pub refusal: Bytes,
}

/// One script of one package, with its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub label: Bytes,
    pub folder: Bytes,
    /// The keys of the tasks that must succeed before it starts.
    pub after: Vec<u32>,
    /// Never empty.
    pub steps: Vec<TaskStep>,
}

/// Messages about the ends of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Fields: `code`.
    pub exited: Bytes,
    /// Fields: `signal`.
    pub signaled: Bytes,
    /// The message about a step that succeeded; if empty, `exited` is printed. Fields: `duration`.
    pub done: Bytes,
    /// The message about a step that does not run; if empty, nothing is printed.
    pub skipped: Bytes,
    /// The names of signals, by number.
    pub signals: Vec<Bytes>,
}

/// The list of failures at the end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// The list is printed whenever something failed.
    pub is_always: bool,
    /// The list is printed if a failure kept other tasks from running.
    pub lists_skipped: bool,
    /// Fields: `count`.
    pub head: Bytes,
    /// Fields: `name`, `code`.
    pub exited: Bytes,
    /// Fields: `name`, `signal`.
    pub signaled: Bytes,
    /// Fields: `name`, `reason`.
    pub skipped: Bytes,
    /// The reason if a dependency failed. Fields: `name`.
    pub dependency: Bytes,
    /// The reason if the run ended because an unrelated task failed.
    pub unrelated: Bytes,
    /// Annotations of a CI service; if empty, none are printed. Fields: `name`, and `code` or `signal`.
    pub annotated_exit: Bytes,
    pub annotated_signal: Bytes,
}

/// Messages about errors that end the run with exit status `failed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    pub refusals: Refusals,
    pub lost: Bytes,
    pub unanswered: Bytes,
    pub descriptor_limit: Bytes,
    /// Errors of output, by errno.
    pub output: Vec<(u32, Bytes)>,
    /// The message if the folder of a watched script does not exist. Fields: `folder`.
    pub folder_gone: Bytes,
    pub failed: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub grace_ms: u32,
    /// At most this many tasks run at once.
    pub concurrency: u32,
    /// The run core chooses how many run at once, up to `concurrency`.
    pub is_adaptive: bool,
    /// The first failure ends all others.
    pub exits_on_error: bool,
    /// stdout and stderr of a script are one stream, and all messages go to stdout.
    pub is_joined: bool,
    /// Prefixes of the variables that scripts do not inherit.
    pub dropped: Vec<Bytes>,
    pub tasks: Vec<Arc<Task>>,
    pub words: Words,
    pub failures: Failures,
    pub problems: Problems,
}

impl Plan {
    /// Returns None if `bytes` are not a plan.
    pub fn decode(bytes: &[u8]) -> Option<Plan> {
        let mut from = Reader(bytes);
        let plan = Plan {
            grace_ms: from.number()?,
            concurrency: from.number()?,
            is_adaptive: from.number()? != 0,
            exits_on_error: from.number()? != 0,
            is_joined: from.number()? != 0,
            dropped: from.texts()?,
            tasks: from.list(|from| task(from).map(Arc::new))?,
            words: Words {
                exited: from.text()?,
                signaled: from.text()?,
                done: from.text()?,
                skipped: from.text()?,
                signals: from.texts()?,
            },
            failures: Failures {
                is_always: from.number()? != 0,
                lists_skipped: from.number()? != 0,
                head: from.text()?,
                exited: from.text()?,
                signaled: from.text()?,
                skipped: from.text()?,
                dependency: from.text()?,
                unrelated: from.text()?,
                annotated_exit: from.text()?,
                annotated_signal: from.text()?,
            },
            problems: Problems {
                refusals: Refusals::take(&mut from)?,
                lost: from.text()?,
                unanswered: from.text()?,
                descriptor_limit: from.text()?,
                output: from.list(|from| Some((from.number()?, from.text()?)))?,
                folder_gone: from.text()?,
                failed: from.number()?,
            },
        };
        let is_sound = |task: &Arc<Task>| {
            !task.steps.is_empty() && task.after.iter().all(|key| (*key as usize) < plan.tasks.len())
        };
        (from.0.is_empty() && plan.tasks.iter().all(is_sound)).then_some(plan)
    }

    /// The order by which the guardian starts step `step` of `task`, as script `key`.
    pub fn order(&self, key: u32, task: &Task, step: usize) -> Spawn {
        let Some(TaskStep { process, .. }) = task.steps.get(step) else { return Spawn::default() };
        Spawn {
            key,
            argv: process.argv.clone(),
            direct: process.direct.clone(),
            program: process.program.clone(),
            set: process.set.clone(),
            removed: process.removed.clone(),
            dropped: self.dropped.clone(),
            folder: task.folder.clone(),
            ..Spawn::default()
        }
    }
}

impl StepProcess {
    /// Decodes the processes of one task's steps; None if `bytes` are something else.
    pub fn decode_list(bytes: &[u8]) -> Option<Vec<StepProcess>> {
        let mut from = Reader(bytes);
        let processes = from.list(process)?;
        from.end(processes)
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

fn step(from: &mut Reader) -> Option<TaskStep> {
    Some(TaskStep {
        prefix: from.text()?,
        script: from.text()?,
        name: from.text()?,
        annotated_name: from.text()?,
        process: process(from)?,
    })
}

fn process(from: &mut Reader) -> Option<StepProcess> {
    Some(StepProcess {
        argv: from.texts()?,
        direct: from.texts()?,
        program: from.texts()?,
        set: from.list(|from| Some((from.text()?, from.text()?)))?,
        removed: from.texts()?,
        refusal: from.text()?,
    })
}
