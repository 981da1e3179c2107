//! Conversion of values between JavaScript and this library's functions: parameters from items, results to items.
//!
//! A function of this library is an ordinary one whose parameters implement `FromItem` and whose result implements
//! `IntoAnswer`; `functions!` creates a file's table of functions. A missing argument is equivalent to undefined.
use std::ffi::c_void;
use std::sync::OnceLock;

use crate::errors::Failure;
use rt_wire::crypto_calls::{self as calls, Host, Item};

pub type Outcome<T> = Result<T, Failure>;

/// The bytes of an argument, borrowed: JavaScript does not run while a function of this library has them.
pub type Bytes<'a> = &'a [u8];

/// Bytes, or the UTF-8 of a text.
pub struct Data<'a>(pub &'a [u8]);

/// The writable bytes of an argument.
pub struct Target<'a>(pub &'a mut [u8]);

/// All remaining arguments, each of them bytes.
pub struct Remaining<'a>(pub Vec<&'a [u8]>);

/// An object of the host: a JavaScript function, or an exception.
pub struct HostObject(pub *mut c_void);
// SAFETY: the host's objects may be kept and released on any thread.
unsafe impl Send for HostObject {}
// SAFETY: as above.
unsafe impl Sync for HostObject {}

static HOST: OnceLock<&'static Host> = OnceLock::new();

pub fn set_host(host: &'static Host) {
    let _ = HOST.set(host);
}

fn host() -> &'static Host {
    HOST.get().expect("the host has opened the library")
}

impl Drop for HostObject {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is released once.
        unsafe { (host().forget)(self.0) }
    }
}

impl HostObject {
    /// Calls the function on its engine's thread, from inside a call by the host.
    pub fn call(&self, arguments: &[Value]) -> Outcome<Value> {
        let mut items = Vec::new();
        for argument in arguments {
            items.push(argument.item().expect("an argument that is no list"));
        }
        let mut answer = CallResult::default();
        let sink = (&raw mut answer).cast::<c_void>();
        // SAFETY: the function is live; the arguments outlive the call; `gather` expects the sink that is passed here.
        let is_done = unsafe { (host().call)(self.0, items.as_ptr(), items.len(), sink, gather) };
        match (is_done, answer.value, answer.thrown) {
            (true, value, _) => Ok(value.unwrap_or(Value::Nothing)),
            (false, _, Some(thrown)) => Err(Failure::Thrown(thrown)),
            (false, ..) => Err(crate::errors::plain("the function has thrown")),
        }
    }
}

pub enum Value {
    Nothing,
    Boolean(bool),
    Number(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Record(Record),
}

/// Named values, in order.
#[derive(Default)]
pub struct Record(pub Vec<(String, Value)>);

impl Record {
    pub fn put(&mut self, name: impl Into<String>, value: impl IntoValue) {
        self.0.push((name.into(), value.into_value()));
    }
}

fn item(kind: u32, number: f64, bytes: &[u8]) -> Item {
    Item { kind, number, data: bytes.as_ptr().cast_mut().cast(), size: bytes.len() }
}

impl Value {
    /// The item of a value without parts.
    fn item(&self) -> Option<Item> {
        Some(match self {
            Value::Nothing => item(calls::NOTHING, 0.0, &[]),
            Value::Boolean(value) => item(calls::BOOLEAN, f64::from(u8::from(*value)), &[]),
            Value::Number(number) => item(calls::NUMBER, *number, &[]),
            Value::Text(text) => item(calls::TEXT, 0.0, text.as_bytes()),
            Value::Bytes(bytes) => item(calls::BYTES, 0.0, bytes),
            Value::List(_) | Value::Record(_) => return None,
        })
    }

