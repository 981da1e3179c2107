//! Reports garbage collections to a program in the following turn. They neither keep the program alive nor wake the
//! loop, as in Node.
use std::cell::Cell;
use std::rc::Rc;

use super::core::{Core, Phase};
use super::later::with_core;
use crate::v8::CallbackInfo;
use crate::v8::Natives;
use crate::v8::heap::collections::{record_for_observers, take_recorded};

pub const NATIVES: Natives = &[("collections_watch", watch)];

/// `collections_watch(callback)`: calls `callback` with `[kind, flags, start, ms, …]` after collections; undefined
/// stops that.
extern "C" fn watch(info: &CallbackInfo) {
    with_core(info, |call, core| {
        if let Some(number) = core.collection_watcher.take() {
            core.leave_turns(number);
        }
        let callback = call.function(0);
        record_for_observers(&call.scope, callback.is_some());
        let Some(callback) = callback else { return };
        let watcher = move |core: &Rc<Core>| {
            let Some(functions) = core.functions() else { return Ok(()) };
            let numbers: Vec<f64> = take_recorded(&functions.state).iter().flat_map(|each| each.figures()).collect();
            if numbers.is_empty() {
                return Ok(());
            }
            core.call(
                &callback,
                &[&|scope| {
                    let numbers: Vec<_> = numbers.iter().map(|each| scope.number(*each)).collect();
                    Ok(scope.array(&numbers))
                }],
            )
        };
        core.collection_watcher.set(Some(core.join_turns(Phase::Check, Rc::new(watcher))));
    });
}

/// The watcher's number in the loop's turns, if there is one.
pub type WatcherNumber = Cell<Option<usize>>;
