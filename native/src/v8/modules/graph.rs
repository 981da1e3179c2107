//! The engine's table of modules, in which V8's callbacks find a module's data and its linked modules.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use pyo3::PyResult;

use super::synthetic::Exports;
use crate::v8::api::{Handle, v8};
use crate::v8::values::error::throw_error;
use crate::v8::values::scope::{Global, Local, NO_HANDLE, Scope, calling};
use crate::v8::values::value::string_to_rust;

const UNLINKED: i32 = 0;

/// The data of a module, shared by its Python object, its importers and the engine's table.
pub struct Data {
    pub module: Global,
    /// V8's identity hash, the key of the engine's table.
    pub hash: i32,
    pub name: String,
    pub links: RefCell<Vec<Arc<Data>>>,
    /// Whether `link` was called; `links` cannot tell, as it is emptied later.
    pub is_linked: Cell<bool>,
    pub exports: RefCell<Option<Exports>>,
    /// Its number in `node:vm`; zero for modules of the program.
    pub vm_id: Cell<i32>,
}

// SAFETY: the cells are used only in a scope of the engine, which exists on the owner's thread only.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    pub fn new(scope: &Scope<'_>, module: Local<'_>, name: String, exports: Option<Exports>) -> Arc<Data> {
        // SAFETY: the module is live.
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

/// One `import` or `export ... from`.
pub struct ModuleRequest {
    pub specifier: String,
    pub attributes: Vec<(String, String)>,
}

impl Data {
    /// The module's requests in source order without duplicates while it is unlinked; None afterwards.
    pub fn requests(&self, scope: &Scope<'_>) -> PyResult<Option<Vec<ModuleRequest>>> {
        scope.nested(|scope| {
            let module = self.module.in_scope(scope)?.handle();
            // SAFETY: the module is live, and its requests are read only if it has any.
            let requests = unsafe {
                if (v8().module_status)(module) != UNLINKED || !(v8().module_is_source)(module) {
                    return Ok(None);
                }
                (v8().module_requests)(module)
            };
            // SAFETY: the array is live.
            let count = unsafe { (v8().fixed_array_length)(requests) };
            Ok(Some((0..count).map(|index| scope.nested(|scope| read_request(scope, requests, index))).collect()))
        })
    }

    /// Sets the module for each request, in the order of `requests`.
    pub fn link(&self, modules: Vec<Arc<Data>>) {
        self.links.replace(modules);
        self.is_linked.set(true);
    }
}

fn read_request(scope: &Scope<'_>, requests: Handle, index: i32) -> ModuleRequest {
    const STRIDE: usize = 3; // key, value, position
    // SAFETY: the indices are below the lengths of live arrays, and V8 returns handles of this scope.
    unsafe {
        let request = (v8().fixed_array_get)(requests, index);
        let text = |handle| string_to_rust(scope, scope.local(handle).expect("a string"));
        let attributes = (v8().request_attributes)(request);
        let places = (0..(v8().fixed_array_length)(attributes)).step_by(STRIDE);
        let at = |index| text((v8().fixed_array_get)(attributes, index));
        let specifier = text((v8().request_specifier)(request));
        ModuleRequest { specifier, attributes: places.map(|index| (at(index), at(index + 1))).collect() }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let state = self.module.state();
        if state.is_owner() && state.is_open() {
            let table = state.slot::<Table>();
            if let Ok(mut modules) = table.0.try_borrow_mut()
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

/// An entry of the table: it owns synthetic modules until they are evaluated, and refers weakly to others.
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

/// The modules of an engine by V8's identity hash.
#[derive(Default)]
pub struct Table(pub RefCell<HashMap<i32, Vec<ModuleEntry>>>);

pub fn enter_into_table(scope: &Scope<'_>, hash: i32, entry: ModuleEntry) {
    scope.state.slot::<Table>().0.borrow_mut().entry(hash).or_default().push(entry);
}

pub fn find(scope: &Scope<'_>, module: Local<'_>) -> Option<Arc<Data>> {
    // SAFETY: the module is live.
    let hash = unsafe { (v8().module_hash)(module.handle()) };
    let table = scope.state.slot::<Table>();
    let modules = table.0.borrow();
    let mut found = modules.get(&hash)?.iter().filter_map(ModuleEntry::data);
    found.find(|data| data.module.in_scope(scope).is_ok_and(|known| known.is(module)))
}

/// Drops the links of `data` and of all modules that it reaches.
pub fn forget_links(data: &Data) {
    let mut open = data.links.take();
    while let Some(next) = open.pop() {
        open.append(&mut next.links.borrow_mut());
    }
}

/// V8's callback that resolves a request by its index.
pub unsafe extern "C" fn resolve(_context: Handle, index: usize, referrer: Handle) -> Handle {
    // SAFETY: V8 passes a live module.
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
