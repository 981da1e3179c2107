//! What a command is: a dot, a name and text on one line; and when Enter ends an input.
//!
//! `js/rt/repl/commands.js` has the commands themselves. The rules are here because the editor needs them before the engine is
//! ready; a REPL without a terminal obtains them through `replCommand` and `replIsComplete`.
use crate::transform::repl_input::is_incomplete;

/// Commands that end an input that is incomplete, in a line for themselves.
const ABANDONING: [&str; 4] = ["break", "clear", "exit", "help"];

#[derive(Debug, PartialEq, Eq)]
pub struct Command<'t> {
    pub name: &'t str,
    /// What follows the name, without the white space around it.
    pub text: &'t str,
}

/// Returns the input as a command. `.5` is a number, `.a()` is not a command either.
pub fn parse(input: &str) -> Option<Command<'_>> {
    let line = input.trim();
    let rest = line.strip_prefix('.').filter(|_| !line.contains('\n'))?;
    let end = rest.find(|each: char| !each.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (name, text) = rest.split_at(end);
    let is_command = !name.is_empty() && (text.is_empty() || text.starts_with(char::is_whitespace));
    is_command.then(|| Command { name, text: text.trim_start() })
}

/// Returns the command that an input is, or with which its last line abandons it.
pub fn find(input: &str) -> Option<Command<'_>> {
    let last = input.trim_end().rsplit('\n').next().unwrap_or_default();
    let abandons = |command: &Command| command.text.is_empty() && ABANDONING.contains(&command.name);
    parse(input).or_else(|| parse(last).filter(abandons))
}

/// Returns whether Enter ends the input.
pub fn is_complete(input: &str) -> bool {
    find(input).is_some() || !is_incomplete(input)
}
