//! References, and the finalizers of collected objects and ended environments.
//!
//! A `napi_ref` is a number, not a pointer: an index and the count of its previous uses, which distinguishes dead
//! references from live ones. Finalizers run from the loop after the collection of their object. Those of addons built
//! with experimental features (`node_api_basic_finalize`) run inside the collection, as in Node.
use std::cell::{Cell, RefCell};
use std::ffi::c_void;

use crate::v8::api::layout::WeakCallbackInfo;
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, Isolate, Raw, v8};

use super::engine::Addons;
use super::env::{Env, api, check, place, require, store};
use super::types::{Data, EXPERIMENTAL, Finalize, Status, Value};

/// An index in the table, and the count of its previous uses.
pub type Id = u64;

const BY_PARAMETER: i32 = 0;

pub struct Reference {
    pub env: &'static Env,
    /// A persistent handle; null if the object no longer exists or never existed.
    handle: Handle,
    count: u32,
    can_be_weak: bool,
    /// Whether the addon deletes the reference; otherwise it is deleted with its object.
    is_addons: bool,
    finalize: Option<Finalize>,
    pub data: Data,
    hint: Data,
    /// The order in which references were created.
    number: usize,
    is_due: bool,
}

impl Reference {
    /// Returns whether this reference refers to the object of a live handle.
    pub fn is_of(&self, value: Handle) -> bool {
        // SAFETY: both slots are live.
        !self.handle.is_null() && unsafe { *self.handle as u32 == *value as u32 }
    }
}

#[derive(Default)]
struct Place {
    uses: u32,
    reference: Option<Box<Reference>>,
}

#[derive(Default)]
pub struct References {
    places: RefCell<Vec<Place>>,
    free: RefCell<Vec<u32>>,
    due: RefCell<Vec<Id>>,
    is_scheduled: Cell<bool>,
}

/// The properties of a new reference.
pub struct ReferenceOptions {
    pub count: u32,
    pub is_addons: bool,
    pub finalize: Option<Finalize>,
    pub data: Data,
    pub hint: Data,
}

impl References {
    fn insert(&self, reference: Box<Reference>) -> Id {
        let free = self.free.borrow_mut().pop();
        let mut places = self.places.borrow_mut();
        let index = free.unwrap_or_else(|| {
            places.push(Place { uses: 1, reference: None });
            places.len() as u32 - 1
        });
        let place = &mut places[index as usize];
        place.reference = Some(reference);
        id_of(place.uses, index)
    }

    /// Removes a reference; the caller releases its handle.
    fn take(&self, id: Id) -> Option<Box<Reference>> {
        let index = id as u32;
        let mut places = self.places.borrow_mut();
        let place = places.get_mut(index as usize).filter(|place| place.uses == uses_of(id))?;
        let reference = place.reference.take()?;
        place.uses = place.uses.wrapping_add(1).max(1);
        self.free.borrow_mut().push(index);
        Some(reference)
    }

    pub fn with<R>(&self, id: Id, work: impl FnOnce(&mut Reference) -> R) -> Option<R> {
        let mut places = self.places.borrow_mut();
        let place = places.get_mut(id as u32 as usize).filter(|place| place.uses == uses_of(id))?;
        place.reference.as_deref_mut().map(work)
    }

    /// The present id at `index`.
    pub fn at(&self, index: u32) -> Option<Id> {
        let places = self.places.borrow();
        let place = places.get(index as usize)?;
        place.reference.as_ref().map(|_| id_of(place.uses, index))
    }
}

fn id_of(uses: u32, index: u32) -> Id {
    u64::from(uses) << 32 | u64::from(index)
}

fn uses_of(id: Id) -> u32 {
    (id >> 32) as u32
}

/// Creates a reference to `value`; null creates one to nothing, for its finalizer.
///
/// # Safety
/// An addon is running; the handle is null or live.
pub unsafe fn make(env: &'static Env, value: Handle, wanted: ReferenceOptions) -> Id {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let is_weak_kind = !value.is_null() && ((v8().is_object)(value) || (v8().is_symbol)(value));
        let handle = if value.is_null() { value } else { (v8().global_new)(env.isolate, *value) };
        let ReferenceOptions { count, is_addons, finalize, data, hint } = wanted;
        let number = env.addons.next_number();
        let can_be_weak = is_weak_kind;
        let reference =
            Reference { env, handle, count, can_be_weak, is_addons, finalize, data, hint, number, is_due: false };
        let id = env.addons.references.insert(Box::new(reference));
        if count == 0 && !handle.is_null() {
            weaken(env, id, handle, can_be_weak);
        }
        id
    }
}

