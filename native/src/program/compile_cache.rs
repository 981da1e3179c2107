//! The compile cache without Python: what `rt_supervisor/engine_worker/modules/compile_cache.py` does, for a program that asks for
//! one (`module.enableCompileCache`). What is odd is Python's, as elsewhere.
use std::path::Path;

use super::commonjs::alone;
use crate::modules::{Cache, Manner};
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("modules_enableCompileCache", enable),
    ("modules_compileCacheFolder", folder),
    ("modules_flushCompileCache", flush),
];

/// Of `module.constants.compileCacheStatus`.
const FAILED: i32 = 0;
const ENABLED: i32 = 1;
const ALREADY_ENABLED: i32 = 2;
/// What has the cache tell what it does.
const DEBUG_VARIABLE: &str = "NODE_DEBUG_NATIVE";
const DEBUG_NAME: &str = "compile_cache";

fn tells() -> bool {
    let asked = std::env::var(DEBUG_VARIABLE).unwrap_or_default().to_lowercase();
    asked.split(',').any(|name| name == DEBUG_NAME)
}

/// `modules_enableCompileCache(folder, isPortable, isReadOnly, isDisabled)`: [status, message, folder].
fn enable(call: &Call<'_>) -> bool {
    let (Some(life), Some(given)) = (alone(call), call.whole_text(0)) else { return false };
    if call.is_true(3) {
        return false; // Python says that it is disabled
    }
    let (status, message, folder) = match life.table.keepers().cache() {
        Some(cache) => (ALREADY_ENABLED, String::new(), cache.folder()),
        None => {
            let manner = Manner { is_portable: call.is_true(1), is_read_only: call.is_true(2), tells: tells() };
            match Cache::open(Path::new(&given), manner) {
                Ok(cache) => {
                    let base = cache.base();
                    life.table.keepers().use_cache(cache);
                    (ENABLED, String::new(), base)
                }
                Err(reason) => (FAILED, reason, String::new()),
            }
        }
    };
    let texts = (call.scope.text(message.as_bytes()), call.scope.text(folder.as_bytes()));
    let (Some(message), Some(folder)) = texts else { return false };
    call.answer(call.scope.array(&[call.scope.number(status.into()), message, folder]));
    true
}

/// `modules_compileCacheFolder()`: empty where there is no cache.
fn folder(call: &Call<'_>) -> bool {
    let Some(life) = alone(call) else { return false };
    let folder = life.table.keepers().cache().map(|cache| cache.folder()).unwrap_or_default();
    let Some(folder) = call.scope.text(folder.as_bytes()) else { return false };
    call.answer(folder);
    true
}

/// `modules_flushCompileCache()`
fn flush(call: &Call<'_>) -> bool {
    let Some(life) = alone(call) else { return false };
    if let Some(cache) = life.table.keepers().cache() {
        cache.flush();
    }
    call.answer(call.scope.undefined());
    true
}
