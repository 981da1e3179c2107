//! Loading an addon: opens the library, then finds and calls its entry.
//!
//! An addon's references to Node-API are resolved among globally visible names. Python loaded this module with local
//! visibility, so its names are made global first. References are resolved at once: a missing name then gives an error
//! (`missing`), while lazy resolution would end the process.
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::{Mutex, Once, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::v8::Natives;
use crate::v8::api::{Handle, v8};
use crate::v8::{Call, CallbackInfo, Local, guarded};

use super::engine::Addons;
use super::env::Env;
use super::missing::explain;
use super::types::{DEFAULT_VERSION, EXPERIMENTAL, Module, Register, VERSION};

pub const NATIVES: Natives = &[("addons_load", load)];

thread_local! {
    /// What the library being opened on this thread has registered.
    static REGISTERED: Cell<*const Module> = const { Cell::new(std::ptr::null()) };
}
/// What each library registered when it was first opened, by its handle: a process runs its constructors only once.
static KNOWN: Mutex<Option<HashMap<usize, usize>>> = Mutex::new(None);

pub fn on_registered(module: *const Module) {
    REGISTERED.set(module);
}

/// Makes the names of Node-API visible to libraries that are opened later.
fn show_own_names() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: finds the library that contains an address of this module, and opens this open library again.
        unsafe {
            let mut info = std::mem::zeroed::<libc::Dl_info>();
            if libc::dladdr(show_own_names as *const c_void, &mut info) != 0 && !info.dli_fname.is_null() {
                libc::dlopen(info.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_GLOBAL);
            }
        }
    });
}

/// Opens a library. Fails with the loader's message.
fn open(path: &CStr, flags: c_int) -> Result<*mut c_void, String> {
    // SAFETY: the path ends in NUL; the library's constructors run, as the program requests.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), flags);
        if !handle.is_null() {
            return Ok(handle);
        }
        let text = libc::dlerror();
        Err(if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() })
    }
}

fn symbol(library: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the handle is live and the name ends in NUL.
    let address = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

/// The entry of an opened library, if any, and the version of Node-API it was built for.
fn entry(library: *mut c_void) -> Option<(Option<Register>, i32)> {
    // SAFETY: the registered structure belongs to a library that is never closed.
    let from = |module: *const Module| unsafe { Some(((*module).register, DEFAULT_VERSION)) };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let fresh = REGISTERED.take();
    if !fresh.is_null() {
        known.insert(library as usize, fresh as usize);
        return from(fresh);
    }
    if let Some(register) = symbol(library, c"napi_register_module_v1") {
        // SAFETY: Node-API defines the types of functions with these names.
        unsafe {
            let register = std::mem::transmute::<*mut c_void, Register>(register);
            let version = symbol(library, c"node_api_module_get_api_version_v1")
                .map(|version| std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> i32>(version)());
            return Some((Some(register), version.unwrap_or(DEFAULT_VERSION)));
        }
    }
    known.get(&(library as usize)).and_then(|module| from(*module as *const Module))
}

/// Throws an Error with a code.
fn refuse(call: &Call<'_>, message: &str, code: Option<&str>) {
    let scope = &call.scope;
    let error = scope.error(message);
    if let Some(code) = code.and_then(|code| scope.text(code.as_bytes())) {
        scope.put(error, "code", code);
    }
    call.throw(error);
}

const FAILED: Option<&str> = Some("ERR_DLOPEN_FAILED");

/// `addons_load(module, exports, filename, url, flags, hooks)`: opens the file and lets it fill `exports`, or replace
/// them.
extern "C" fn load(info: &CallbackInfo) {
    guarded(info, |call| {
        let (Some(filename), Some(url)) = (call.utf8(2), call.utf8(3)) else {
            return call.throw_type_error("the filename is a string");
        };
        let addons = match Addons::of(call, call.argument(5)) {
            Ok(addons) => addons,
            Err(error) => return call.raise(error),
        };
        let name = String::from_utf8_lossy(&filename).into_owned();
        let (Ok(path), Ok(url)) = (CString::new(filename), CString::new(url)) else {
            return refuse(call, &format!("{name}: cannot open shared object file: No such file or directory"), FAILED);
        };
        show_own_names();
        REGISTERED.set(std::ptr::null());
        let mode = call.integer(4) as c_int;
        let at_once = if mode & libc::RTLD_LAZY != 0 { mode & !libc::RTLD_LAZY | libc::RTLD_NOW } else { mode };
        let library = match open(&path, at_once) {
            Ok(library) => library,
            Err(text) => {
                REGISTERED.set(std::ptr::null());
                return refuse(call, &explain(&name, &text), FAILED);
            }
        };
        let Some((register, version)) = entry(library) else {
            let message = super::missing::without_entry(&name, |symbol_name| symbol(library, symbol_name).is_some());
            return refuse(call, &message, FAILED);
        };
        let Some(register) = register else {
            return refuse(call, "Module has no declared entry point.", None);
        };
        if version > VERSION as i32 && version != EXPERIMENTAL {
            let message = format!(
                "{name} requires Node-API version {version}, but this version of Node.js only supports version {VERSION} add-ons."
            );
            return refuse(call, &message, None);
        }
        let env = Env::new(&addons, version.max(DEFAULT_VERSION), url);
        addons.hooks.add_environment(env);
        if let Err(error) = begin(call, env, register, call.argument(0), call.argument(1)) {
            call.raise(error);
        }
    });
}

/// Calls an addon's entry; a result other than `exports` replaces the module's exports.
fn begin(
    call: &Call<'_>,
    env: &'static Env,
    register: Register,
    module: Local<'_>,
    exports: Local<'_>,
) -> PyResult<()> {
    let scope = &call.scope;
    // SAFETY: called inside a V8 callback; the addon declares the entry's type, and its argument is a live handle.
    let words = [std::ptr::from_ref(env) as usize, exports.handle() as usize, 0, 0];
    let returned =
        env.enter_throwing(|_| unsafe { super::thrown::call(env, register as *const c_void, words) } as Handle);
    let Some(returned) = returned.filter(|value| !value.is_null() && *value != exports.handle()) else { return Ok(()) };
    let key = scope.text(b"exports").ok_or_else(|| PyRuntimeError::new_err("out of memory"))?;
    // SAFETY: the handles are live, as the entry returned one. V8 propagates an exception of a setter when this
    // returns.
    unsafe {
        (v8().object_set)(module.handle(), scope.context.handle(), key.handle(), returned);
    }
    Ok(())
}
