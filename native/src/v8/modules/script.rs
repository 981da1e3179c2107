//! Scripts and functions from source text, with their position in a file and V8's code cache.
//!
//! Lines and columns of errors refer to the file that `Origin` names; the offsets are the position of the text
//! in the file.
use pyo3::prelude::*;

use crate::v8::api::layout::{
    COMPILE_CONSUME_CACHE, COMPILE_DEFAULT, COMPILE_EAGER, CachedData, ORIGIN_IS_MODULE, ORIGIN_IS_SHARED, Source,
};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::error;
use crate::v8::values::scope::{Local, NO_HANDLE, Scope};
use crate::v8::values::value::{literal, property_key, source_to_js, string_to_js, to_python, utf8_to_js};

/// The origin of a text, and how to compile it.
pub struct Origin<'a> {
    pub name: &'a str,
    pub line_offset: i32,
    pub column_offset: i32,
    pub cache: Option<&'a [u8]>,
    pub is_module: bool,
    /// Compile every function now, for a complete code cache.
    pub eager: bool,
}

impl<'a> Origin<'a> {
    /// The origin of the whole script `name`.
    pub fn of_script(name: &'a str) -> Origin<'a> {
        Origin { name, line_offset: 0, column_offset: 0, cache: None, is_module: false, eager: false }
    }
}

/// Compiles `source` with `compile`, which receives V8's structure and options.
pub fn compile<'s>(
    scope: &Scope<'s>,
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    origin: &Origin<'_>,
    compile: impl FnOnce(Raw, i32) -> Handle,
) -> PyResult<Local<'s>> {
    let text = source_to_js(scope, source)?;
    let name = string_to_js(scope, &pyo3::types::PyString::new(py, origin.name))?;
    with_source(text, name, origin, |source, options| scope.evaluate(py, || compile(source, options))).0
}

/// Calls `compile` with V8's description of a text and options; also returns whether the code cache was rejected.
fn with_source<M>(
    text: Local<'_>,
    name: Local<'_>,
    origin: &Origin<'_>,
    compile: impl FnOnce(Raw, i32) -> M,
) -> (M, bool) {
    let cached = |bytes: &[u8]| CachedData {
        data: bytes.as_ptr(),
        length: bytes.len() as i32,
        rejected: false,
        buffer_policy: 0, // the caller owns the bytes
    };
    let mut cache = origin.cache.map(cached);
    let options = match cache {
        Some(_) => COMPILE_CONSUME_CACHE,
        None if origin.eager => COMPILE_EAGER,
        None => COMPILE_DEFAULT,
    };
    let mut description = Source {
        source: text.handle(),
        resource_name: name.handle(),
        line_offset: origin.line_offset,
        column_offset: origin.column_offset,
        flags: ORIGIN_IS_SHARED | if origin.is_module { ORIGIN_IS_MODULE } else { 0 },
        source_map_url: NO_HANDLE,
        host_defined_options: NO_HANDLE,
        cached_data: cache.as_mut().map_or(std::ptr::null_mut(), |data| data as *mut CachedData),
        rest: [0; 8],
    };
    let script = compile(&mut description as *mut Source as Raw, options);
    (script, cache.is_some_and(|data| data.rejected))
}

/// Compiles an ES module named `name`; also returns whether the code cache was rejected. Needs no GIL.
pub fn compile_detached<'s>(
    scope: &Scope<'s>,
    source: &str,
    name: &str,
    cache: Option<&[u8]>,
) -> Option<(Local<'s>, bool)> {
    let (text, label) = (scope.text(source.as_bytes())?, scope.text(name.as_bytes())?);
    let origin = Origin { cache, is_module: true, ..Origin::of_script(name) };
    let (made, rejected) = with_source(text, label, &origin, |source, options| {
        // SAFETY: the scope proves the isolate current; the structure is filled.
        scope.attempt(|| unsafe { (v8().module_compile)(scope.isolate, source, options, 0) })
    });
    Some((made?, rejected))
}

/// A function with `source` as its body and the parameters `params`, compiled from `cache` if V8 accepts it; also
/// returns whether the cache was rejected. Needs no GIL.
pub fn compile_function_with_code<'s>(
    scope: &Scope<'s>,
    source: &str,
    params: &[&str],
    name: &str,
    cache: Option<&[u8]>,
) -> PyResult<(Local<'s>, bool)> {
    let (text, label) = (utf8_to_js(scope, source.as_bytes(), 0)?, utf8_to_js(scope, name.as_bytes(), 0)?);
    let names: Vec<Handle> = params.iter().map(|name| literal(scope, name).handle()).collect();
    let origin = Origin { cache, ..Origin::of_script(name) };
    let (context, none) = (scope.context.handle(), std::ptr::null());
    let (made, rejected) = with_source(text, label, &origin, |source, options| {
        // SAFETY: the handles are live; `names` has `params.len()` of them, and there are no extension objects; the
        // structure is filled in.
        scope.evaluate_detached(|| unsafe {
            (v8().function_compile)(context, source, names.len(), names.as_ptr(), 0, none, options, 0)
        })
    });
    Ok((made?, rejected))
}

/// Compiles and runs a script; returns its completion value. An error of the compiler is marked `is_from_compiler`.
pub fn run(scope: &Scope<'_>, py: Python<'_>, source: &Bound<'_, PyAny>, origin: &Origin<'_>) -> PyResult<Py<PyAny>> {
    let context = scope.context.handle();
    // SAFETY: live handles and a filled structure.
    let script = compile(scope, py, source, origin, |source, options| unsafe {
        (v8().script_compile)(context, source, options, 0)
    })
    .inspect_err(|error| error::mark_as_from_compiler(py, error))?;
    // SAFETY: live handles: a script and its context.
    let value = scope.evaluate(py, || unsafe { (v8().script_run)(script.handle(), context) })?;
    to_python(scope, py, value)
}

/// A function with `source` as its body and `params` as its parameters; positions refer to `source`.
pub fn compile_function<'s>(
    scope: &Scope<'s>,
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    params: &[Bound<'_, pyo3::types::PyString>],
    name: &str,
) -> PyResult<Local<'s>> {
    let names: Vec<Handle> =
        params.iter().map(|name| Ok(property_key(scope, name)?.handle())).collect::<PyResult<_>>()?;
    let context = scope.context.handle();
    // SAFETY: the handles are live; `names` has `params.len()` of them, and there are no extension objects.
    compile(scope, py, source, &Origin::of_script(name), |source, options| unsafe {
        (v8().function_compile)(context, source, names.len(), names.as_ptr(), 0, std::ptr::null(), options, 0)
    })
}
