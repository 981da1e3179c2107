//! Messages about addons that cannot be loaded: the missing name, its origin, and what to use instead.
use std::ffi::CStr;

/// Prefixes of names, and how messages describe their origin.
const OWNERS: [(&[&str], &str); 4] = [
    (
        &["_ZN2v8", "_ZNK2v8", "_ZTVN2v8", "_ZTIN2v8", "_ZN6cppgc", "_ZNK6cppgc"],
        "V8's C++, which rt does not offer to addons",
    ),
    (
        &["_ZN4node", "_ZNK4node", "_ZTIN4node", "_ZTVN4node", "node_module_register"],
        "Node's C++, which rt does not have",
    ),
    (
        &["uv_"],
        "libuv, of which rt has threads, locks, timers, uv_async_t, uv_poll_t, uv_queue_work and facts of the system alone",
    ),
    (&["napi_", "node_api_"], "a later Node-API than rt's version 10"),
];

const INSTEAD: &str =
    "use a version of the package that is built on Node-API alone, or one in JavaScript or WebAssembly";

/// Packages known to be built on V8's C++ API, and alternatives to them.
const KNOWN: [(&str, &str); 4] = [
    ("better-sqlite3", "use better-sqlite3 from version 13 on, which is built on Node-API, or node:sqlite"),
    ("re2", "use re2-wasm, or RegExp"),
    ("node-sass", "use sass, which is JavaScript"),
    ("deasync", "wait with Atomics.wait, or await in an ES module"),
];

/// What to use instead of the addon at path `name`.
fn instead(name: &str) -> &'static str {
    let packages = name.rsplit_once("/node_modules/").map_or("", |(_, rest)| rest);
    let package = packages.split('/').next().unwrap_or_default();
    KNOWN.iter().find(|(known, _)| *known == package).map_or(INSTEAD, |(_, advice)| *advice)
}

fn owner(symbol: &str) -> Option<&'static str> {
    OWNERS.iter().find(|(heads, _)| heads.iter().any(|head| symbol.starts_with(head))).map(|(_, owner)| *owner)
}

/// The message for a loader error of the addon `name`: the loader's own text, unless a name is missing that rt does not
/// provide.
pub fn explain(name: &str, loader: &str) -> String {
    let symbol =
        loader.split_once("undefined symbol: ").map(|(_, rest)| rest.split([' ', ',', '\n']).next().unwrap_or(rest));
    match symbol.and_then(|symbol| Some((symbol, owner(symbol)?))) {
        Some((symbol, owner)) => format!("{name} needs {symbol} of {owner}: {}", instead(name)),
        None => loader.to_owned(),
    }
}

/// The message for a library that is not a Node-API addon; `has` returns whether it defines a name.
pub fn without_entry(name: &str, has: impl Fn(&CStr) -> bool) -> String {
    const ENTRY: &CStr = c"node_register_module_v147";
    if has(ENTRY) {
        return format!("{name} is built on V8's C++, which rt does not offer to addons: {}", instead(name));
    }
    format!("Module did not self-register: '{name}'.")
}
