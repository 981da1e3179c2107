//! What native functions outside this folder need of V8, safe to use: arguments read, values made, JavaScript called.
//!
//! Everything here works without the GIL. Bytes of buffers are lent only while no JavaScript can run; `Kept` holds on to
//! the memory itself, for work that goes on elsewhere.
use std::rc::Rc;

use pyo3::prelude::*;

use super::api::{Handle, v8};
use super::buffer::{self, Region};
use super::error;
use super::function::Call;
use super::layout::small_integer;
use super::scope::{Global, Local, Scope};
use super::share::Share;
use super::state::State;
use super::value::{literal, number_to_js, utf8_to_js};

/// What a host keeps beside an engine, found again from inside its callbacks.
impl State {
    pub fn keep_beside(&self, value: Rc<dyn std::any::Any>) {
        self.inner().beside.replace(Some(value));
    }

    pub fn beside<T: 'static>(&self) -> Option<Rc<T>> {
        self.inner().beside.borrow().clone()?.downcast::<T>().ok()
    }

    /// Have a byte written to `descriptor` when another thread posts a task of V8's for this one.
    pub fn wake_by(&self, descriptor: i32) {
        super::tasks::wake_by(self, descriptor);
    }

    /// The ms until a task of V8's is due: 0 where one waits, None where there is none.
    pub fn task_delay_ms(&self) -> Option<f64> {
        super::tasks::delay_ms(self)
    }
}

impl State {
    /// The tagged words of undefined, null, true and false.
    pub fn roots(&self) -> super::state::Roots {
        self.inner().roots.get()
    }

    /// What native addons keep beside an engine.
    pub fn addons(&self) -> Option<Rc<dyn std::any::Any>> {
        self.inner().addons.borrow().clone()
    }

    pub fn keep_addons(&self, addons: Rc<dyn std::any::Any>) {
        self.inner().addons.replace(Some(addons));
    }
}

impl<'s> Call<'s> {
    fn is(&self, index: usize, test: unsafe extern "C" fn(Handle) -> bool) -> bool {
        // SAFETY: a live handle; the tests only look.
        unsafe { test(self.argument(index).handle()) }
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
        // SAFETY: a live handle, tested to be a number.
        unsafe { (v8().is_number)(value.handle()).then(|| (v8().number_value)(value.handle())) }
    }

    /// The integer at `index`; zero for what is no number.
    pub fn integer(&self, index: usize) -> i64 {
        self.number(index).unwrap_or(0.0) as i64
    }

    /// The string at `index` as UTF-8, lone surrogates as U+FFFD.
    pub fn utf8(&self, index: usize) -> Option<Vec<u8>> {
        self.is_string(index).then(|| self.scope.utf8(self.argument(index)))
    }

    /// The function at `index`, kept for later.
    pub fn function(&self, index: usize) -> Option<Global> {
        (index < self.len() && self.is(index, v8().is_function)).then(|| self.scope.keep(self.argument(index)))
    }

    /// Lend the bytes of the buffer at `index`.
    pub fn with_bytes<R>(&self, index: usize, work: impl FnOnce(&[u8]) -> R) -> Option<R> {
        buffer::with_bytes(self.argument(index), work)
    }

    /// Lend the bytes of the buffer at `index` to be written.
    pub fn with_bytes_mut<R>(&self, index: usize, work: impl FnOnce(&mut [u8]) -> R) -> Option<R> {
        let region = buffer::region(self.argument(index))?;
        if region.length == 0 {
            return Some(work(&mut []));
        }
        // SAFETY: the memory stays where it is while no JavaScript runs, and V8 reports its length; see `with_bytes`.
        Some(work(unsafe { std::slice::from_raw_parts_mut(region.data, region.length) }))
    }

    /// The memory of the buffer at `index`, held on to. None for what is no buffer, and for one that can be resized.
    pub fn kept(&self, index: usize) -> Option<Kept> {
        Kept::of(self.argument(index))
    }

    /// Throw `value`; V8 sees it when the callback returns.
    pub fn throw(&self, value: Local<'_>) {
        // SAFETY: V8 is calling, so an exception may be scheduled; the handle is live.
        unsafe { (v8().throw)(self.scope.isolate, value.handle()) };
    }

    /// Throw the JavaScript value that stands for `error`.
    pub fn raise(&self, error: PyErr) {
        Python::attach(|py| error::throw(&self.scope, py, error));
    }

    pub fn answer_number(&self, number: f64) {
        self.answer(self.scope.number(number));
    }
}

impl<'s> Scope<'s> {
    pub fn keep(&self, value: Local<'_>) -> Global {
        Global::new(self, value)
    }

