//! A safe interface for native functions outside the binding: reading arguments, throwing, answering.
//!
//! Everything here works without the GIL. Bytes of buffers are lent only while no JavaScript can run; `PinnedBytes` owns a
//! share of the memory, for work that continues elsewhere.
use std::ffi::CString;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::interpreter;

use super::buffer::{self, Region};
use super::error;
use super::function::{Call, HostOperation};
use super::scope::{Global, Local};
use super::state::State;
use crate::v8::api::layout::small_integer;
use crate::v8::api::share::Share;
use crate::v8::api::{Handle, v8};

/// A host's state of an engine, for use in callbacks.
impl State {
    pub fn keep_beside(&self, value: Rc<dyn std::any::Any>) {
        self.inner().beside.replace(Some(value));
    }

    pub fn beside<T: 'static>(&self) -> Option<Rc<T>> {
        self.inner().beside.borrow().clone()?.downcast::<T>().ok()
    }

    pub fn keep_program(&self, program: Rc<dyn std::any::Any>) {
        self.inner().program.replace(Some(program));
    }

    /// The program that runs in the engine. To be called on the engine's thread.
    pub fn program<T: 'static>(&self) -> Option<Rc<T>> {
        self.inner().program.borrow().clone()?.downcast::<T>().ok()
    }

    /// Stores the loaded texts, whose source maps give original positions.
    pub fn keep_texts(&self, texts: Arc<dyn std::any::Any + Send + Sync>) {
        self.inner().texts.replace(Some(texts));
    }

    pub fn texts<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.inner().texts.borrow().clone()?.downcast::<T>().ok()
    }

    /// Writes a byte to `descriptor` when another thread posts a V8 task for this one.
    pub fn wake_by(&self, descriptor: i32) {
        super::tasks::wake_by(self, descriptor);
    }

    /// Fill in each `import.meta` with `fill`, unless Python has set a hook.
    pub fn set_native_import_meta(&self, fill: super::inner::ImportMeta) {
        self.inner().native_import_meta.replace(Some(fill));
    }

    /// Uses `offered` for the host functions of these names, before Python.
    pub fn offer(&self, offered: &[(&str, HostOperation)]) {
        let inner = self.inner();
        let mut operations = inner.operations.borrow_mut();
        for (name, operation) in offered {
            if let Some(place) = inner.names.borrow().iter().position(|each| each == name) {
                operations[place] = Some(*operation);
            }
        }
    }

    /// Returns whether the running JavaScript is being terminated.
    pub fn is_ending(&self) -> bool {
        self.inner().is_terminating.get()
    }

    /// Answer each `import()` with `answer`, unless Python has set a hook.
    pub fn set_native_import(&self, answer: super::inner::NativeImport) {
        self.inner().native_import.replace(Some(answer));
    }

    /// The exit status with which the program ended itself without Python.
    pub fn exited(&self) -> Option<i32> {
        self.inner().exited.get()
    }

    /// The ms until a V8 task is due: 0 if one is waiting, None if there is none.
    pub fn task_delay_ms(&self) -> Option<f64> {
        super::tasks::delay_ms(self)
    }
}

impl State {
    /// The tagged words of undefined, null, true and false.
    pub fn roots(&self) -> super::inner::Roots {
        self.inner().roots.get()
    }

    /// The data of native addons.
    pub fn addons(&self) -> Option<Rc<dyn std::any::Any>> {
        self.inner().addons.borrow().clone()
    }

    pub fn keep_addons(&self, addons: Rc<dyn std::any::Any>) {
        self.inner().addons.replace(Some(addons));
    }
}

impl<'s> Call<'s> {
    /// Applies one of V8's type tests to an argument.
    pub fn is(&self, index: usize, test: unsafe extern "C" fn(Handle) -> bool) -> bool {
        // SAFETY: the handle is live; the test has no side effects.
        unsafe { test(self.argument(index).handle()) }
    }

    pub fn is_undefined(&self, index: usize) -> bool {
        self.argument(index).word() == self.scope.state.inner().roots.get().undefined
    }

    pub fn is_string(&self, index: usize) -> bool {
        self.is(index, v8().is_string)
    }

    pub fn is_true(&self, index: usize) -> bool {
        self.argument(index).word() == self.scope.state.inner().roots.get().yes
    }

    /// The number at `index`, if it is one.
    pub fn number(&self, index: usize) -> Option<f64> {
        let value = self.argument(index);
        if let Some(small) = small_integer(value.word()) {
            return Some(small.into());
        }
        // SAFETY: the handle is live and was tested to be a number.
        unsafe { (v8().is_number)(value.handle()).then(|| (v8().number_value)(value.handle())) }
    }

    /// The integer at `index`; zero if it is not a number.
    pub fn integer(&self, index: usize) -> i64 {
        self.number(index).unwrap_or(0.0) as i64
    }

