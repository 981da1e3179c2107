//! Children of programs (`js/node/child_process/launch.js`): starting them, reporting their ends, waiting for them; and
//! their guardian.
//!
//! A child gets exactly the requested descriptors. Its end is reported through a pidfd in the loop's poll, never
//! through a signal. `guard` watches all children except detached ones. None of this needs Python.
use std::rc::Rc;

use pyo3::prelude::*;
use rt_guardian::terminal::Opened;

use crate::event_loop::{Core, Slot, Watcher};
use crate::system::flush;
use crate::v8::{Call, Global, HostOperation, Local, Scope};

mod guard;
mod started;
mod waiting;

pub use guard::{end as end_guarded, is_guarded_by};
use started::{Request, Started, how_ended, wait};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("children_spawn", spawn), ("children_runToEnd", run_to_end)];

/// `children_spawn(request, callback)`: [pid, this end of each pipe (null for none)] or [negative errno].
///
/// `callback(exit code or null, signal or null, usage)` is called when the child has ended.
fn spawn(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let (Some(core), Some(callback)) = (Core::of(scope), call.function(1)) else { return false };
    let Ok(request) = Request::read(scope, call.argument(0)) else { return false };
    if !flush(call) {
        return true;
    }
    let child = match Started::new(request) {
        Ok(child) => child,
        Err(errno) => {
            call.answer(scope.array(&[scope.number(f64::from(-errno))]));
            return true;
        }
    };
    let ends: Vec<Option<i32>> = child.ends.into_iter().map(started::into_number).collect();
    ends.iter().flatten().for_each(|end| core.own(*end));
    let shown: Vec<Local<'_>> =
        ends.iter().map(|end| end.map_or_else(|| scope.null(), |end| scope.number(end.into()))).collect();
    call.answer(scope.array(&[scope.number(child.pid.into()), scope.array(&shown)]));
    let descriptor = child.watch.0;
    let watcher = Rc::new(Running { pid: child.pid, watch: child.watch, ends, callback });
    if let Err(error) = core.watch(descriptor, Slot::Last, watcher) {
        call.raise(std::io::Error::from(error).into());
    }
    true
}

/// A running child.
struct Running {
    pid: i32,
    watch: Opened,
    ends: Vec<Option<i32>>,
    callback: Global,
}

impl Watcher for Running {
    fn ready(&self, core: &Rc<Core>) -> PyResult<()> {
        let Some((status, usage)) = wait(self.pid, libc::WNOHANG) else { return Ok(()) };
        core.unwatch(self.watch.0, Slot::Last);
        for end in self.ends.iter().skip(1).flatten() {
            core.notify_reader(*end)?; // its output is delivered before its end
        }
        let (code, signal) = how_ended(status);
        core.call(
            &self.callback,
            &[&|scope| Ok(number_or_null(scope, code)), &|scope| Ok(number_or_null(scope, signal)), &|scope| {
                Ok(started::usage_to_js(scope, &usage))
            }],
        )
    }
}

fn number_or_null<'s>(scope: &Scope<'s>, number: Option<i32>) -> Local<'s> {
    number.map_or_else(|| scope.null(), |number| scope.number(number.into()))
}

/// `children_runToEnd(request, input)`: {pid, error (0 or a negative errno), code, signal, output (bytes or null for
/// each descriptor), usage}. In addition to the fields of `Request`, the request has timeout in ms (0: none), most
/// (limit in bytes for each stream, negative: none) and the number of the signal to send at a limit.
fn run_to_end(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let Ok(request) = Request::read(scope, call.argument(0)) else { return false };
    let Ok(limits) = waiting::Limits::read(scope, call.argument(0)) else { return false };
    let Some(input) = call.with_bytes(1, <[u8]>::to_vec) else { return false };
    if !flush(call) {
        return true;
    }
    let answer = scope.object();
    match Started::new(request) {
        Err(errno) => {
            scope.put(answer, "pid", scope.number(0.0));
            scope.put(answer, "error", scope.number(f64::from(-errno)));
        }
        Ok(child) => {
            let pid = child.pid;
            let waited = waiting::until_over(child, limits, &input);
            let (status, usage) = wait(pid, 0).unwrap_or_default();
            let (code, signal) = how_ended(status);
            let bytes = |bytes: &Option<Vec<u8>>| match bytes {
                Some(bytes) => scope.bytes_of(bytes).unwrap_or_else(|| scope.null()),
                None => scope.null(),
            };
            let output: Vec<Local<'_>> = waited.output.iter().map(bytes).collect();
            scope.put(answer, "pid", scope.number(pid.into()));
            scope.put(answer, "error", scope.number(f64::from(-waited.problem)));
            scope.put(answer, "code", number_or_null(scope, code));
            scope.put(answer, "signal", number_or_null(scope, signal));
            scope.put(answer, "output", scope.array(&output));
            scope.put(answer, "usage", started::usage_to_js(scope, &usage));
        }
    }
    call.answer(answer);
    true
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    guard::register(module)
}
