//! Calls in both directions: JavaScript functions as Python callables, Python callables as JavaScript functions.
//!
//! All Python callables share one trampoline, whose data is an index into the engine's table. The first entries are the
//! host functions, known by name: start-up snapshots hold their JavaScript side, and each is bound later, or looked up
//! with the engine's `host` callable at its first call. An entry of `Engine.function` is freed when JavaScript drops
//! the function.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::interpreter;
use pyo3::types::PyTuple;

use crate::interpreter::class;

use super::buffer;
use super::error;
use super::object::{self, JsObject};
use super::scope::{Local, Scope};
use super::state::State;
use super::value::{arguments, literal, string_to_python, to_js, to_python};
use super::weak;
use crate::v8::api::layout::{CallbackInfo, IMPLICIT_ISOLATE, IMPLICIT_RETURN_VALUE, IMPLICIT_TARGET, small_integer};
use crate::v8::api::{Handle, Isolate, Raw, v8};

/// A JavaScript function.
#[pyclass(frozen, extends = JsObject, module = "rt_supervisor._native")]
pub struct JsFunction;

/// A function that V8 calls directly.
pub type Callback = extern "C" fn(&CallbackInfo);
/// Host functions that need no Python, by the names that JavaScript uses.
pub type Natives = &'static [(&'static str, Callback)];

/// An operation without Python; false if it did nothing and Python must carry it out.
pub type HostOperation = fn(&Call<'_>) -> bool;

/// A Python callable that JavaScript can call, and the conversion of its arguments.
pub struct HostFunction {
    callable: Py<PyAny>,
    /// One letter for each argument; further arguments use `v`.
    signature: Vec<u8>,
    receiver: bool,
}

impl HostFunction {
    pub fn new(callable: &Bound<'_, PyAny>, signature: &str, receiver: bool) -> PyResult<HostFunction> {
        if !callable.is_callable() {
            return Err(PyTypeError::new_err("a host function is a callable"));
        }
        if let Some(letter) = signature.chars().find(|letter| !"vbcs".contains(*letter)) {
            return Err(PyValueError::new_err(format!("a signature holds v, b, c and s, not {letter:?}")));
        }
        Ok(HostFunction { callable: callable.clone().unbind(), signature: signature.into(), receiver })
    }
}

/// The arguments of a callback.
pub struct Call<'s> {
    pub scope: Scope<'s>,
    info: &'s CallbackInfo,
}

impl<'s> Call<'s> {
    pub fn new(info: &'s CallbackInfo) -> Call<'s> {
        // SAFETY: `info` exists only while V8 is calling with it: the implicit arguments are filled, the isolate is
        // current, and its state outlives the call.
        unsafe {
            let isolate = *info.implicit.add(IMPLICIT_ISOLATE) as Isolate;
            Call { scope: Scope::in_callback(isolate, State::of(isolate)), info }
        }
    }

    pub fn len(&self) -> usize {
        self.info.length
    }

    pub fn argument(&self, index: usize) -> Local<'s> {
        if index >= self.info.length {
            return self.scope.handle_for(self.scope.state.inner().roots.get().undefined);
        }
        // SAFETY: the slot is one of the arguments and outlives the call.
        unsafe { Local::new(self.info.values.add(index)) }.expect("an argument's slot")
    }

    pub fn receiver(&self) -> Local<'s> {
        // SAFETY: the slot before the arguments is `this`.
        unsafe { Local::new(self.info.values.sub(1)) }.expect("the receiver's slot")
    }

    /// The small integer that the function was created with.
    pub fn data(&self) -> usize {
        // SAFETY: the target's slot is live; the data is the integer that `make` stored.
        let data = unsafe {
            let target = self.info.implicit.add(IMPLICIT_TARGET);
            self.scope.local((v8().function_data)(self.scope.isolate, target))
        };
        data.and_then(|data| small_integer(data.word())).unwrap_or(-1) as usize
    }

    pub fn answer(&self, value: Local<'_>) {
        // SAFETY: the slot of the return value is writable until the callback returns.
        unsafe { *self.info.implicit.add(IMPLICIT_RETURN_VALUE) = value.word() }
    }

    pub fn throw_type_error(&self, text: &str) {
        let text = literal(&self.scope, text);
        // SAFETY: the string is live; V8 is calling, so an exception may be scheduled.
        unsafe {
            let value = (v8().error_type)(text.handle(), std::ptr::null_mut());
            (v8().throw)(self.scope.isolate, value);
        }
    }
}

