//! The argument of `start` in js/boot/runtime.js, from the cached values of `rt_supervisor/engine_worker/program/options.py`.
use std::collections::HashSet;
use std::os::unix::ffi::OsStringExt;

use pyo3::prelude::*;

use super::cached_program::CachedProgram;
use crate::v8::{Local, Scope};

/// Returns the cached values, with those that differ between processes. `parse` is `JSON.parse`.
pub fn start_values<'s>(scope: &Scope<'s>, parse: Local<'s>, cached: &CachedProgram) -> PyResult<Local<'s>> {
    let text = |bytes: &[u8]| scope.text(bytes).unwrap_or_else(|| scope.undefined());
    let values = scope.call(parse, &[text(&cached.values).handle()])?;
    let mut argv = vec![text(&cached.executable), text(cached.entry.as_bytes())];
    argv.extend(cached.arguments.iter().map(|word| text(word)));
    scope.put(values, "argv", scope.array(&argv));
    scope.put(values, "argv0", text(&cached.given));
    scope.put(values, "pid", scope.number(std::process::id().into()));
    scope.put(values, "ppid", scope.number(std::os::unix::process::parent_id().into()));
    let environment = scope.object();
    let mut known = HashSet::new();
    for (name, value) in std::env::vars_os() {
        let (name, value) = (name.into_vec(), value.into_vec());
        if known.insert(name.clone()) {
            scope.put_named(environment, text(&name), text(&value));
        }
    }
    scope.put(values, "env", environment);
    Ok(values)
}