unsafe fn weaken(env: &Env, id: Id, handle: Handle, can_be_weak: bool) {
    // SAFETY: the persistent handle is live; the callback has V8's signature; the parameter is a number.
    unsafe {
        if can_be_weak {
            (v8().global_make_weak)(handle, id as Raw, on_collected as Raw, BY_PARAMETER);
        } else {
            (v8().global_dispose)(handle);
            env.addons.references.with(id, |reference| reference.handle = std::ptr::null_mut());
        }
    }
}

/// V8's weak callback, inside the collector: changes tables only.
unsafe extern "C" fn on_collected(info: &WeakCallbackInfo) {
    let id = info.parameter as Id;
    // SAFETY: V8 passes a live isolate of this thread.
    let state = unsafe { crate::v8::State::of(info.isolate as Isolate) };
    let Some(addons) = Addons::find(state) else { return };
    let found = addons.references.with(id, |reference| {
        let handle = std::mem::replace(&mut reference.handle, std::ptr::null_mut());
        // SAFETY: V8 requires the release in this call.
        unsafe { (v8().global_dispose)(handle) };
        (reference.finalize.is_some(), reference.is_addons, reference.env)
    });
    match found {
        Some((true, _, env)) if env.api_version == EXPERIMENTAL => {
            env.while_collecting(|| finalize_by(&addons, id, |_, call, words| run_last(call, words)));
        }
        Some((true, ..)) => enqueue(&addons, id),
        Some((false, false, _)) => drop(addons.references.take(id)),
        Some((false, true, _)) | None => {}
    }
}

/// Calls a finalizer whose exceptions nothing can catch; C++ exceptions are printed.
pub fn run_last(call: Finalize, words: [usize; 4]) {
    // SAFETY: the addon provided the function with these arguments.
    if let Err(text) = unsafe { super::thrown::attempt(call as Raw, words) } {
        eprintln!("warn: {text}");
    }
}

/// Calls the finalizer of a reference in the loop's next turn.
pub fn enqueue(addons: &Addons, id: Id) {
    addons.references.with(id, |reference| reference.is_due = true);
    addons.references.due.borrow_mut().push(id);
    if addons.is_ending.get() || addons.references.is_scheduled.replace(true) {
        return;
    }
    addons.later({
        let state = addons.state.clone();
        move || {
            if let Some(addons) = Addons::find(&state) {
                drain(&addons);
            }
        }
    });
}

/// Calls the due finalizers. If one throws, the exception ends this task, and the others run in the next turn.
fn drain(addons: &Addons) {
    addons.references.is_scheduled.set(false);
    let mut due = addons.references.due.take().into_iter();
    while let Some(id) = due.next() {
        let Some(env) = addons.references.with(id, |reference| reference.env) else { continue };
        let has_thrown = addons.with_scope(env, || {
            let ((), exception) = env.enter(|_| finalize(addons, id));
            // SAFETY: a task runs inside a V8 callback, so an exception may be scheduled.
            exception.map(|exception| unsafe { (v8().throw)(env.isolate, exception.handle()) }).is_some()
        });
        if has_thrown {
            for id in due {
                enqueue(addons, id);
            }
            return;
        }
    }
}

impl Addons {
    /// Runs `work` in a handle scope.
    fn with_scope<R>(&self, env: &Env, work: impl FnOnce() -> R) -> R {
        env.scope().nested(|_| work())
    }
}

/// Calls a reference's finalizer, once, and deletes the reference unless its addon owns it.
pub fn finalize(addons: &Addons, id: Id) {
    finalize_by(addons, id, |env, call, words| {
        // SAFETY: the addon provided the function with these arguments.
        unsafe { super::thrown::call(env, call as Raw, words) };
    });
}

fn finalize_by(addons: &Addons, id: Id, run: impl FnOnce(&Env, Finalize, [usize; 4])) {
    let previous = addons.references.with(id, |reference| {
        let handle = std::mem::replace(&mut reference.handle, std::ptr::null_mut());
        let call = reference.finalize.take();
        (handle, call, reference.env, reference.data, reference.hint, reference.is_addons)
    });
    let Some((handle, call, env, data, hint, is_addons)) = previous else { return };
    env.release(handle);
    if !is_addons {
        drop(addons.references.take(id));
    }
    if let Some(call) = call {
        run(env, call, [std::ptr::from_ref(env) as usize, data as usize, hint as usize, 0]);
    }
}

