//! Executes a run of several scripts without a policy: without restarts, and with every line printed by the core.
use std::io::Result;
use std::time::Duration;

use rt_wire::outcome::Outcome;
use rt_wire::plan::Plan;

use crate::client::Client;
use crate::guardian::Terms;
use crate::marked;
use crate::run::{Options, Printer, RunCore, RunResult, Sink, Stop};
use crate::signals;
use crate::zygote::Forks;

/// How many threads of the guardian start scripts.
const THREADS: usize = 3;

/// Runs `plan` to its end and returns how rt should end. Returns an error if this process cannot run it; nothing has run then.
pub fn supervise(plan: Plan) -> Result<Outcome> {
    let terms = Terms {
        shared_group: None,
        ignored: signals::ignored(),
        held_back: 0,
        mark: marked::random_mark()?,
        threads: THREADS,
        grace: Duration::from_millis(plan.grace_ms.into()),
    };
    let client = Client::start(terms, &Forks::NONE)?;
    let options = Options { printer: Some(Printer::default()), lists_failures: true, ..Options::default() };
    let mut core = RunCore::new(plan, client, options)?;
    let went = core.run();
    core.close();
    let listed = core.print_failures();
    for stop in [listed, went].into_iter().filter_map(RunResult::err) {
        if let Stop::Failed(failure) = stop {
            let line = failure.line(&core.plan().problems);
            let _ = core.write(Sink::Err, &line);
            return Ok(Outcome::Exited(core.plan().problems.failed as i32));
        }
    }
    Ok(core.signal().map_or(Outcome::Exited(core.exit_status().into()), Outcome::Signaled))
}