    pub fn emit(&self, put: &mut dyn FnMut(&Item)) {
        let head = |kind, size| Item { kind, number: 0.0, data: std::ptr::null_mut(), size };
        match self {
            Value::List(values) => {
                put(&head(calls::LIST, values.len()));
                values.iter().for_each(|value| value.emit(put));
            }
            Value::Record(Record(pairs)) => {
                put(&head(calls::RECORD, pairs.len()));
                for (name, value) in pairs {
                    put(&item(calls::TEXT, 0.0, name.as_bytes()));
                    value.emit(put);
                }
            }
            value => value.item().iter().for_each(put),
        }
    }
}

/// The result of a JavaScript function: a value, or a list of values without parts.
#[derive(Default)]
struct CallResult {
    value: Option<Value>,
    /// How many values of the list are missing.
    missing: usize,
    thrown: Option<HostObject>,
}

unsafe extern "C" fn gather(sink: *mut c_void, item: &Item) {
    // SAFETY: `sink` is that of `HostObject::call`; the item's memory outlives this call.
    let (gathered, bytes) = unsafe { (&mut *sink.cast::<CallResult>(), bytes_of(item)) };
    let value = match item.kind {
        calls::BOOLEAN => Value::Boolean(item.number != 0.0),
        calls::NUMBER => Value::Number(item.number),
        calls::TEXT => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        calls::BYTES => Value::Bytes(bytes.to_vec()),
        calls::LIST => Value::List(Vec::new()),
        calls::THROWN => {
            gathered.thrown = Some(HostObject(item.data));
            return;
        }
        _ => Value::Nothing,
    };
    match &mut gathered.value {
        Some(Value::List(list)) if gathered.missing > 0 => {
            gathered.missing -= 1;
            list.push(value);
        }
        whole => {
            gathered.missing = item.size;
            *whole = Some(value);
        }
    }
}

/// The bytes of an item.
///
/// # Safety
/// They are valid for `'a` and not written meanwhile.
unsafe fn bytes_of<'a>(item: &Item) -> &'a [u8] {
    if item.data.is_null() || item.size == 0 || !matches!(item.kind, calls::TEXT | calls::BYTES) {
        return &[];
    }
    // SAFETY: guaranteed by the caller; the host passes their number.
    unsafe { std::slice::from_raw_parts(item.data.cast(), item.size) }
}

// --- Arguments.

/// Arguments, taken one after the other.
pub struct Arguments<'a>(pub &'a [Item]);

impl<'a> Arguments<'a> {
    fn next(&mut self) -> Option<&'a Item> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        (first.kind != calls::NOTHING).then_some(first)
    }
}

pub trait FromItem<'a>: Sized {
    /// None for an item of another kind.
    fn of(item: &'a Item) -> Option<Self>;
}

pub trait Parameter<'a>: Sized {
    fn take(arguments: &mut Arguments<'a>) -> Outcome<Self>;
}

fn wrong_kind() -> Failure {
    crate::errors::error("TypeError", "an argument of a function of the crypto library has the wrong type")
}

impl<'a, T: FromItem<'a>> Parameter<'a> for T {
    fn take(arguments: &mut Arguments<'a>) -> Outcome<T> {
        arguments.next().and_then(T::of).ok_or_else(wrong_kind)
    }
}

impl<'a, T: FromItem<'a>> Parameter<'a> for Option<T> {
    fn take(arguments: &mut Arguments<'a>) -> Outcome<Option<T>> {
        arguments.next().map(|item| T::of(item).ok_or_else(wrong_kind)).transpose()
    }
}

/// False if it is missing.
impl<'a> Parameter<'a> for bool {
    fn take(arguments: &mut Arguments<'a>) -> Outcome<bool> {
        Ok(arguments.next().is_some_and(|item| item.kind == calls::BOOLEAN && item.number != 0.0))
    }
}

impl<'a> Parameter<'a> for Remaining<'a> {
    fn take(arguments: &mut Arguments<'a>) -> Outcome<Remaining<'a>> {
        let all = std::mem::take(&mut arguments.0);
        all.iter().map(Bytes::of).collect::<Option<_>>().map(Remaining).ok_or_else(wrong_kind)
    }
}