    pub fn undefined(&self) -> Local<'s> {
        self.handle_for(self.state.inner().roots.get().undefined)
    }

    pub fn null(&self) -> Local<'s> {
        self.handle_for(self.state.inner().roots.get().null)
    }

    pub fn boolean(&self, value: bool) -> Local<'s> {
        let roots = self.state.inner().roots.get();
        self.handle_for(if value { roots.yes } else { roots.no })
    }

    pub fn number(&self, number: f64) -> Local<'s> {
        number_to_js(self, number)
    }

    /// A string of UTF-8 bytes, invalid sequences as U+FFFD; None where it is too long for V8.
    pub fn text(&self, bytes: &[u8]) -> Option<Local<'s>> {
        utf8_to_js(self, bytes, 0).ok()
    }

    /// The bytes of a string, lone surrogates as U+FFFD.
    pub fn utf8(&self, text: Local<'_>) -> Vec<u8> {
        const REPLACE_INVALID: i32 = 2;
        // SAFETY: a live string (callers test), and a buffer of as many bytes as V8 says the string takes.
        unsafe {
            let size = (v8().string_utf8_length)(text.handle(), self.isolate);
            let mut bytes = Vec::with_capacity(size);
            let null = std::ptr::null_mut();
            (v8().string_write_utf8)(text.handle(), self.isolate, bytes.as_mut_ptr(), size, REPLACE_INVALID, null);
            bytes.set_len(size);
            bytes
        }
    }

    pub fn array(&self, items: &[Local<'_>]) -> Local<'s> {
        let handles: Vec<Handle> = items.iter().map(|item| item.handle()).collect();
        // SAFETY: the handles are live, and V8 copies them.
        unsafe { self.local((v8().array_new)(self.isolate, handles.as_ptr(), handles.len())) }.expect("an array")
    }

    /// The elements of an array; none for anything else.
    pub fn elements(&self, array: Local<'_>) -> Vec<Local<'s>> {
        // SAFETY: a live handle, tested to be an array; a getter that throws gives no element.
        unsafe {
            if !(v8().is_array)(array.handle()) {
                return Vec::new();
            }
            let get = |index| self.local((v8().object_get_index)(array.handle(), self.context.handle(), index));
            (0..(v8().array_length)(array.handle())).filter_map(get).collect()
        }
    }

    /// A Uint8Array of at most `size` bytes: of as many as `fill` says it has written.
    pub fn bytes(&self, size: usize, fill: impl FnOnce(&mut [u8]) -> usize) -> Option<Local<'s>> {
        let (array, data) = buffer::new_uint8_array(self, size)?;
        if size == 0 {
            fill(&mut []);
            return Some(array);
        }
        // SAFETY: the array has `size` bytes of V8's own memory, which nobody else has yet.
        let written = fill(unsafe { std::slice::from_raw_parts_mut(data, size) });
        if written >= size {
            return Some(array);
        }
        // SAFETY: a live array; the view lies inside its buffer.
        unsafe { self.local((v8().uint8_array_new)((v8().view_buffer)(array.handle()), 0, written)) }
    }

    /// The value of a number; zero for anything else.
    pub fn double(&self, value: Local<'_>) -> f64 {
        if let Some(small) = small_integer(value.word()) {
            return small.into();
        }
        // SAFETY: a live handle, tested to be a number.
        unsafe { if (v8().is_number)(value.handle()) { (v8().number_value)(value.handle()) } else { 0.0 } }
    }

    /// A copy of the bytes of a buffer.
    pub fn copied(&self, value: Local<'_>) -> Option<Vec<u8>> {
        buffer::with_bytes(value, <[u8]>::to_vec)
    }

    /// Copy `bytes` into a buffer at `offset`, as far as they fit.
    pub fn overwrite(&self, buffer: Local<'_>, offset: usize, bytes: &[u8]) {
        let Some(region) = buffer::region(buffer) else { return };
        let count = bytes.len().min(region.length.saturating_sub(offset));
        if count > 0 {
            // SAFETY: the range lies inside the buffer, whose memory stays where it is while no JavaScript runs.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), region.data.add(offset), count) };
        }
    }

    /// A Float64Array.
    pub fn doubles(&self, values: &[f64]) -> Option<Local<'s>> {
        let size = values.len() * 8;
        let (array, data) = buffer::new_uint8_array(self, size)?;
        // SAFETY: the array has the room; its buffer is fresh, and views of whole elements fit it.
        unsafe {
            std::ptr::copy_nonoverlapping(values.as_ptr().cast(), data, size);
            self.local((v8().float64_array_new)((v8().view_buffer)(array.handle()), 0, values.len()))
        }
    }

    /// A BigInt64Array.
    pub fn big_integers(&self, values: &[i64]) -> Option<Local<'s>> {
        let size = values.len() * 8;
        let (array, data) = buffer::new_uint8_array(self, size)?;
        // SAFETY: as above.
        unsafe {
            std::ptr::copy_nonoverlapping(values.as_ptr().cast(), data, size);
            self.local((v8().big_int64_array_new)((v8().view_buffer)(array.handle()), 0, values.len()))
        }
    }

    /// `new Error(message)`.
    pub fn error(&self, message: &str) -> Local<'s> {
        let text = self.text(message.as_bytes()).unwrap_or_else(|| literal(self, "error"));
        // SAFETY: a live string.
        unsafe { self.local((v8().error_new)(text.handle(), std::ptr::null_mut())) }.expect("an error")
    }

    /// Define an own property of a fresh object.
    pub fn put(&self, object: Local<'_>, name: &str, value: Local<'_>) {
        let name = literal(self, name).handle();
        // SAFETY: live handles; a data property of a fresh object is defined without running JavaScript.
        unsafe { (v8().object_create_property)(object.handle(), self.context.handle(), name, value.handle()) };
    }

    /// Whether a promise is settled; None for what is no promise.
    pub fn is_settled(&self, promise: Local<'_>) -> Option<bool> {
        // SAFETY: a live handle, tested to be a promise.
        unsafe { (v8().is_promise)(promise.handle()).then(|| (v8().promise_state)(promise.handle()) != 0) }
    }

    /// Call a function with `this` undefined. What it throws comes back as the Python exception it stands for.
    pub fn call(&self, function: Local<'_>, arguments: &[Handle]) -> PyResult<Local<'s>> {
        let (context, receiver) = (self.context.handle(), self.undefined().handle());
        self.evaluate_detached(|| {
            let (count, first) = (arguments.len() as i32, arguments.as_ptr());
            // SAFETY: the first handle is a function; V8 reads as many live handles as it is told.
            unsafe { (v8().function_call)(function.handle(), self.isolate, context, receiver, count, first) }
        })
    }

    /// Whether V8's own threads are at work for this engine.
    pub fn has_background_work(&self) -> bool {
        // SAFETY: the scope proves the isolate current.
        unsafe { (v8().has_pending_background_tasks)(self.isolate) }
    }

    /// The property `name` of an object of rt's own.
    pub fn get(&self, object: Local<'_>, name: &str) -> PyResult<Local<'s>> {
        let (key, context) = (literal(self, name).handle(), self.context.handle());
        // SAFETY: live handles.
        self.evaluate_detached(|| unsafe { (v8().object_get)(object.handle(), context, key) })
    }
}

/// The memory of a buffer, which lives as long as this does, whatever JavaScript does with the buffer meanwhile.
pub struct Kept {
    data: *mut u8,
    length: usize,
    _share: Share,
}

// SAFETY: the memory is the buffer's, shared with JavaScript as Node shares it with its own threads: a program that
// writes to what is being written out, or reads what is being read into, sees a mixture, and nothing else breaks.
unsafe impl Send for Kept {}

impl Kept {
    pub fn of(value: Local<'_>) -> Option<Kept> {
        let Region { data, length, buffer, is_shared } = buffer::region(value)?;
        // SAFETY: a live buffer of the kind that each function asks for; the share is given back by `Share`.
        let store = unsafe {
            if is_shared {
                (v8().shared_array_buffer_store)(buffer)
            } else if (v8().array_buffer_is_resizable)(buffer) {
                return None; // its pages go away when it shrinks
            } else {
                (v8().array_buffer_store)(buffer)
            }
        };
        // SAFETY: V8 returned the share to us.
        Some(Kept { data, length, _share: unsafe { Share::new(store) } })
    }

    pub fn bytes(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the share keeps the memory; see above for who else writes there.
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

/// Run the microtasks that are queued, and those that they queue; from inside a callback.
pub fn run_microtasks(call: &Call<'_>) {
    let inner = call.scope.state.inner();
    inner.depth.set(inner.depth.get() + 1);
    // SAFETY: the scope proves the isolate current.
    unsafe { (v8().run_microtasks)(call.scope.isolate) };
    inner.depth.set(inner.depth.get() - 1);
    if inner.depth.get() == 1 {
        // SAFETY: as above.
        unsafe { (v8().clear_kept_objects)(call.scope.isolate) }; // what WeakRefs kept alive through this turn
    }
    if inner.is_terminating.get() {
        // SAFETY: safe from anywhere. The termination that a microtask asked for has to reach the frames above, too.
        unsafe { (v8().terminate)(call.scope.isolate) };
    }
}
