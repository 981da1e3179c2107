//! Begins a program without Python, from the launcher's cached start. The process is the interpreter's, whose `main` is called
//! only
//! if the program cannot begin here.
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use super::attaching;
use super::cached_program::CachedProgram;
use super::entrance::CommandLine;
use super::life::{Life, Parts};
use super::reading::{Install, Traits};
use super::start_values::start_values;
use crate::children;
use crate::event_loop::{BeforeWait, Core, Output};
use crate::interpreter;
use crate::modules::{CodeCaches, CodeStore, Records};
use crate::repl;
use crate::resolve;
use crate::transform::Options;
use crate::v8::{self, State, ahead, early};

/// Runs the program of the launcher's request and returns its exit status. Returns None if nothing was done, and Python runs
/// it.
pub fn run(line: CommandLine) -> Option<i32> {
    let descriptor = early::take_program()?;
    let line = line.copied(); // a program that changes its title overwrites the words
    let cached = CachedProgram::read(descriptor, &line.read())?;
    let is_repl = cached.entry.is_empty();
    if is_repl && repl::is_terminal() {
        repl::begin(); // the prompt does not wait for the engine
    }
    let resolver = Arc::new(resolve::Engine::plain(cached.builtins.clone(), cached.is_node));
    let production = std::env::var_os("NODE_ENV").is_some_and(|it| it == "production");
    let options = Arc::new(Options { production, is_node: cached.is_node, ..Options::default() });
    let records = Arc::new(Records::default());
    if !is_repl && !records.begin(cached.entry.clone(), resolver.clone(), options.clone()) {
        return None;
    }
    let snapshot = ahead::wait()?;
    take_usual_signals();
    children::is_guarded_by(&cached.called);
    let fresh = ahead::take_made()?;
    let Ok(life) = make(&cached, fresh, records, (resolver, options)) else {
        interpreter::is_started(); // Python starts, creates the engine again, and reports the error
        return None;
    };
    life.snapshot.replace(Some(snapshot));
    life.begin_compile_cache(|name| std::env::var(name).ok());
    let cached = Rc::new(cached);
    attaching::attach_on_demand(life.clone(), cached.clone(), line);
    let outcome = begin(&life, &cached).and_then(|()| life.run());
    Some(life.end(outcome, true).or_else(|failure| life.report(failure)).unwrap_or_else(attaching::fail_with))
}

/// Resets what a careless parent or the launcher left: blocked signals, and SIGCHLD ignored. Like the interpreter, ignores the
/// signals of a write to a closed pipe or beyond a limit, which would end the process.
fn take_usual_signals() {
    use rt_guardian::signals;
    signals::set_action(libc::SIGCHLD, libc::SIG_DFL);
    signals::set_action(libc::SIGPIPE, libc::SIG_IGN);
    signals::set_action(libc::SIGXFSZ, libc::SIG_IGN);
    signals::change_mask(libc::SIG_SETMASK, 0);
}

fn make(
    cached: &CachedProgram,
    fresh: v8::Fresh,
    records: Arc<Records>,
    (resolver, options): (Arc<resolve::Engine>, Arc<Options>),
) -> PyResult<Rc<Life>> {
    let state = State::new(fresh.isolate);
    v8::open(&state, fresh, None, Vec::new(), "")?;
    let output = Output::new();
    let parts = Parts {
        state,
        core: Core::new(BeforeWait::Output(output.clone())),
        output,
        records,
        texts: Arc::default(),
        code_caches: Arc::new(CodeCaches::new((!cached.entry.is_empty()).then(|| CodeStore::of(&cached.entry, true)))),
        resolver,
        options,
        traits: Traits {
            is_node: cached.is_node,
            install: if cached.is_node { Install::Never } else { Install::default() },
            ..Traits::default()
        },
    };
    Life::new(parts, cached.entry.clone(), true)
}

/// Starts the runtime's JavaScript.
fn begin(life: &Rc<Life>, cached: &CachedProgram) -> PyResult<()> {
    life.state.enter(|scope| {
        let values = start_values(scope, life.function(scope, "parseJson")?, cached)?;
        scope.call(life.function(scope, "start")?, &[values.handle()]).map(|_| ())
    })?;
    life.listen_on_signal()
}
