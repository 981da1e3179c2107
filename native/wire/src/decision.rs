//! Python's decision about a run in the foreground, which `rt_supervisor/start/decision.py` encodes.
//!
//! It contains every message that may be printed, as a template with line end and colours.
use std::ffi::c_int;

use crate::frames::Reader;
use crate::outcome::Outcome;
use crate::protocol::Spawn;
use crate::template::fill;

/// One process to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What messages call it.
    pub name: Vec<u8>,
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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// How long a script may run after SIGTERM or SIGHUP before its process tree is killed.
    pub grace_ms: u32,
    /// Prefixes of the variables that scripts do not inherit.
    pub dropped: Vec<Vec<u8>>,
    /// Executed in order until one fails.
    pub commands: Vec<Command>,
    /// The message about an exit code, with the fields `name` and `code`; may be empty.
    pub exited: Vec<u8>,
    /// The message about a signal, with the fields `name` and `signal`; may be empty.
    pub signaled: Vec<u8>,
    /// The names of signals by number; empty for those without a message.
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
            commands: from.list(command)?,
            exited: from.text()?,
            signaled: from.text()?,
            signals: from.list(Reader::text)?,
            refusals: Refusals::take(&mut from)?,
            lost: from.text()?,
            failed: from.number()?,
        };
        (from.0.is_empty() && !decision.commands.is_empty()).then_some(decision)
    }

    /// The message about the end of a command; may be empty.
    pub fn end_message(&self, command: &Command, outcome: Outcome) -> Vec<u8> {
        match outcome {
            Outcome::Exited(code) if command.quiet.iter().any(|quiet| i64::from(*quiet) == i64::from(code)) => vec![],
            Outcome::Exited(code) => {
                fill(&self.exited, &[("name", &command.name), ("code", code.to_string().as_bytes())])
            }
            Outcome::Signaled(number) => match self.signals.get(number as usize) {
                Some(signal) if !signal.is_empty() => {
                    fill(&self.signaled, &[("name", &command.name), ("signal", signal)])
                }
                _ => vec![],
            },
        }
    }
}

/// Messages about a process that the system did not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusals {
    by_errno: Vec<(u32, Vec<u8>)>,
    /// For any other errno, with the field `reason`, the text of the system.
    other: Vec<u8>,
    /// The same about a file, with the fields `path` and `reason`.
    other_file: Vec<u8>,
}

impl Refusals {
    pub fn take(from: &mut Reader) -> Option<Refusals> {
        Some(Refusals {
            by_errno: from.list(|from| Some((from.number()?, from.text()?)))?,
            other: from.text()?,
            other_file: from.text()?,
        })
    }

    /// The message; `reason` is the system's text for the error.
    pub fn line(&self, errno: c_int, reason: &[u8], path: Option<&[u8]>) -> Vec<u8> {
        if let Some((_, line)) = self.by_errno.iter().find(|(number, _)| i64::from(*number) == i64::from(errno)) {
            return line.clone();
        }
        match path {
            Some(path) => fill(&self.other_file, &[("path", path), ("reason", reason)]),
            None => fill(&self.other, &[("reason", reason)]),
        }
    }
}

impl Command {
    /// The guardian's order to start the command as script `key`. If `is_program`, it is a command line of rt, which a worker can
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

fn command(from: &mut Reader) -> Option<Command> {
    Some(Command {
        name: from.text()?,
        echo: from.text()?,
        program: from.text()?,
        argv: from.texts()?,
        direct: from.texts()?,
        folder: from.text()?,
        set: from.list(|from| Some((from.text()?, from.text()?)))?,
        quiet: from.list(Reader::number)?,
    })
}
