//! Values of JavaScript as items of the library's wire, and back; an answer is made of items one after the other, right as
//! values of JavaScript (`Made`) or, on the pool, as values of its own (`Apart`).
use std::ffi::c_void;

use super::wire::{self, Item, Put};
use crate::v8::{Global, Local, Plain, Scope, with_bytes};

fn item(kind: u32, number: f64) -> Item {
    Item { kind, number, data: std::ptr::null_mut(), size: 0 }
}

fn item_of(kind: u32, bytes: &[u8]) -> Item {
    Item { kind, number: 0.0, data: bytes.as_ptr().cast_mut().cast(), size: bytes.len() }
}

/// The bytes of an item.
///
/// # Safety
/// They live through `'a`.
unsafe fn bytes_of<'a>(item: &Item) -> &'a [u8] {
    if item.data.is_null() || item.size == 0 {
        return &[];
    }
    // SAFETY: guaranteed by the caller; the library tells how many there are.
    unsafe { std::slice::from_raw_parts(item.data.cast(), item.size) }
}

fn boxed(value: Global) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// The host's object behind an address.
///
/// # Safety
/// `boxed` made it, and nobody else takes it.
unsafe fn unboxed(object: *mut c_void) -> Global {
    // SAFETY: guaranteed by the caller.
    *unsafe { Box::from_raw(object.cast::<Global>()) }
}

// --- from JavaScript

/// Arguments of a call, and what of them is copied.
#[derive(Default)]
pub struct Arguments {
    items: Vec<Item>,
    owned: Vec<Vec<u8>>,
}

// SAFETY: what `copy` has put in lies in `owned`; what is lent is used on its own thread.
unsafe impl Send for Arguments {}

impl Arguments {
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Add a value; bytes are lent while JavaScript does not run.
    pub fn lend(&mut self, scope: &Scope<'_>, value: Local<'_>) {
        let lent = match scope.plain(value) {
            Plain::Other => with_bytes(value, |bytes| item_of(wire::BYTES, bytes)),
            _ => None,
        };
        match lent {
            Some(bytes) => self.items.push(bytes),
            None => self.copy(scope, value),
        }
    }

