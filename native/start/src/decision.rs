//! What Python has decided about one run, as bytes: `rt_supervisor/plan/decision.py` encodes, this decodes.
//!
//! Numbers have four bytes, the least first; a text is its length and its bytes, a list its length and its items. All
//! that may be printed is in it, line ends and colours included.
use std::ffi::c_int;

use crate::foreground::Outcome;

/// One process to be run, and what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Printed before it.
    pub echo: Vec<u8>,
    /// The file that is executed, and the words that it is given.
    pub program: Vec<u8>,
    pub argv: Vec<Vec<u8>>,
    /// A file and its words that are executed in their place where the system executes it; may be empty.
    pub direct: Vec<Vec<u8>>,
    pub folder: Vec<u8>,
    /// Variables that are set or replaced.
    pub set: Vec<(Vec<u8>, Vec<u8>)>,
    /// Exit codes that nothing is said about.
    pub quiet: Vec<u32>,
    /// What is said before any other code, and before the name of a signal; nothing is said where this is empty.
    pub exited: Vec<u8>,
    pub signaled: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// How long a script may live on after SIGTERM or SIGHUP before its tree is killed.
    pub grace_ms: u32,
    /// Variables whose names begin so are left out.
    pub dropped: Vec<Vec<u8>>,
    /// Run one after the other, as far as they succeed.
    pub steps: Vec<Step>,
    /// The names of signals with what ends the line; the signal's number is the place. Nothing is said about an empty one.
    pub signals: Vec<Vec<u8>>,
    /// What is said when a process cannot be started, by errno.
    pub refused: Vec<(u32, Vec<u8>)>,
    /// What is said for any other errno: before the path, after it, and after the system's words.
    pub refused_else: (Vec<u8>, Vec<u8>, Vec<u8>),
    /// What is said when the guardian was killed.
    pub lost: Vec<u8>,
    /// The exit status after one of the last three.
    pub failed: u32,
}

impl Decision {
    /// None for what is no decision.
    pub fn decode(bytes: &[u8]) -> Option<Decision> {
        let mut from = Reader(bytes);
        let decision = Decision {
            grace_ms: from.number()?,
            dropped: from.list(Reader::text)?,
            steps: from.list(Reader::step)?,
            signals: from.list(Reader::text)?,
            refused: from.list(|from| Some((from.number()?, from.text()?)))?,
            refused_else: (from.text()?, from.text()?, from.text()?),
            lost: from.text()?,
            failed: from.number()?,
        };
        (from.0.is_empty() && !decision.steps.is_empty()).then_some(decision)
    }

    /// The line about the end of a step; empty where there is nothing to say.
    pub fn words_about(&self, step: &Step, outcome: Outcome) -> Vec<u8> {
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

    /// The line about a process that the system would not start.
    pub fn refusal(&self, errno: c_int, path: Option<&[u8]>) -> Vec<u8> {
        if let Some((_, line)) = self.refused.iter().find(|(number, _)| i64::from(*number) == i64::from(errno)) {
            return line.clone();
        }
        let words = std::io::Error::from_raw_os_error(errno).to_string();
        let words = words.split(" (os error").next().unwrap_or_default();
        let (before, between, after) = &self.refused_else;
        let space: &[u8] = if path.is_some() { b" " } else { b"" };
        [before, space, path.unwrap_or_default(), between, words.as_bytes(), after].concat()
    }
}

impl Step {
    /// The variables of its process, given those of this one.
    pub fn environment(&self, own: &[(Vec<u8>, Vec<u8>)], dropped: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let value = |name: &[u8]| self.set.iter().find(|(each, _)| each == name).map(|(_, value)| value);
        let is_kept = |name: &[u8]| !dropped.iter().any(|prefix| name.starts_with(prefix));
        let joined = |name: &[u8], value: &[u8]| [name, b"=", value].concat();
        let kept = own.iter().filter(|(name, _)| value(name).is_some() || is_kept(name));
        let kept = kept.map(|(name, old)| joined(name, value(name).unwrap_or(old)));
        let new = self.set.iter().filter(|(name, _)| !own.iter().any(|(each, _)| each == name));
        kept.chain(new.map(|(name, value)| joined(name, value))).collect()
    }
}

/// Takes one field after the other off the front.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    pub fn text(&mut self) -> Option<Vec<u8>> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text.to_vec())
    }

    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()?;
        (0..length).map(|_| item(self)).collect()
    }

    fn step(&mut self) -> Option<Step> {
        Some(Step {
            echo: self.text()?,
            program: self.text()?,
            argv: self.list(Reader::text)?,
            direct: self.list(Reader::text)?,
            folder: self.text()?,
            set: self.list(|from| Some((from.text()?, from.text()?)))?,
            quiet: self.list(Reader::number)?,
            exited: self.text()?,
            signaled: self.text()?,
        })
    }
}
