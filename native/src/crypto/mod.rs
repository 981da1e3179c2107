//! OpenSSL for `node:crypto`, `node:tls` and Web Crypto: the functions of the library that `native/crypto` builds, as
//! JavaScript functions (`js/internal/crypto/binding.js`), without Python.
//!
//! The library is opened when a program first uses cryptography. Each of its functions becomes a JavaScript function
//! whose data is the library's number for it; `items` converts arguments and results.
use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

mod items;

use rt_wire::crypto_calls as wire;

use crate::event_loop::{Answer, Core, submit};
use crate::files::beside::function_in;
use crate::v8::{Call, CallbackInfo, HostOperation, Local, Scope, guarded, make_function};
use items::{Arguments, DetachedMaker, JavaScriptMaker, ResultBuilder};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("crypto_binding", binding), ("crypto_later", later)];

/// The file name of `native/crypto`'s library.
pub const LIBRARY: &str = "librt_crypto.so";

/// The open library.
struct Library {
    calls: &'static wire::Calls,
    names: Vec<&'static str>,
    numbers: HashMap<&'static str, usize>,
}

static HOST: wire::Host = wire::Host { call: items::call_function, forget: items::forget };

/// The library, opened on first use; the error describes why it cannot be opened.
fn library() -> Result<&'static Library, &'static str> {
    static LOADED: OnceLock<Result<Library, String>> = OnceLock::new();
    LOADED.get_or_init(open).as_ref().map_err(String::as_str)
}

fn open() -> Result<Library, String> {
    let address = function_in(LIBRARY, wire::NAME)?;
    // SAFETY: the library's function with this name has this signature (`wire`); the names are static texts.
    unsafe {
        let open = std::mem::transmute::<*mut c_void, wire::Open>(address.as_ptr());
        let calls = open(&HOST);
        let mut names = Vec::new();
        loop {
            let name = (calls.name)(names.len());
            if name.is_null() {
                break;
            }
            names.push(CStr::from_ptr(name).to_str().map_err(|_| "a name is no text".to_owned())?);
        }
        let numbers = names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
        Ok(Library { calls, names, numbers })
    }
}

/// Throw that the library is not available.
fn refuse(call: &Call<'_>, why: &str) -> bool {
    let text = format!("rt's native crypto library cannot be loaded: {why}");
    call.throw(call.scope.error(&text));
    true
}

/// `crypto_binding()`: an object with the library's functions by name.
fn binding(call: &Call<'_>) -> bool {
    let library = match library() {
        Ok(library) => library,
        Err(why) => return refuse(call, why),
    };
    let scope = &call.scope;
    let functions = scope.object();
    for (number, name) in library.names.iter().enumerate() {
        match make_function(scope, call_library, number as i32, name, 0) {
            Ok(function) => scope.put(functions, name, function),
            Err(error) => {
                call.raise(error);
                return true;
            }
        }
    }
    call.answer(functions);
    true
}

/// Called by JavaScript for a function of the library.
extern "C" fn call_library(info: &CallbackInfo) {
    guarded(info, |call| {
        let Ok(library) = library() else { return };
        let scope = &call.scope;
        let mut arguments = Arguments::new(call.len());
        for index in 0..call.len() {
            arguments.lend(scope, call.argument(index));
        }
        let mut answer = ResultBuilder::new(JavaScriptMaker(scope));
        let items = arguments.items();
        // SAFETY: the arguments outlive the call; JavaScript runs during it only if the library calls it.
        let is_done =
            unsafe { (library.calls.call)(call.data(), items.as_ptr(), items.len(), answer.sink(), items::add_value) };
        match answer.take() {
            None => call.throw(scope.error_of("RangeError", "Array buffer allocation failed")),
            Some(value) if is_done => call.answer(value),
            Some(value) if answer.has_thrown() => call.throw(value),
            Some(value) => call.throw(error_from_list(scope, value)),
        }
    });
}

/// The error for a list of its class, its message and its properties.
fn error_from_list<'s>(scope: &Scope<'s>, list: Local<'_>) -> Local<'s> {
    let [class, message, facts] = scope.elements(list)[..] else { return scope.error("cryptography has failed") };
    let text = |value| String::from_utf8(scope.utf8(value)).unwrap_or_default();
    let error = scope.error_of(&text(class), &text(message));
    for fact in scope.elements(facts).chunks_exact(2) {
        scope.put_named(error, fact[0], fact[1]);
    }
    error
}

/// `crypto_later(name, arguments, callback)`: calls a function of the library on the pool, then `callback(error)` or
/// `callback(undefined, result)` in a later turn.
fn later(call: &Call<'_>) -> bool {
    let library = match library() {
        Ok(library) => library,
        Err(why) => return refuse(call, why),
    };
    let scope = &call.scope;
    let name = String::from_utf8(call.utf8(0).unwrap_or_default()).unwrap_or_default();
    let (Some(core), Some(callback)) = (Core::of(scope), call.function(2)) else { return false };
    let Some(number) = library.numbers.get(&*name).copied() else { return false };
    let values = scope.elements(call.argument(1));
    let mut arguments = Arguments::new(values.len());
    for value in values {
        arguments.copy(scope, value);
    }
    let submitted = submit(&core, callback, move || {
        let mut answer = ResultBuilder::new(DetachedMaker);
        let items = arguments.items();
        // SAFETY: the arguments are copies that outlive the call.
        let is_done =
            unsafe { (library.calls.call)(number, items.as_ptr(), items.len(), answer.sink(), items::add_detached) };
        Box::new(Outcome { is_done, value: answer.take() })
    });
    if let Err(error) = submitted {
        call.raise(error);
    }
    true
}

/// The result of a call on the pool.
struct Outcome {
    is_done: bool,
    value: Option<items::Owned>,
}

impl Answer for Outcome {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>> {
        let Some(value) = self.value.and_then(|value| value.to_js(scope)) else {
            return vec![scope.error_of("RangeError", "Array buffer allocation failed")];
        };
        if self.is_done { vec![scope.undefined(), value] } else { vec![error_from_list(scope, value)] }
    }
}
