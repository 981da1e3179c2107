//! Carrying out a decision: its steps one after the other, as far as they succeed, and what is said about them.
use std::ffi::{c_int, c_void};
use std::io::{Error, Result};

use crate::foreground::{Foreground, Problem};
use crate::system;
use crate::zygote::Forks;
use rt_wire::decision::Decision;
use rt_wire::outcome::Outcome;

/// Run `decision` to its end and return how rt is to end. An error where this process cannot do it, and nothing was done.
///
/// With zygotes, the steps are command lines of rt, and workers can run them.
pub fn carry_out(decision: &Decision, forks: &Forks) -> Result<Outcome> {
    let mut foreground = match Foreground::new(decision, forks) {
        Err(error) if is_about_processes(error.raw_os_error()) => {
            say(&refusal(decision, error.raw_os_error().unwrap_or(0), None));
            return Ok(failed(decision));
        }
        made => made?,
    };
    let outcome = run_steps(decision, &mut foreground, !forks.kinds.is_empty());
    foreground.close();
    Ok(outcome)
}

fn run_steps(decision: &Decision, foreground: &mut Foreground, are_programs: bool) -> Outcome {
    for (number, step) in (1..).zip(&decision.steps) {
        say(&step.echo);
        match foreground.run(step.order(number, &decision.dropped, are_programs)) {
            Ok(Outcome::Exited(0)) => {}
            Ok(outcome) => {
                say(&decision.words_about(step, outcome));
                return outcome;
            }
            Err(Problem::Lost) => {
                say(&decision.lost);
                return failed(decision);
            }
            Err(Problem::Refused(errno, path)) => {
                say(&refusal(decision, errno, path.as_deref()));
                return failed(decision);
            }
        }
    }
    Outcome::Exited(0)
}

fn failed(decision: &Decision) -> Outcome {
    Outcome::Exited(decision.failed as c_int)
}

/// The line about a process that the system would not start.
fn refusal(decision: &Decision, errno: c_int, path: Option<&[u8]>) -> Vec<u8> {
    let words = system::words_of(&Error::from_raw_os_error(errno));
    decision.refusals.line(errno, words.as_bytes(), path)
}

/// Whether the system had no room for one more process.
fn is_about_processes(errno: Option<c_int>) -> bool {
    errno.is_some_and(|errno| [libc::EAGAIN, libc::ENOMEM].contains(&errno))
}

/// Print to stderr, if anybody is left to read it.
fn say(mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: reads as many bytes as the text has.
        let written = unsafe { libc::write(2, text.as_ptr().cast::<c_void>(), text.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => text = &text[written..],
            _ if system::errno() == libc::EINTR => {}
            _ => return,
        }
    }
}