/// Runs the body of a callback. A panic becomes a JavaScript error, because it must not unwind through V8.
pub fn guarded(info: &CallbackInfo, body: impl FnOnce(&Call<'_>)) {
    let call = Call::new(info);
    if catch_unwind(AssertUnwindSafe(|| body(&call))).is_err() {
        call.throw_type_error("internal error in a native function");
    }
}

/// The trampoline through which JavaScript calls Python callables.
pub extern "C" fn call_python(info: &CallbackInfo) {
    guarded(info, |call| {
        let operation = call.scope.state.inner().operations.borrow().get(call.data()).copied().flatten();
        if operation.is_some_and(|operation| operation(call)) {
            return;
        }
        interpreter::attach(|py| {
            call.scope.state.sweep();
            match call_host_function(call, py) {
                Ok(value) => call.answer(value),
                Err(error) => error::throw(&call.scope, py, error),
            }
        });
    });
}

fn call_host_function<'s>(call: &Call<'s>, py: Python<'_>) -> PyResult<Local<'s>> {
    let index = call.data();
    let inner = call.scope.state.inner();
    let known = || inner.functions.borrow().get(index).and_then(Option::clone);
    let function = match known() {
        Some(function) => function,
        None => {
            find_host_function(call.scope.state, py, index)?;
            known().ok_or_else(|| PyRuntimeError::new_err("no such host function"))?
        }
    };
    let arguments = convert_arguments(call, py, &function)?;
    let result = function.callable.bind(py).call1(arguments)?;
    to_js(&call.scope, &result)
}

/// Looks up a function that is not bound yet with the engine's `host` callable.
fn find_host_function(state: &State, py: Python<'_>, index: usize) -> PyResult<()> {
    let inner = state.inner();
    let name = inner.names.borrow().get(index).cloned();
    let resolve = inner.resolve_host.borrow().as_ref().map(|resolve| resolve.clone_ref(py));
    let (Some(name), Some(resolve)) = (name.clone(), resolve) else {
        let name = name.unwrap_or_else(|| format!("#{index}"));
        return Err(PyRuntimeError::new_err(format!("the host function {name} is not bound")));
    };
    let found = resolve.bind(py).call1((name.as_str(),))?;
    // The call may have bound the function itself. Otherwise it returned the function, or a tuple of it and its
    // signature.
    if inner.functions.borrow()[index].is_some() {
        return Ok(());
    }
    let function = match found.cast::<PyTuple>() {
        Ok(parts) => {
            let (callable, signature): (Bound<'_, PyAny>, String) = parts.extract()?;
            HostFunction::new(&callable, &signature, false)?
        }
        Err(_) => HostFunction::new(&found, "", false)?,
    };
    inner.functions.borrow_mut()[index] = Some(Rc::new(function));
    Ok(())
}

fn convert_arguments<'py>(call: &Call<'_>, py: Python<'py>, function: &HostFunction) -> PyResult<Bound<'py, PyTuple>> {
    let extra = usize::from(function.receiver);
    // SAFETY: the tuple is fresh; every slot is filled below before anything reads it, or the tuple is dropped.
    let tuple = unsafe {
        let tuple = ffi::PyTuple_New((call.len() + extra) as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, tuple)?.cast_into_unchecked::<PyTuple>()
    };
    let put = |index: usize, value: Py<PyAny>| {
        // SAFETY: the index is inside the fresh tuple, which takes ownership of the reference.
        unsafe { ffi::PyTuple_SetItem(tuple.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr()) };
    };
    if function.receiver {
        put(0, to_python(&call.scope, py, call.receiver())?);
    }
    for index in 0..call.len() {
        let value = call.argument(index);
        let letter = function.signature.get(index).copied().unwrap_or(b'v');
        put(index + extra, convert_argument(call, py, value, letter)?);
    }
    Ok(tuple)
}

fn convert_argument(call: &Call<'_>, py: Python<'_>, value: Local<'_>, letter: u8) -> PyResult<Py<PyAny>> {
    let scope = &call.scope;
    match letter {
        b'b' => Ok(buffer::to_bytes(py, value)?.into_any()),
        // SAFETY: the handle is live; the test has no side effects.
        b'c' if unsafe { (v8().is_object)(value.handle()) } => object::copy(scope, py, value, 100),
        b's' => {
            // SAFETY: the handles are live.
            let text = scope.evaluate(py, || unsafe { (v8().to_string)(value.handle(), scope.context.handle()) })?;
            Ok(string_to_python(scope, py, text)?.into_any())
        }
        _ => to_python(scope, py, value),
    }
}

/// A JavaScript function that calls `callback` with `index` as its data.
pub fn make<'s>(
    scope: &Scope<'s>,
    callback: extern "C" fn(&CallbackInfo),
    index: i32,
    name: &str,
    length: i32,
) -> PyResult<Local<'s>> {
    const THROW_ON_NEW: i32 = 0;
    const HAS_SIDE_EFFECTS: i32 = 0;
    // SAFETY: the scope proves the isolate current; the callback has V8's signature.
    let function = unsafe {
        let data = (v8().integer_new)(scope.isolate, index);
        let context = scope.context.handle();
        let function = (v8().function_new)(context, callback as Raw, data, length, THROW_ON_NEW, HAS_SIDE_EFFECTS);
        scope.local(function)
    };
    let function = function.ok_or_else(|| PyRuntimeError::new_err("V8 made no function"))?;
    if !name.is_empty() {
        // SAFETY: the handles are live and of the required types.
        unsafe { (v8().function_set_name)(function.handle(), literal(scope, name).handle()) };
    }
    Ok(function)
}

