//! Python's decision about a run in the foreground, which `rt_supervisor/start/decision.py` encodes.
//!
//! It contains every message that may be printed, with line ends and colours.
use std::ffi::c_int;

use crate::frames::Reader;
use crate::outcome::Outcome;
use crate::protocol::Spawn;

/// One process to run, and the messages about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Printed before the process starts.
    pub echo: Vec<u8>,
    /// The file to execute, and its arguments.
    pub program: Vec<u8>,
    pub argv: Vec<Vec<u8>>,
    /// A file and its argv, executed instead if the system can execute the file; may be empty.
    pub direct: Vec<Vec<u8>>,
    pub folder: Vec<u8>,
    /// Variables that are set or replaced.
    pub set: Vec<(Vec<u8>, Vec<u8>)>,
    /// Exit codes without a message.
    pub quiet: Vec<u32>,
    /// The messages before any other code and before the name of a signal; nothing is printed if empty.
    pub exited: Vec<u8>,
    pub signaled: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// How long a script may run after SIGTERM or SIGHUP before its process tree is killed.
    pub grace_ms: u32,
    /// Prefixes of the variables that scripts do not inherit.
    pub dropped: Vec<Vec<u8>>,
    /// Executed in order until one fails.
    pub steps: Vec<Step>,
    /// The end of the message for each signal number: its name and a line end. Nothing is printed if empty.
    pub signals: Vec<Vec<u8>>,
    pub refusals: Refusals,
    /// The message if the guardian was killed.
    pub lost: Vec<u8>,
    /// The exit status if a process could not be started or the guardian was killed.
    pub failed: u32,
}

impl Decision {
    /// Returns None if the bytes are not a decision.
    pub fn decode(bytes: &[u8]) -> Option<Decision> {
        let mut from = Reader(bytes);
        let decision = Decision {
            grace_ms: from.number()?,
            dropped: from.list(Reader::text)?,
            steps: from.list(step)?,
            signals: from.list(Reader::text)?,
            refusals: Refusals::take(&mut from)?,
            lost: from.text()?,
            failed: from.number()?,
        };
        (from.0.is_empty() && !decision.steps.is_empty()).then_some(decision)
    }

    /// The message about the end of a step; may be empty.
    pub fn end_message(&self, step: &Step, outcome: Outcome) -> Vec<u8> {
        let (before, end) = match outcome {
            Outcome::Exited(code) if step.quiet.iter().any(|quiet| i64::from(*quiet) == i64::from(code)) => {
                return vec![];
            }
            Outcome::Exited(code) => (&step.exited, format!("{code}\n").into_bytes()),
            Outcome::Signaled(number) => {
                (&step.signaled, self.signals.get(number as usize).cloned().unwrap_or_default())
            }
        };
        if before.is_empty() || end.is_empty() { vec![] } else { [&before[..], &end].concat() }
    }
}

/// Messages about a process that the system did not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusals {
    /// By errno.
    by_errno: Vec<(u32, Vec<u8>)>,
    /// For any other errno: the text before the path, after it, and after the system's description.
    others: (Vec<u8>, Vec<u8>, Vec<u8>),
}

impl Refusals {
    pub fn take(from: &mut Reader) -> Option<Refusals> {
        Some(Refusals {
            by_errno: from.list(|from| Some((from.number()?, from.text()?)))?,
            others: (from.text()?, from.text()?, from.text()?),
        })
    }

    /// The message; `words` is the system's description of the error.
    pub fn line(&self, errno: c_int, words: &[u8], path: Option<&[u8]>) -> Vec<u8> {
        if let Some((_, line)) = self.by_errno.iter().find(|(number, _)| i64::from(*number) == i64::from(errno)) {
            return line.clone();
        }
        let (before, between, after) = &self.others;
        let space: &[u8] = if path.is_some() { b" " } else { b"" };
        [before, space, path.unwrap_or_default(), between, words, after].concat()
    }
}

impl Step {
    /// The guardian's order to start the step as script `key`. If `is_program`, it is a command line of rt, which a worker can
    /// run.
    pub fn order(&self, key: u32, dropped: &[Vec<u8>], is_program: bool) -> Spawn {
        Spawn {
            key,
            file: self.program.clone(),
            argv: self.argv.clone(),
            direct: self.direct.clone(),
            program: if is_program { self.argv.clone() } else { vec![] },
            set: self.set.clone(),
            dropped: dropped.to_vec(),
            folder: self.folder.clone(),
            ..Spawn::default()
        }
    }
}

fn step(from: &mut Reader) -> Option<Step> {
    Some(Step {
        echo: from.text()?,
        program: from.text()?,
        argv: from.texts()?,
        direct: from.texts()?,
        folder: from.text()?,
        set: from.list(|from| Some((from.text()?, from.text()?)))?,
        quiet: from.list(Reader::number)?,
        exited: from.text()?,
        signaled: from.text()?,
    })
}
