//! One call of a program: its paths, the work, and its result for JavaScript, at once or from the pool.
use std::ffi::CString;
use std::rc::Rc;

use super::failure::Failure;
use crate::event_loop::{Answer, Core, submit, with_core};
use crate::v8::{Call, CallbackInfo, Local, PinnedBytes, Scope};

pub type Outcome = Result<Value, Failure>;

/// The result of work, for JavaScript.
pub enum Value {
    Nothing,
    Flag(bool),
    Number(f64),
    Doubles(Vec<f64>),
    BigIntegers(Vec<i64>),
    Bytes(Vec<u8>),
    Text(Vec<u8>),
    /// File names as text or as bytes, and a small number for each if there are any.
    Names {
        names: Vec<Vec<u8>>,
        kinds: Option<Vec<u8>>,
        is_text: bool,
    },
    /// What was read into separate memory, and where it is copied to.
    Read {
        bytes: Vec<u8>,
        place: Option<crate::v8::Global>,
        offset: usize,
    },
}

impl Value {
    pub fn into_js<'s>(self, scope: &Scope<'s>) -> Local<'s> {
        let undefined = || scope.undefined();
        match self {
            Value::Nothing => undefined(),
            Value::Flag(flag) => scope.boolean(flag),
            Value::Number(number) => scope.number(number),
            Value::Doubles(numbers) => scope.doubles(&numbers).unwrap_or_else(undefined),
            Value::BigIntegers(numbers) => scope.big_integers(&numbers).unwrap_or_else(undefined),
            Value::Bytes(bytes) => bytes_to_js(scope, &bytes),
            Value::Text(bytes) => scope.text(&bytes).unwrap_or_else(undefined),
            Value::Names { names, kinds, is_text } => names_to_js(scope, &names, kinds.as_deref(), is_text),
            Value::Read { bytes, place, offset } => {
                let count = bytes.len() as f64;
                if let Some(place) = place.and_then(|place| place.in_scope(scope).ok()) {
                    scope.overwrite(place, offset, &bytes);
                }
                scope.number(count)
            }
        }
    }
}

fn bytes_to_js<'s>(scope: &Scope<'s>, bytes: &[u8]) -> Local<'s> {
    scope.bytes_of(bytes).unwrap_or_else(|| scope.undefined())
}

fn names_to_js<'s>(scope: &Scope<'s>, names: &[Vec<u8>], kinds: Option<&[u8]>, is_text: bool) -> Local<'s> {
    let name = |name: &Vec<u8>| match is_text {
        true => scope.text(name).unwrap_or_else(|| scope.undefined()),
        false => bytes_to_js(scope, name),
    };
    let list: Vec<_> = names.iter().map(name).collect();
    let list = scope.array(&list);
    match kinds {
        None => list,
        Some(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(|kind| scope.number(f64::from(*kind))).collect();
            scope.array(&[list, scope.array(&kinds)])
        }
    }
}

/// The arguments of a callback.
struct Done(Outcome);

impl Answer for Done {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>> {
        match self.0 {
            Ok(Value::Nothing) => vec![scope.null()],
            Ok(value) => vec![scope.null(), value.into_js(scope)],
            Err(failure) => vec![failure.to_js(scope)],
        }
    }
}

/// Runs `work` for the calling function, whose callback is argument number `callback`, if given.
pub fn perform(call: &Call<'_>, core: &Rc<Core>, callback: usize, work: impl FnOnce() -> Outcome + Send + 'static) {
    match call.function(callback) {
        None => answer(call, work()),
        Some(callback) => {
            if let Err(error) = submit(core, callback, move || Box::new(Done(work()))) {
                call.raise(error);
            }
        }
    }
}

pub fn answer(call: &Call<'_>, outcome: Outcome) {
    match outcome {
        Ok(Value::Nothing) => {}
        Ok(value) => call.answer(value.into_js(&call.scope)),
        Err(failure) => call.throw(failure.to_js(&call.scope)),
    }
}

/// Calls `callback` with an outcome that is already known.
pub fn complete(core: &Rc<Core>, callback: &crate::v8::Global, outcome: Outcome) -> pyo3::PyResult<()> {
    core.answer(callback, Box::new(Done(outcome)))
}

/// A function with one path: `name(path, number, callback)`.
pub fn on_path(info: &CallbackInfo, callback: usize, work: impl FnOnce(&CString, i64) -> Outcome + Send + 'static) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let number = if callback > 1 { call.integer(1) } else { 0 };
        perform(call, core, callback, move || work(&path, number));
    });
}

/// A function with two paths and an optional number.
pub fn on_two_paths(
    info: &CallbackInfo,
    callback: usize,
    work: impl FnOnce(&CString, &CString, i64) -> Outcome + Send + 'static,
) {
    with_core(info, |call, core| {
        let (Some(from), Some(to)) = (path(call, 0), path(call, 1)) else { return };
        let number = if callback > 2 { call.integer(2) } else { 0 };
        perform(call, core, callback, move || work(&from, &to, number));
    });
}

/// A function with a descriptor and an optional number.
pub fn on_descriptor(info: &CallbackInfo, callback: usize, work: impl FnOnce(i32, i64) -> Outcome + Send + 'static) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        let number = if callback > 1 { call.integer(1) } else { 0 };
        perform(call, core, callback, move || work(descriptor, number));
    });
}

/// The path at `index`, text or bytes. Throws for anything else, and for a NUL inside, which JavaScript has refused.
pub fn path(call: &Call<'_>, index: usize) -> Option<CString> {
    let bytes = match call.utf8(index) {
        Some(text) => Some(text),
        None => call.with_bytes(index, <[u8]>::to_vec),
    };
    let path = bytes.and_then(|bytes| CString::new(bytes).ok());
    if path.is_none() {
        call.throw_type_error("a path is needed");
    }
    path
}

/// A file by its path or its descriptor.
pub enum File {
    Path(CString),
    Descriptor(i32),
}

pub fn file(call: &Call<'_>, index: usize) -> Option<File> {
    match call.number(index) {
        Some(descriptor) => Some(File::Descriptor(descriptor as i32)),
        None => path(call, index).map(File::Path),
    }
}

/// The position to read or write at; none for the file's own.
pub fn position(call: &Call<'_>, index: usize) -> Option<u64> {
    call.number(index).filter(|position| *position >= 0.0).map(|position| position as u64)
}

/// Bytes to write: text, or the memory of a buffer.
pub enum Data {
    Text(Vec<u8>),
    PinnedBytes(PinnedBytes),
}

impl Data {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Data::Text(bytes) => bytes,
            Data::PinnedBytes(kept) => kept.bytes(),
        }
    }
}

pub fn data(call: &Call<'_>, index: usize) -> Option<Data> {
    if let Some(text) = call.utf8(index) {
        return Some(Data::Text(text));
    }
    let kept = call.keep_buffer(index).map(Data::PinnedBytes);
    let data = kept.or_else(|| call.with_bytes(index, |bytes| Data::Text(bytes.to_vec())));
    if data.is_none() {
        call.throw_type_error("text or a buffer is needed");
    }
    data
}
