//! Executes a decision: runs its commands in order until one fails, and prints the messages about them.
use std::ffi::c_int;
use std::io::{Error, ErrorKind, Result};

use crate::foreground::{Foreground, Problem};
use crate::system;
use crate::zygote::Forks;
use rt_wire::debug_log;
use rt_wire::decision::Decision;
use rt_wire::outcome::Outcome;

/// Runs `decision` to its end and returns how rt should end. Returns an error if this process cannot run it; nothing has run
/// then.
///
/// If `forks` has zygotes, the commands are command lines of rt, which workers can run.
pub fn carry_out(decision: &Decision, forks: &Forks) -> Result<Outcome> {
    let mut foreground = match Foreground::new(decision, forks) {
        Err(error) if is_process_limit(error.raw_os_error()) => {
            print(&start_failure_message(decision, error.raw_os_error().unwrap_or(0), None));
            return Ok(failure_outcome(decision));
        }
        made => made?,
    };
    let outcome = run_commands(decision, &mut foreground, !forks.kinds.is_empty());
    foreground.close();
    Ok(outcome)
}

fn run_commands(decision: &Decision, foreground: &mut Foreground, can_be_workers: bool) -> Outcome {
    for (number, command) in (1..).zip(&decision.commands) {
        debug_log!(Guardian, "command {number} of {}", decision.commands.len());
        print(&command.echo);
        match foreground.run(command.order(number, &decision.dropped, can_be_workers)) {
            Ok(Outcome::Exited(0)) => {}
            Ok(outcome) => {
                print(&decision.end_message(command, outcome));
                return outcome;
            }
            Err(Problem::Lost) => {
                print(&decision.lost);
                return failure_outcome(decision);
            }
            Err(Problem::Refused(errno, path)) => {
                print(&start_failure_message(decision, errno, path.as_deref()));
                return failure_outcome(decision);
            }
        }
    }
    Outcome::Exited(0)
}

fn failure_outcome(decision: &Decision) -> Outcome {
    Outcome::Exited(decision.failed as c_int)
}

/// The message about a process that the system did not start.
fn start_failure_message(decision: &Decision, errno: c_int, path: Option<&[u8]>) -> Vec<u8> {
    let words = system::error_text(&Error::from_raw_os_error(errno));
    decision.refusals.line(errno, words.as_bytes(), path)
}

/// Returns whether the error means that the system cannot create another process.
fn is_process_limit(errno: Option<c_int>) -> bool {
    errno.is_some_and(|errno| [libc::EAGAIN, libc::ENOMEM].contains(&errno))
}

/// Prints to stderr. Errors are ignored: nothing may read it any more.
fn print(mut text: &[u8]) {
    while !text.is_empty() {
        match system::write(libc::STDERR_FILENO, text) {
            Ok(written) if written > 0 => text = &text[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}
