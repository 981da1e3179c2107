//! The engine's table of modules: how V8's callbacks find what rt knows of a module, and what it is linked to.
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Weak};

use pyo3::PyResult;

use super::api::{Handle, Isolate, v8};
use super::scope::{Global, Local, NO_HANDLE, Scope};
use super::state::State;
use super::synthetic::Exports;
use super::value::{literal, string_to_rust};

const UNLINKED: i32 = 0;

/// What rt knows of one module; its Python object, its importers and the engine's table share it.
pub struct Data {
    pub module: Global,
    /// V8's identity hash, the key of the engine's table.
    pub hash: i32,
    pub name: String,
    pub links: RefCell<Vec<Arc<Data>>>,
    /// `link` was called: `links` alone does not tell, for it is emptied later.
    pub is_linked: Cell<bool>,
    pub exports: RefCell<Option<Exports>>,
    /// The number by which `node:vm` knows it; zero for modules of the program.
    pub vm_id: Cell<i32>,
}

// SAFETY: the cells are used only in a scope of the engine, which is on the owner's thread.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    pub fn new(scope: &Scope<'_>, module: Local<'_>, name: String, exports: Option<Exports>) -> Arc<Data> {
        // SAFETY: a live module.
        let hash = unsafe { (v8().module_hash)(module.handle()) };
        let module = Global::new(scope, module);
        Arc::new(Data {
            module,
            hash,
            name,
            links: RefCell::default(),
            is_linked: Cell::new(false),
            exports: RefCell::new(exports),
            vm_id: Cell::new(0),
        })
    }
}

/// One `import` or `export ... from`, as V8 tells it.
pub struct Asked {
    pub specifier: String,
    pub attributes: Vec<(String, String)>,
}

impl Data {
    /// What the module asks for, in source order without repetition, while it waits to be linked; else None.
    pub fn asked(&self, scope: &Scope<'_>) -> PyResult<Option<Vec<Asked>>> {
        scope.nested(|scope| {
            let module = self.module.in_scope(scope)?.handle();
            // SAFETY: a live module, asked for requests only where it has them.
            let requests = unsafe {
                if (v8().module_status)(module) != UNLINKED || !(v8().module_is_source)(module) {
                    return Ok(None);
                }
                (v8().module_requests)(module)
            };
            // SAFETY: a live array.
            let count = unsafe { (v8().fixed_array_length)(requests) };
            Ok(Some((0..count).map(|index| scope.nested(|scope| read_asked(scope, requests, index))).collect()))
        })
    }

    /// Say which module each request means, in the order of `asked`.
    pub fn link(&self, modules: Vec<Arc<Data>>) {
        self.links.replace(modules);
        self.is_linked.set(true);
    }
}

fn read_asked(scope: &Scope<'_>, requests: Handle, index: i32) -> Asked {
    const STRIDE: usize = 3; // key, value, position
    // SAFETY: the indices are below the lengths of live arrays, and what V8 returns lies in this scope.
    unsafe {
        let request = (v8().fixed_array_get)(requests, index);
        let text = |handle| string_to_rust(scope, scope.local(handle).expect("a string"));
        let attributes = (v8().request_attributes)(request);
        let places = (0..(v8().fixed_array_length)(attributes)).step_by(STRIDE);
        let at = |index| text((v8().fixed_array_get)(attributes, index));
        let specifier = text((v8().request_specifier)(request));
        Asked { specifier, attributes: places.map(|index| (at(index), at(index + 1))).collect() }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let state = self.module.state();
        if state.is_owner() && state.is_open() {
            let modules = &state.inner().modules;
            if let Ok(mut modules) = modules.try_borrow_mut()
                && let Some(entries) = modules.get_mut(&self.hash)
            {
                entries.retain(|entry| entry.data().is_some());
                if entries.is_empty() {
                    modules.remove(&self.hash);
                }
            }
        }
    }
}

/// What the engine's table holds: synthetic modules until they are evaluated, others only while something else does.
pub enum ModuleEntry {
    Kept(Arc<Data>),
    Known(Weak<Data>),
}

impl ModuleEntry {
    pub fn data(&self) -> Option<Arc<Data>> {
        match self {
            ModuleEntry::Kept(data) => Some(data.clone()),
            ModuleEntry::Known(data) => data.upgrade(),
        }
    }
}

pub fn enter_into_table(scope: &Scope<'_>, hash: i32, entry: ModuleEntry) {
    scope.state.inner().modules.borrow_mut().entry(hash).or_default().push(entry);
}

pub fn find(scope: &Scope<'_>, module: Local<'_>) -> Option<Arc<Data>> {
    // SAFETY: a live module.
    let hash = unsafe { (v8().module_hash)(module.handle()) };
    let modules = scope.state.inner().modules.borrow();
    let mut found = modules.get(&hash)?.iter().filter_map(ModuleEntry::data);
    found.find(|data| data.module.in_scope(scope).is_ok_and(|known| known.is(module)))
}

/// Drop the links of `data` and of all modules below it.
pub fn forget_links(data: &Data) {
    let mut open = data.links.take();
    while let Some(next) = open.pop() {
        open.append(&mut next.links.borrow_mut());
    }
}

/// Throw an Error into the JavaScript that is calling.
pub fn throw_error(scope: &Scope<'_>, text: &str) {
    let text = literal(scope, text);
    // SAFETY: V8 is calling; a live string.
    unsafe { (v8().throw)(scope.isolate, (v8().error_new)(text.handle(), NO_HANDLE)) };
}

/// The scope of a callback that is given no isolate.
///
/// # Safety
/// V8 is calling on this thread.
pub unsafe fn calling<'s>() -> Scope<'s> {
    // SAFETY: the caller's promise.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        Scope::in_callback(isolate, State::of(isolate))
    }
}

/// V8's resolve callback, by the index of the request.
pub unsafe extern "C" fn resolve(_context: Handle, index: usize, referrer: Handle) -> Handle {
    // SAFETY: V8 is calling with a live module.
    let (scope, referrer) = unsafe { (calling(), Local::new(referrer).expect("a module")) };
    let found = find(&scope, referrer);
    let linked = found.as_ref().and_then(|data| data.links.borrow().get(index).cloned());
    match linked.and_then(|data| data.module.in_scope(&scope).ok()) {
        Some(module) => module.handle(),
        None => {
            let name = found.map_or_else(|| "a module".into(), |data| data.name.clone());
            throw_error(&scope, &format!("{name} is not linked"));
            NO_HANDLE
        }
    }
}
