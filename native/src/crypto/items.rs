//! Conversion between JavaScript values and items of the library's wire format. A result is built of items in order,
//! either directly as JavaScript values (`JavaScriptMaker`) or, on the pool, as values outside JavaScript (`DetachedMaker`).
use std::ffi::c_void;

use crate::v8::{Global, Local, Plain, Scope, with_bytes};
use rt_wire::crypto_calls::{self as wire, Item, Put};

fn item(kind: u32, number: f64) -> Item {
    Item { kind, number, data: std::ptr::null_mut(), size: 0 }
}

fn item_of(kind: u32, bytes: &[u8]) -> Item {
    Item { kind, number: 0.0, data: bytes.as_ptr().cast_mut().cast(), size: bytes.len() }
}

/// The bytes of an item.
///
/// # Safety
/// They are valid for `'a`.
unsafe fn bytes_of<'a>(item: &Item) -> &'a [u8] {
    if item.data.is_null() || item.size == 0 {
        return &[];
    }
    // SAFETY: guaranteed by the caller; the library provides the length.
    unsafe { std::slice::from_raw_parts(item.data.cast(), item.size) }
}

fn into_raw(value: Global) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// The host's object behind an address.
///
/// # Safety
/// `into_raw` returned the address, which is used once.
unsafe fn take_raw(object: *mut c_void) -> Global {
    // SAFETY: guaranteed by the caller.
    *unsafe { Box::from_raw(object.cast::<Global>()) }
}

// --- From JavaScript.

/// The arguments of a call, with the copied data.
pub struct Arguments {
    items: Vec<Item>,
    owned: Vec<Vec<u8>>,
}

// SAFETY: `owned` holds everything that `copy` has added; borrowed data is used on its own thread only.
unsafe impl Send for Arguments {}

impl Arguments {
    /// No arguments yet, with room for `count`.
    pub fn new(count: usize) -> Arguments {
        Arguments { items: Vec::with_capacity(count), owned: Vec::with_capacity(count) }
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Adds a value; its bytes are borrowed and valid until JavaScript runs.
    pub fn lend(&mut self, scope: &Scope<'_>, value: Local<'_>) {
        let item = match scope.plain(value) {
            Plain::Other => with_bytes(value, |bytes| item_of(wire::BYTES, bytes)),
            _ => None,
        };
        match item {
            Some(bytes) => self.items.push(bytes),
            None => self.copy(scope, value),
        }
    }

    /// Adds a copy of a value.
    pub fn copy(&mut self, scope: &Scope<'_>, value: Local<'_>) {
        let item = match scope.plain(value) {
            Plain::Boolean(value) => item(wire::BOOLEAN, f64::from(u8::from(value))),
            Plain::Number(number) => item(wire::NUMBER, number),
            Plain::Text => self.own(wire::TEXT, scope.utf8(value)),
            Plain::Function => Item { data: into_raw(scope.keep(value)), ..item(wire::FUNCTION, 0.0) },
            Plain::Other => match scope.copy_bytes(value) {
                Some(bytes) => self.own(wire::BYTES, bytes),
                None => item(wire::LIST, 0.0), // no function accepts this
            },
            Plain::Array => item(wire::LIST, 0.0),
            Plain::Nothing => item(wire::NOTHING, 0.0),
        };
        self.items.push(item);
    }

    fn own(&mut self, kind: u32, bytes: Vec<u8>) -> Item {
        let item = item_of(kind, &bytes);
        self.owned.push(bytes);
        item
    }
}

// --- From the library.

/// Builds values from items.
pub trait Maker {
    type Value;

    /// The value of an item that is not a list or record; None if memory is exhausted.
    fn leaf(&self, item: &Item) -> Option<Self::Value>;
    /// The value of a list, or of a record with the names and values in `parts`.
    fn whole(&self, kind: u32, parts: Vec<Self::Value>) -> Self::Value;
}

/// Builds JavaScript values.
pub struct JavaScriptMaker<'a, 's>(pub &'a Scope<'s>);

impl<'s> Maker for JavaScriptMaker<'_, 's> {
    type Value = Local<'s>;

    fn leaf(&self, item: &Item) -> Option<Local<'s>> {
        let scope = self.0;
        // SAFETY: the item's memory is valid during the call; ownership of a thrown object is transferred.
        unsafe {
            match item.kind {
                wire::BOOLEAN => Some(scope.boolean(item.number != 0.0)),
                wire::NUMBER => Some(scope.number(item.number)),
                wire::TEXT => scope.text(bytes_of(item)),
                wire::BYTES => scope.bytes_of(bytes_of(item)),
                wire::THROWN => take_raw(item.data).in_scope(scope).ok(),
                _ => Some(scope.undefined()),
            }
        }
    }

    fn whole(&self, kind: u32, parts: Vec<Local<'s>>) -> Local<'s> {
        if kind == wire::LIST {
            return self.0.array(&parts);
        }
        let record = self.0.object();
        for pair in parts.chunks_exact(2) {
            self.0.put_named(record, pair[0], pair[1]);
        }
        record
    }
}

/// A value outside JavaScript.
pub enum Owned {
    Plain(f64, u32),
    Bytes(Vec<u8>, u32),
    Whole(Vec<Owned>, u32),
}

/// Builds such values.
pub struct DetachedMaker;

impl Maker for DetachedMaker {
    type Value = Owned;

    fn leaf(&self, item: &Item) -> Option<Owned> {
        Some(match item.kind {
            // SAFETY: the item's memory is valid during the call.
            wire::TEXT | wire::BYTES => Owned::Bytes(unsafe { bytes_of(item) }.to_vec(), item.kind),
            kind => Owned::Plain(item.number, kind),
        })
    }

