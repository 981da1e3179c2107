//! What the editor asks while it edits: is the input complete, how is it coloured, what completes it, what does it yield.
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Cmd, ConditionalEventHandler, Context, EventContext, Movement, RepeatCount, Result};

use super::commands;
use super::highlight::colour;
use super::session::{Event, Session};

/// Completions read folders and may wait for an evaluation.
const COMPLETION_PATIENCE: Duration = Duration::from_secs(2);
/// Longer than the program's own limit for a preview, shorter than a typist notices.
const HINT_PATIENCE: Duration = Duration::from_millis(150);
/// Longer input has no hint.
const LONGEST_HINTED: usize = 2000;
const INDENTATION: &str = "  ";
const CONTINUED: &str = "...";

pub struct Helper {
    session: Arc<Session>,
}

impl Helper {
    pub fn new(session: Arc<Session>) -> Helper {
        Helper { session }
    }
}

impl rustyline::Helper for Helper {}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext) -> Result<ValidationResult> {
        let is_done = !self.session.reads_whole_text.load(Ordering::Relaxed) && commands::is_complete(context.input());
        Ok(if is_done { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Highlighter for Helper {
    fn highlight<'l>(&self, line: &'l str, _cursor: usize) -> Cow<'l, str> {
        if commands::parse(line).is_some() { Cow::Borrowed(line) } else { Cow::Owned(colour(line)) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("\x1b[2m{hint}\x1b[0m"))
    }

    fn highlight_char(&self, _line: &str, _cursor: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}

/// The rest of a name, which the right arrow accepts, and below it the result.
pub struct Preview {
    shown: String,
    rest: String,
}

impl Hint for Preview {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        (!self.rest.is_empty()).then_some(&self.rest)
    }
}

impl Hinter for Helper {
    type Hint = Preview;

    fn hint(&self, line: &str, cursor: usize, _context: &Context<'_>) -> Option<Preview> {
        let is_blank = line.trim().is_empty();
        let is_whole_text = self.session.reads_whole_text.load(Ordering::Relaxed);
        if is_blank || is_whole_text || cursor < line.len() || line.len() > LONGEST_HINTED {
            return None;
        }
        if line.ends_with('\n') {
            return Some(Preview { shown: CONTINUED.to_owned(), rest: String::new() });
        }
        if !self.session.is_attached() {
            return None;
        }
        let answer = self.session.ask(|id| Event::Hint { id, text: line.to_owned() }, HINT_PATIENCE)?;
        let mut answer = answer.into_iter();
        let (rest, result) = (answer.next()?, answer.next()?);
        let shown = if result.is_empty() { rest.clone() } else { format!("{rest}\n{result}") };
        (!shown.is_empty()).then_some(Preview { shown, rest })
    }
}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(&self, line: &str, cursor: usize, _context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let (before, after) = line.split_at(cursor);
        if before.rsplit('\n').next().unwrap_or_default().trim().is_empty() {
            let spaces = Pair { display: INDENTATION.to_owned(), replacement: INDENTATION.to_owned() };
            return Ok((cursor, vec![spaces]));
        }
        let question = |id| Event::Complete { id, before: before.to_owned(), after: after.to_owned() };
        let mut answer = self.session.ask(question, COMPLETION_PATIENCE).unwrap_or_default().into_iter();
        let replaced = answer.next().unwrap_or_default();
        if !before.ends_with(&replaced) {
            return Ok((cursor, Vec::new()));
        }
        let mut candidates = Vec::new();
        while let (Some(display), Some(replacement)) = (answer.next(), answer.next()) {
            candidates.push(Pair { display, replacement });
        }
        Ok((cursor - replaced.len(), candidates))
    }
}

/// Ctrl-D: ends the input while a whole text is read; otherwise ends the REPL on an empty line, and deletes a character elsewhere.
/// rustyline itself knows the key only as the terminal's VEOF, which is disabled.
pub struct EndOfText(pub Arc<Session>);

impl ConditionalEventHandler for EndOfText {
    fn handle(&self, _: &rustyline::Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let is_whole_text = self.0.reads_whole_text.load(Ordering::Relaxed);
        Some(match context.line() {
            "" => Cmd::EndOfFile,
            _ if is_whole_text => Cmd::AcceptLine,
            _ => Cmd::Kill(Movement::ForwardChar(1)),
        })
    }
}

/// Ctrl-C: abandons the input. rustyline's own command for it would also drop the keys that were typed after it.
pub struct Interruption(pub Arc<Session>);

impl ConditionalEventHandler for Interruption {
    fn handle(&self, _: &rustyline::Event, _: RepeatCount, _: bool, _: &EventContext) -> Option<Cmd> {
        self.0.is_interrupted.store(true, Ordering::Relaxed);
        Some(Cmd::AcceptLine)
    }
}