/// Finalize all references of `env`: first those with a finalizer, then the others, each from the newest to the oldest.
pub fn finalize_all(addons: &Addons, env: &Env) {
    for with_finalizer in [true, false] {
        loop {
            let mut found: Vec<(usize, Id)> = Vec::new();
            for (index, place) in addons.references.places.borrow().iter().enumerate() {
                if let Some(reference) = &place.reference
                    && std::ptr::eq(reference.env, env)
                    && reference.finalize.is_some() == with_finalizer
                    && (with_finalizer || !reference.handle.is_null())
                {
                    found.push((reference.number, id_of(place.uses, index as u32)));
                }
            }
            if found.is_empty() {
                break;
            }
            found.sort_unstable_by(|one, other| other.cmp(one));
            for (_, id) in found {
                finalize(addons, id);
            }
        }
    }
}

/// Deletes a reference; its finalizer does not run.
pub fn delete(env: &Env, id: Id) -> bool {
    let Some(reference) = env.addons.references.take(id) else { return false };
    reference.env.release(reference.handle);
    true
}

/// Removes the finalizer of a reference; a reference that its addon does not own is deleted.
pub fn unwrap(env: &Env, id: Id) {
    let is_addons = env.addons.references.with(id, |reference| {
        reference.finalize = None;
        reference.is_addons
    });
    if is_addons == Some(false) {
        delete(env, id);
    }
}

fn id(reference: *mut c_void) -> Result<Id, Status> {
    place(reference).map(|number| number as Id)
}

api! {
    plain fn napi_create_reference(env, value: Value, count: u32, result: *mut Data) {
        require(value)?;
        place(result)?;
        if env.api_version < 10 {
            check((v8().is_object)(value) || (v8().is_symbol)(value), Status::InvalidArg)?;
        }
        let wanted = ReferenceOptions { count, is_addons: true, finalize: None, data: std::ptr::null_mut(), hint: std::ptr::null_mut() };
        *result = make(env, value, wanted) as Data;
    }

    basic fn napi_delete_reference(env, reference: Data) {
        check(delete(env, id(reference)?), Status::InvalidArg)?;
    }

    plain fn napi_reference_ref(env, reference: Data, result: *mut u32) {
        let counted = env.addons.references.with(id(reference)?, |reference| {
            if reference.handle.is_null() {
                return 0;
            }
            reference.count += 1;
            if reference.count == 1 && reference.can_be_weak {
                (more().global_clear_weak)(reference.handle);
            }
            reference.count
        });
        store(result, counted.ok_or(Status::InvalidArg)?);
    }

    plain fn napi_reference_unref(env, reference: Data, result: *mut u32) {
        let id = id(reference)?;
        let counted = env.addons.references.with(id, |reference| {
            if reference.count == 0 {
                return Err(Status::GenericFailure);
            }
            if reference.handle.is_null() {
                return Ok((0, std::ptr::null_mut(), false));
            }
            reference.count -= 1;
            let handle = if reference.count == 0 { reference.handle } else { std::ptr::null_mut() };
            Ok((reference.count, handle, reference.can_be_weak))
        });
        let (count, handle, can_be_weak) = counted.ok_or(Status::InvalidArg)??;
        if !handle.is_null() {
            weaken(env, id, handle, can_be_weak);
        }
        store(result, count);
    }

    plain fn napi_get_reference_value(env, reference: Data, result: *mut Value) {
        place(result)?;
        let handle = env.addons.references.with(id(reference)?, |reference| reference.handle).ok_or(Status::InvalidArg)?;
        *result = if handle.is_null() { handle } else { env.scope().handle_for(*handle).handle() };
    }

    plain fn napi_add_finalizer(env, object: Value, data: Data, finalize: Option<Finalize>, hint: Data, result: *mut Data) {
        require(object)?;
        check(finalize.is_some(), Status::InvalidArg)?;
        check((v8().is_object)(object), Status::InvalidArg)?;
        let id = make(env, object, ReferenceOptions { count: 0, is_addons: !result.is_null(), finalize, data, hint });
        store(result, id as Data);
    }

    basic fn node_api_post_finalizer(env, finalize: Option<Finalize>, data: Data, hint: Data) {
        let id = make(env, std::ptr::null_mut(), ReferenceOptions { count: 0, is_addons: false, finalize, data, hint });
        enqueue(&env.addons, id);
    }

    basic fn napi_set_instance_data(env, data: Data, finalize: Option<Finalize>, hint: Data) {
        let id = make(env, std::ptr::null_mut(), ReferenceOptions { count: 0, is_addons: false, finalize, data, hint });
        if let Some(old) = env.instance_data.replace(Some(id)) {
            delete(env, old);
        }
    }

    basic fn napi_get_instance_data(env, data: *mut Data) {
        place(data)?;
        let instance = env.instance_data.get().and_then(|id| env.addons.references.with(id, |reference| reference.data));
        *data = instance.unwrap_or(std::ptr::null_mut());
    }
}