    fn whole(&self, kind: u32, parts: Vec<Owned>) -> Owned {
        Owned::Whole(parts, kind)
    }
}

impl Owned {
    /// The value in JavaScript; None if memory is exhausted.
    pub fn to_js<'s>(&self, scope: &Scope<'s>) -> Option<Local<'s>> {
        match self {
            Owned::Plain(number, kind) => JavaScriptMaker(scope).leaf(&item(*kind, *number)),
            Owned::Bytes(bytes, kind) => JavaScriptMaker(scope).leaf(&item_of(*kind, bytes)),
            Owned::Whole(parts, kind) => {
                let parts = parts.iter().map(|part| part.to_js(scope)).collect::<Option<_>>()?;
                Some(JavaScriptMaker(scope).whole(*kind, parts))
            }
        }
    }
}

/// A list or record that still lacks some of its parts.
struct OpenList<T> {
    kind: u32,
    missing: usize,
    parts: Vec<T>,
}

/// A result under construction.
pub struct ResultBuilder<M: Maker> {
    maker: M,
    begun: Vec<OpenList<M::Value>>,
    value: Option<M::Value>,
    has_thrown: bool,
}

impl<M: Maker> ResultBuilder<M> {
    pub fn new(maker: M) -> Self {
        Self { maker, begun: Vec::new(), value: None, has_thrown: false }
    }

    /// The `sink` argument for `put`.
    pub fn sink(&mut self) -> *mut c_void {
        std::ptr::from_mut(self).cast()
    }

    /// The complete result; None if memory was exhausted.
    pub fn take(&mut self) -> Option<M::Value> {
        self.value.take()
    }

    /// Returns whether the result is a JavaScript exception.
    pub fn has_thrown(&self) -> bool {
        self.has_thrown
    }

    fn put(&mut self, item: &Item) {
        let parts = match item.kind {
            wire::LIST => item.size,
            wire::RECORD => 2 * item.size,
            _ => 0,
        };
        if parts > 0 {
            return self.begun.push(OpenList { kind: item.kind, missing: parts, parts: Vec::with_capacity(parts) });
        }
        self.has_thrown |= item.kind == wire::THROWN;
        let made = match item.kind {
            wire::LIST | wire::RECORD => Some(self.maker.whole(item.kind, Vec::new())),
            _ => self.maker.leaf(item),
        };
        let Some(mut value) = made else { return };
        while let Some(begun) = self.begun.last_mut() {
            begun.parts.push(value);
            begun.missing -= 1;
            if begun.missing > 0 {
                return;
            }
            let OpenList { kind, parts, .. } = self.begun.pop().expect("the last one");
            value = self.maker.whole(kind, parts);
        }
        self.value = Some(value);
    }
}

/// `put` for a `ResultBuilder<JavaScriptMaker>`.
pub unsafe extern "C" fn add_value(sink: *mut c_void, item: &Item) {
    // SAFETY: `sink` refers to such a value.
    unsafe { (*sink.cast::<ResultBuilder<JavaScriptMaker<'_, '_>>>()).put(item) }
}

/// `put` for a `ResultBuilder<DetachedMaker>`.
pub unsafe extern "C" fn add_detached(sink: *mut c_void, item: &Item) {
    // SAFETY: `sink` refers to such a value.
    unsafe { (*sink.cast::<ResultBuilder<DetachedMaker>>()).put(item) }
}

// --- Callbacks of the library.

/// Implements `Host::forget`.
pub unsafe extern "C" fn forget(object: *mut c_void) {
    // SAFETY: the library releases an object once.
    drop(unsafe { take_raw(object) });
}

/// Implements `Host::call`.
pub unsafe extern "C" fn call_function(
    function: *mut c_void,
    arguments: *const Item,
    count: usize,
    sink: *mut c_void,
    put: Put,
) -> bool {
    // SAFETY: the library owns the function; there are `count` arguments, which outlive the call.
    let (function, items) = unsafe { (&*function.cast::<Global>(), std::slice::from_raw_parts(arguments, count)) };
    // SAFETY: `put` accepts this `sink`.
    let put = |item: &Item| unsafe { put(sink, item) };
    let called = function.enter(|scope, function| {
        let values: Option<Vec<_>> = items.iter().map(|item| JavaScriptMaker(scope).leaf(item)).collect();
        let handles: Vec<_> = values.unwrap_or_default().iter().map(|value| value.handle()).collect();
        let answer = scope.call_caught(function, &handles);
        match &answer {
            Ok(value) => emit_value(scope, *value, &put),
            Err(thrown) => {
                let thrown = thrown.unwrap_or_else(|| scope.undefined());
                put(&Item { data: into_raw(scope.keep(thrown)), ..item(wire::THROWN, 0.0) });
            }
        }
        Ok(answer.is_ok())
    });
    called.unwrap_or(false)
}

/// Pass on JavaScript's result: a plain value, bytes, or an array of these.
fn emit_value(scope: &Scope<'_>, value: Local<'_>, put: &impl Fn(&Item)) {
    match scope.plain(value) {
        Plain::Array => {
            let parts = scope.elements(value);
            put(&Item { size: parts.len(), ..item(wire::LIST, 0.0) });
            for part in parts {
                let mut arguments = Arguments::new(1);
                arguments.copy(scope, part);
                arguments.items().iter().for_each(put);
            }
        }
        _ => {
            let mut arguments = Arguments::new(1);
            arguments.copy(scope, value);
            arguments.items().iter().for_each(put);
        }
    }
}