    /// The string at `index` as UTF-8, with lone surrogates as U+FFFD.
    pub fn utf8(&self, index: usize) -> Option<Vec<u8>> {
        self.is_string(index).then(|| self.scope.utf8(self.argument(index)))
    }

    /// The same as a C string, up to the first NUL.
    pub fn c_text(&self, index: usize) -> Option<CString> {
        let mut text = self.utf8(index)?;
        text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
        CString::new(text).ok()
    }

    /// The string at `index`, exactly; None if it has lone surrogates, or U+FFFD, which stands for them.
    pub fn exact_text(&self, index: usize) -> Option<String> {
        self.is_string(index).then(|| self.scope.exact_text(self.argument(index))).flatten()
    }

    /// The function at `index`, as a persistent handle.
    pub fn function(&self, index: usize) -> Option<Global> {
        (index < self.len() && self.is(index, v8().is_function)).then(|| self.scope.keep(self.argument(index)))
    }

    /// Lend the bytes of the buffer at `index`.
    pub fn with_bytes<R>(&self, index: usize, work: impl FnOnce(&[u8]) -> R) -> Option<R> {
        buffer::with_bytes(self.argument(index), work)
    }

    /// Lend the bytes of the buffer at `index` for writing.
    pub fn with_bytes_mut<R>(&self, index: usize, work: impl FnOnce(&mut [u8]) -> R) -> Option<R> {
        let region = buffer::region(self.argument(index))?;
        if region.length == 0 {
            return Some(work(&mut []));
        }
        // SAFETY: the memory does not move while no JavaScript runs, and V8 reports its length; see `with_bytes`.
        Some(work(unsafe { std::slice::from_raw_parts_mut(region.data, region.length) }))
    }

    /// A share of the memory of the buffer at `index`. None if it is not a buffer or is resizable.
    pub fn keep_buffer(&self, index: usize) -> Option<PinnedBytes> {
        PinnedBytes::of(self.argument(index))
    }

    /// Throws `value`; V8 sees it when the callback returns.
    pub fn throw(&self, value: Local<'_>) {
        // SAFETY: V8 is calling, so an exception may be scheduled; the handle is live.
        unsafe { (v8().throw)(self.scope.isolate, value.handle()) };
    }

    /// Throws the JavaScript value for `error`.
    pub fn raise(&self, error: PyErr) {
        interpreter::attach(|py| error::throw(&self.scope, py, error));
    }

    /// Terminates the program's JavaScript with an exception that it cannot catch.
    pub fn end(&self, error: PyErr) {
        error::end(&self.scope, error);
    }

    pub fn answer_list(&self, items: &[Local<'_>]) {
        self.answer(self.scope.array(items));
    }

    pub fn answer_number(&self, number: f64) {
        self.answer(self.scope.number(number));
    }
}

/// The memory of a buffer, which lives as long as this value, whatever JavaScript does with the buffer.
pub struct PinnedBytes {
    data: *mut u8,
    length: usize,
    _share: Share,
}

// SAFETY: JavaScript and other threads share the memory, as in Node: a program that writes to bytes being written out,
// or reads bytes being filled, sees a mixture, with no other effect.
unsafe impl Send for PinnedBytes {}

impl PinnedBytes {
    pub fn of(value: Local<'_>) -> Option<PinnedBytes> {
        let Region { data, length, buffer, is_shared } = buffer::region(value)?;
        // SAFETY: the buffer is live and of the type that each function takes; `Share` releases the share.
        let store = unsafe {
            if is_shared {
                (v8().shared_array_buffer_store)(buffer)
            } else if (v8().array_buffer_is_resizable)(buffer) {
                return None; // shrinking unmaps its pages
            } else {
                (v8().array_buffer_store)(buffer)
            }
        };
        // SAFETY: V8 transferred the share to this function.
        Some(PinnedBytes { data, length, _share: unsafe { Share::new(store) } })
    }

    pub fn bytes(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the share keeps the memory alive; concurrent writes are as described for `Send`.
        unsafe { std::slice::from_raw_parts(self.data, self.length) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.length) }
    }
}

/// Runs the queued microtasks, and those that they queue, from inside a callback.
pub fn run_microtasks(call: &Call<'_>) {
    let inner = call.scope.state.inner();
    inner.depth.set(inner.depth.get() + 1);
    // SAFETY: the scope proves the isolate current.
    unsafe { (v8().run_microtasks)(call.scope.isolate) };
    inner.depth.set(inner.depth.get() - 1);
    if inner.depth.get() == 1 {
        // SAFETY: as above.
        unsafe { (v8().clear_kept_objects)(call.scope.isolate) }; // what WeakRefs kept alive during this turn
    }
    if inner.is_terminating.get() {
        // SAFETY: allowed at any time. A termination requested by a microtask must reach the frames above too.
        unsafe { (v8().terminate)(call.scope.isolate) };
    }
}
