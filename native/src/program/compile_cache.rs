//! The compile cache of a program, enabled by NODE_COMPILE_CACHE or by the program (`module.enableCompileCache`).
use std::io::Write;
use std::path::Path;

use super::life::Life;
use crate::modules::{Cache, Manner};
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("modules_enableCompileCache", enable),
    ("modules_compileCacheFolder", folder),
    ("modules_flushCompileCache", flush),
];

/// Values of `module.constants.compileCacheStatus`.
const FAILED: i32 = 0;
const ENABLED: i32 = 1;
const ALREADY_ENABLED: i32 = 2;
const DISABLED: i32 = 3;
const DISABLED_MESSAGE: &str = "Disabled by NODE_DISABLE_COMPILE_CACHE";
/// Makes the cache print its steps.
const DEBUG_VARIABLE: &str = "NODE_DEBUG_NATIVE";
const DEBUG_NAME: &str = "compile_cache";

/// The options of a cache.
pub struct CacheOptions {
    pub folder: String,
    pub is_portable: bool,
    pub is_read_only: bool,
    pub is_disabled: bool,
}

fn is_verbose() -> bool {
    let names = std::env::var(DEBUG_VARIABLE).unwrap_or_default().to_lowercase();
    names.split(',').any(|name| name == DEBUG_NAME)
}

impl Life {
    /// Uses the cache that the environment of the program enables; `variable` returns the value of one.
    pub fn begin_compile_cache(&self, variable: impl Fn(&str) -> Option<String>) {
        let Some(folder) = variable("NODE_COMPILE_CACHE").filter(|folder| !folder.is_empty()) else { return };
        let is_on = |name: &str| variable(name).is_some_and(|value| value == "1");
        self.enable_compile_cache(&CacheOptions {
            folder,
            is_portable: is_on("NODE_COMPILE_CACHE_PORTABLE"),
            is_read_only: is_on("NODE_COMPILE_CACHE_READONLY"),
            is_disabled: variable("NODE_DISABLE_COMPILE_CACHE").is_some(),
        });
    }

    /// Uses the cache in a folder from now on; returns status, message and folder, each of the latter may be "".
    pub fn enable_compile_cache(&self, wanted: &CacheOptions) -> (i32, String, String) {
        let code_caches = self.table().code_caches().clone();
        if let Some(cache) = code_caches.cache() {
            return (ALREADY_ENABLED, String::new(), cache.folder());
        }
        let is_verbose = is_verbose();
        if wanted.is_disabled {
            if is_verbose {
                let _ = writeln!(std::io::stderr(), "[compile cache] {DISABLED_MESSAGE}.");
            }
            return (DISABLED, DISABLED_MESSAGE.to_owned(), String::new());
        }
        let manner = Manner { is_portable: wanted.is_portable, is_read_only: wanted.is_read_only, is_verbose };
        match Cache::open(Path::new(&wanted.folder), manner) {
            Ok(cache) => {
                let base = cache.base();
                code_caches.use_cache(cache);
                (ENABLED, String::new(), base)
            }
            Err(reason) => (FAILED, reason, String::new()),
        }
    }
}

/// `modules_enableCompileCache(folder, isPortable, isReadOnly, isDisabled)`: [status, message, folder].
fn enable(call: &Call<'_>) -> bool {
    let Some(life) = Life::of(call.scope.state) else { return false };
    let folder = String::from_utf8_lossy(&call.utf8(0).unwrap_or_default()).into_owned();
    let wanted = CacheOptions {
        folder,
        is_portable: call.is_true(1),
        is_read_only: call.is_true(2),
        is_disabled: call.is_true(3),
    };
    let (status, message, folder) = life.enable_compile_cache(&wanted);
    let text = |text: String| if text.is_empty() { None } else { call.scope.text(text.as_bytes()) };
    let [message, folder] = [message, folder].map(|each| text(each).unwrap_or_else(|| call.scope.undefined()));
    call.answer(call.scope.array(&[call.scope.number(status.into()), message, folder]));
    true
}

/// `modules_compileCacheFolder()`: empty if there is no cache.
fn folder(call: &Call<'_>) -> bool {
    let Some(life) = Life::of(call.scope.state) else { return false };
    let folder = life.table().code_caches().cache().map(|cache| cache.folder()).unwrap_or_default();
    let Some(folder) = call.scope.text(folder.as_bytes()) else { return false };
    call.answer(folder);
    true
}

/// `modules_flushCompileCache()`
fn flush(call: &Call<'_>) -> bool {
    let Some(life) = Life::of(call.scope.state) else { return false };
    if let Some(cache) = life.table().code_caches().cache() {
        cache.flush();
    }
    call.answer(call.scope.undefined());
    true
}
