//! Environments shared by several threads (`SHARE_ENV`): variables by name, and a version by which each thread notices
//! changes.
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::v8::Natives;
use crate::v8::{CallbackInfo, guarded};

pub const NATIVES: Natives = &[
    ("environmentOpen", open),
    ("environmentChange", change),
    ("environmentVersion", version),
    ("environmentEntries", entries),
];

#[derive(Default)]
struct Environment {
    texts: BTreeMap<Vec<u8>, Vec<u8>>,
    version: u64,
}

/// Indexed by number. None is ever removed, because any thread that has one may start another that shares it.
static SHARED: Mutex<Vec<Environment>> = Mutex::new(Vec::new());

fn with<R>(number: i64, work: impl FnOnce(&mut Environment) -> R) -> Option<R> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.get_mut(usize::try_from(number).ok()?).map(work)
}

/// `environmentOpen()`: the number of a new, empty environment.
extern "C" fn open(info: &CallbackInfo) {
    guarded(info, |call| {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.push(Environment::default());
        call.answer_number((shared.len() - 1) as f64);
    });
}

/// `environmentChange(number, name, text)`: sets a variable, or removes it if `text` is undefined; returns the new
/// version.
extern "C" fn change(info: &CallbackInfo) {
    guarded(info, |call| {
        let (name, text) = (call.utf8(1).unwrap_or_default(), call.utf8(2));
        let changed = with(call.integer(0), |environment| {
            match text {
                Some(text) => environment.texts.insert(name, text),
                None => environment.texts.remove(&name),
            };
            environment.version += 1;
            environment.version
        });
        call.answer_number(changed.unwrap_or_default() as f64);
    });
}

/// `environmentVersion(number)`: the number of changes.
extern "C" fn version(info: &CallbackInfo) {
    guarded(info, |call| {
        call.answer_number(with(call.integer(0), |environment| environment.version).unwrap_or_default() as f64);
    });
}

/// `environmentEntries(number)`: the version, followed by alternating names and texts.
extern "C" fn entries(info: &CallbackInfo) {
    guarded(info, |call| {
        let read = with(call.integer(0), |environment| (environment.version, environment.texts.clone()));
        let (version, texts) = read.unwrap_or_default();
        let scope = &call.scope;
        let words = texts.iter().flat_map(|(name, text)| [name, text]);
        let words = words.map(|word| scope.text(word).unwrap_or_else(|| scope.undefined()));
        let all: Vec<_> = std::iter::once(scope.number(version as f64)).chain(words).collect();
        call.answer(scope.array(&all));
    });
}