/// A JavaScript function that calls a Python callable, which lives as long as the function.
pub fn make_from_python<'s>(scope: &Scope<'s>, host: HostFunction, name: &str) -> PyResult<Local<'s>> {
    let inner = scope.state.inner();
    let reused = inner.free_functions.borrow_mut().pop();
    let index = reused.unwrap_or_else(|| {
        inner.functions.borrow_mut().push(None);
        inner.functions.borrow().len() - 1
    });
    inner.functions.borrow_mut()[index] = Some(Rc::new(host));
    let function = make(scope, call_python, index as i32, name, 0)?;
    weak::watch(scope, function, move |state| {
        let inner = state.inner();
        let host = inner.functions.borrow_mut()[index].take();
        inner.free_functions.borrow_mut().push(index);
        state.let_go(host);
    });
    Ok(function)
}

/// Binds the host function `name`.
pub fn bind(state: &State, name: &str, function: HostFunction) -> PyResult<()> {
    let inner = state.inner();
    let index = inner.names.borrow().iter().position(|known| known == name);
    let index = index.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    let old = inner.functions.borrow_mut()[index].replace(Rc::new(function));
    drop(old);
    Ok(())
}

fn call(
    scope: &Scope<'_>,
    py: Python<'_>,
    function: Local<'_>,
    receiver: Option<Local<'_>>,
    args: &[Handle],
) -> PyResult<Py<PyAny>> {
    let receiver = match receiver {
        Some(receiver) => receiver.handle(),
        None => scope.handle_for(scope.state.inner().roots.get().undefined).handle(),
    };
    let context = scope.context.handle();
    let value = scope.evaluate(py, || {
        // SAFETY: the first handle is a function; `args` holds `args.len()` live handles.
        unsafe {
            (v8().function_call)(function.handle(), scope.isolate, context, receiver, args.len() as i32, args.as_ptr())
        }
    })?;
    to_python(scope, py, value)
}

#[pymethods]
impl JsFunction {
    /// Calls the function with `this` undefined.
    #[pyo3(signature = (*args))]
    fn __call__(this: PyRef<'_, Self>, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        this.as_super().0.enter(|scope, function| {
            let args = arguments(scope, args.as_borrowed())?;
            call(scope, py, function, None, &args)
        })
    }

    /// Calls the function with `receiver` as `this`.
    #[pyo3(signature = (receiver, *args))]
    fn call_with(
        this: PyRef<'_, Self>,
        py: Python<'_>,
        receiver: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<Py<PyAny>> {
        this.as_super().0.enter(|scope, function| {
            let receiver = to_js(scope, receiver)?;
            let args = arguments(scope, args.as_borrowed())?;
            call(scope, py, function, Some(receiver), &args)
        })
    }

    /// `new function(...args)`.
    #[pyo3(signature = (*args))]
    fn construct(this: PyRef<'_, Self>, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        this.as_super().0.enter(|scope, function| {
            let args = arguments(scope, args.as_borrowed())?;
            let context = scope.context.handle();
            let value = scope.evaluate(py, || {
                // SAFETY: as in `call`.
                unsafe { (v8().function_construct)(function.handle(), context, args.len() as i32, args.as_ptr()) }
            })?;
            to_python(scope, py, value)
        })
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<JsFunction>(module)
}