    /// Add a copy of a value.
    pub fn copy(&mut self, scope: &Scope<'_>, value: Local<'_>) {
        let item = match scope.plain(value) {
            Plain::Boolean(value) => item(wire::BOOLEAN, f64::from(u8::from(value))),
            Plain::Number(number) => item(wire::NUMBER, number),
            Plain::Text => self.own(wire::TEXT, scope.utf8(value)),
            Plain::Function => Item { data: boxed(scope.keep(value)), ..item(wire::FUNCTION, 0.0) },
            Plain::Other => match scope.copied(value) {
                Some(bytes) => self.own(wire::BYTES, bytes),
                None => item(wire::LIST, 0.0), // which no function takes
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

// --- from the library

/// How values are made of items.
pub trait Maker {
    type Value;

    /// The value of an item that is no list and no record; None where there is no memory for it.
    fn leaf(&self, item: &Item) -> Option<Self::Value>;
    /// The value of a list, or of a record whose names and values are `parts`.
    fn whole(&self, kind: u32, parts: Vec<Self::Value>) -> Self::Value;
}

/// Makes values of JavaScript.
pub struct Made<'a, 's>(pub &'a Scope<'s>);

impl<'s> Maker for Made<'_, 's> {
    type Value = Local<'s>;

    fn leaf(&self, item: &Item) -> Option<Local<'s>> {
        let scope = self.0;
        // SAFETY: the item's memory lives while it is taken; an object that was thrown is ours.
        unsafe {
            match item.kind {
                wire::BOOLEAN => Some(scope.boolean(item.number != 0.0)),
                wire::NUMBER => Some(scope.number(item.number)),
                wire::TEXT => scope.text(bytes_of(item)),
                wire::BYTES => scope.bytes_of(bytes_of(item)),
                wire::THROWN => unboxed(item.data).in_scope(scope).ok(),
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

/// Makes such values.
pub struct Apart;

impl Maker for Apart {
    type Value = Owned;

    fn leaf(&self, item: &Item) -> Option<Owned> {
        Some(match item.kind {
            // SAFETY: the item's memory lives while it is taken.
            wire::TEXT | wire::BYTES => Owned::Bytes(unsafe { bytes_of(item) }.to_vec(), item.kind),
            kind => Owned::Plain(item.number, kind),
        })
    }

    fn whole(&self, kind: u32, parts: Vec<Owned>) -> Owned {
        Owned::Whole(parts, kind)
    }
}

impl Owned {
    /// The value in JavaScript; None where there is no memory for it.
    pub fn made<'s>(&self, scope: &Scope<'s>) -> Option<Local<'s>> {
        match self {
            Owned::Plain(number, kind) => Made(scope).leaf(&item(*kind, *number)),
            Owned::Bytes(bytes, kind) => Made(scope).leaf(&item_of(*kind, bytes)),
            Owned::Whole(parts, kind) => {
                let parts = parts.iter().map(|part| part.made(scope)).collect::<Option<_>>()?;
                Some(Made(scope).whole(*kind, parts))
            }
        }
    }
}

/// A list or record that waits for the rest of its parts.
struct Begun<T> {
    kind: u32,
    missing: usize,
    parts: Vec<T>,
}

/// An answer, as far as it has been told.
pub struct Gathered<M: Maker> {
    maker: M,
    begun: Vec<Begun<M::Value>>,
    value: Option<M::Value>,
    has_thrown: bool,
}

impl<M: Maker> Gathered<M> {
    pub fn new(maker: M) -> Self {
        Self { maker, begun: Vec::new(), value: None, has_thrown: false }
    }

    /// What `put` is given for this.
    pub fn sink(&mut self) -> *mut c_void {
        std::ptr::from_mut(self).cast()
    }

    /// The whole answer; None where there was no memory for it.
    pub fn take(&mut self) -> Option<M::Value> {
        self.value.take()
    }

    /// Whether the answer is what JavaScript has thrown.
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
            return self.begun.push(Begun { kind: item.kind, missing: parts, parts: Vec::with_capacity(parts) });
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
            let Begun { kind, parts, .. } = self.begun.pop().expect("the last one");
            value = self.maker.whole(kind, parts);
        }
        self.value = Some(value);
    }
}

/// Takes an item for a `Gathered<Made>`.
pub unsafe extern "C" fn put_made(sink: *mut c_void, item: &Item) {
    // SAFETY: that is what waits there.
    unsafe { (*sink.cast::<Gathered<Made<'_, '_>>>()).put(item) }
}

/// Takes an item for a `Gathered<Apart>`.
pub unsafe extern "C" fn put_apart(sink: *mut c_void, item: &Item) {
    // SAFETY: that is what waits there.
    unsafe { (*sink.cast::<Gathered<Apart>>()).put(item) }
}

// --- what the library calls

/// As `Host::forget`.
pub unsafe extern "C" fn forget(object: *mut c_void) {
    // SAFETY: the library gives an object back once.
    drop(unsafe { unboxed(object) });
}

/// As `Host::call`.
pub unsafe extern "C" fn call_function(
    function: *mut c_void,
    arguments: *const Item,
    count: usize,
    sink: *mut c_void,
    put: Put,
) -> bool {
    // SAFETY: the library holds the function; there are as many arguments as it tells, which live through the call.
    let (function, items) = unsafe { (&*function.cast::<Global>(), std::slice::from_raw_parts(arguments, count)) };
    // SAFETY: `put` takes what waits at `sink`.
    let put = |item: &Item| unsafe { put(sink, item) };
    let called = function.enter(|scope, function| {
        let values: Option<Vec<_>> = items.iter().map(|item| Made(scope).leaf(item)).collect();
        let handles: Vec<_> = values.unwrap_or_default().iter().map(|value| value.handle()).collect();
        let answer = scope.call_caught(function, &handles);
        match &answer {
            Ok(value) => tell(scope, *value, &put),
            Err(thrown) => {
                let thrown = thrown.unwrap_or_else(|| scope.undefined());
                put(&Item { data: boxed(scope.keep(thrown)), ..item(wire::THROWN, 0.0) });
            }
        }
        Ok(answer.is_ok())
    });
    called.unwrap_or(false)
}

/// Tell a value that JavaScript has answered: a plain one, bytes, or an array of such.
fn tell(scope: &Scope<'_>, value: Local<'_>, put: &impl Fn(&Item)) {
    match scope.plain(value) {
        Plain::Array => {
            let parts = scope.elements(value);
            put(&Item { size: parts.len(), ..item(wire::LIST, 0.0) });
            for part in parts {
                let mut told = Arguments::default();
                told.copy(scope, part);
                told.items().iter().for_each(put);
            }
        }
        _ => {
            let mut told = Arguments::default();
            told.copy(scope, value);
            told.items().iter().for_each(put);
        }
    }
}