impl<'a> FromItem<'a> for &'a [u8] {
    fn of(item: &'a Item) -> Option<Self> {
        // SAFETY: arguments outlive the call.
        (item.kind == calls::BYTES).then(|| unsafe { bytes_of(item) })
    }
}

impl<'a> FromItem<'a> for &'a str {
    fn of(item: &'a Item) -> Option<Self> {
        // SAFETY: as above.
        (item.kind == calls::TEXT).then(|| std::str::from_utf8(unsafe { bytes_of(item) }).ok()).flatten()
    }
}

impl<'a> FromItem<'a> for Data<'a> {
    fn of(item: &'a Item) -> Option<Self> {
        // SAFETY: as above.
        matches!(item.kind, calls::TEXT | calls::BYTES).then(|| Data(unsafe { bytes_of(item) }))
    }
}

impl<'a> FromItem<'a> for Target<'a> {
    fn of(item: &'a Item) -> Option<Self> {
        if item.kind != calls::BYTES {
            return None;
        }
        if item.data.is_null() || item.size == 0 {
            return Some(Target(&mut []));
        }
        // SAFETY: as above; JavaScript gives a function no other bytes that overlap those that it writes.
        Some(Target(unsafe { std::slice::from_raw_parts_mut(item.data.cast(), item.size) }))
    }
}

impl FromItem<'_> for HostObject {
    fn of(item: &Item) -> Option<Self> {
        (item.kind == calls::FUNCTION).then(|| HostObject(item.data))
    }
}

macro_rules! integers {
    ($($kind:ty),*) => {
        $(
            impl FromItem<'_> for $kind {
                fn of(item: &Item) -> Option<Self> {
                    let number = item.number;
                    let fits = number.trunc() == number && number >= <$kind>::MIN as f64 && number <= <$kind>::MAX as f64;
                    (item.kind == calls::NUMBER && fits).then_some(number as $kind)
                }
            }

            impl IntoValue for $kind {
                fn into_value(self) -> Value {
                    Value::Number(self as f64)
                }
            }
        )*
    };
}

integers!(i32, u32, i64, u64, usize);

// --- Results.

pub trait IntoValue {
    fn into_value(self) -> Value;
}

macro_rules! into_values {
    ($($given:ty: $value:ident => $made:expr;)*) => {
        $(impl IntoValue for $given {
            fn into_value(self) -> Value {
                let $value = self;
                $made
            }
        })*
    };
}

into_values! {
    Value: value => value;
    (): _nothing => Value::Nothing;
    bool: value => Value::Boolean(value);
    &str: text => Value::Text(text.to_owned());
    String: text => Value::Text(text);
    Vec<u8>: bytes => Value::Bytes(bytes);
    Record: record => Value::Record(record);
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Nothing, T::into_value)
    }
}

/// A list. Bytes are not a list, as 8-bit numbers are not values.
impl<T: IntoValue> IntoValue for Vec<T> {
    fn into_value(self) -> Value {
        Value::List(self.into_iter().map(T::into_value).collect())
    }
}

macro_rules! tuples {
    ($(($($name:ident),+))*) => {
        $(
            impl<$($name: IntoValue),+> IntoValue for ($($name,)+) {
                fn into_value(self) -> Value {
                    #[allow(non_snake_case)]
                    let ($($name,)+) = self;
                    Value::List(vec![$($name.into_value()),+])
                }
            }
        )*
    };
}

tuples!((A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E, F));

pub trait IntoAnswer {
    fn into_answer(self) -> Outcome<Value>;
}

impl<T: IntoValue> IntoAnswer for T {
    fn into_answer(self) -> Outcome<Value> {
        Ok(self.into_value())
    }
}

impl<T: IntoValue> IntoAnswer for Outcome<T> {
    fn into_answer(self) -> Outcome<Value> {
        self.map(T::into_value)
    }
}
