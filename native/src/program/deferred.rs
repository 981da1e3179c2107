//! `import defer` and `import.defer()`: modules that are loaded and linked with their importer, and evaluated at the first use of
//! their namespace.
//!
//! The transpiler writes the phase as an attribute (`PHASE`). Such an import leads to a view: a module whose default export is the
//! deferred namespace, an object of js/node/module/deferred.js. A view imports those modules below its target that use top-level
//! await, because they cannot be evaluated at the first use.
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyResult;

use super::life::Life;
use super::loader::{Attributes, Loader, is_inline, loader_of};
use crate::modules::Deferral;
use crate::resolve::Kind;
use crate::transform::PHASE;
use crate::v8::{self, Call, Local, ModuleData, Scope};

/// The namespaces of a program. JavaScript knows a target by its index.
#[derive(Default)]
pub struct Deferred {
    targets: RefCell<Vec<Arc<ModuleData>>>,
    views: RefCell<HashMap<*const ModuleData, Arc<ModuleData>>>,
    /// The views of CommonJS, which is loaded at the first use.
    late: RefCell<HashMap<String, Arc<ModuleData>>>,
}

/// The attributes without that of the phase; None if the import is not deferred.
pub fn without_phase(attributes: &Attributes) -> Option<Vec<(String, String)>> {
    let is_phase = |(key, _): &&(String, String)| key == PHASE;
    attributes.iter().find(is_phase)?;
    Some(attributes.iter().filter(|entry| !is_phase(entry)).cloned().collect())
}

/// The standard's GatherAsynchronousTransitiveDependencies.
fn gather(
    scope: &Scope<'_>,
    module: &Arc<ModuleData>,
    seen: &mut HashSet<*const ModuleData>,
    found: &mut Vec<Arc<ModuleData>>,
) -> PyResult<()> {
    if !seen.insert(Arc::as_ptr(module)) || v8::is_evaluating(scope, module)? || is_done(scope, module)? {
        return Ok(());
    }
    if v8::has_await(scope, module)? {
        found.push(module.clone());
        return Ok(());
    }
    let links = module.links.borrow().clone();
    links.iter().try_for_each(|link| gather(scope, link, seen, found))
}

/// Whether the module has been evaluated, and does not wait for a top-level await.
fn is_done(scope: &Scope<'_>, module: &Arc<ModuleData>) -> PyResult<bool> {
    if !v8::is_evaluated(scope, module) || !v8::is_graph_async(scope, module)? {
        return Ok(v8::is_evaluated(scope, module));
    }
    let promise = v8::evaluate(scope, module)?; // that of the evaluation which has begun
    Ok(scope.is_settled(promise) != Some(false))
}

/// The standard's ReadyForSyncExecution.
fn is_ready(scope: &Scope<'_>, module: &Arc<ModuleData>, seen: &mut HashSet<*const ModuleData>) -> PyResult<bool> {
    if !seen.insert(Arc::as_ptr(module)) || is_done(scope, module)? {
        return Ok(true);
    }
    if v8::is_evaluating(scope, module)? || v8::is_evaluated(scope, module) || v8::has_await(scope, module)? {
        return Ok(false);
    }
    for link in module.links.borrow().clone() {
        if !is_ready(scope, &link, seen)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Life {
    /// Returns the module of a deferred import, or the view of CommonJS, which has not been loaded.
    pub fn deferred_target(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        specifier: &str,
        importer: &str,
        attributes: &Attributes,
    ) -> PyResult<Arc<ModuleData>> {
        if loader.is_hooked.get() {
            let module = self.hooked_target(specifier, importer, attributes)?;
            return self.as_wasm(loader, module, attributes, None);
        }
        if !self.traits.is_node && !is_inline(specifier) {
            let target = self.resolve(specifier, importer, Kind::Import)?;
            if let Some(path) = &target.path {
                let record = self.record(scope, path, loader_of(attributes), false)?;
                if record.transformed.as_ref().is_some_and(|text| !text.is_module && text.is_whole()) {
                    return self.late_view(scope, specifier, importer, attributes);
                }
            }
        }
        let module = self.unhooked_target(loader, scope, (specifier, importer), attributes, None)?;
        self.as_wasm(loader, module, attributes, None)
    }

    /// Returns the view of CommonJS, whose exports are known only after it has run.
    fn late_view(
        &self,
        scope: &Scope<'_>,
        specifier: &str,
        importer: &str,
        attributes: &Attributes,
    ) -> PyResult<Arc<ModuleData>> {
        let key = format!("{:?}", (specifier, importer, attributes));
        if let Some(known) = self.deferred.late.borrow().get(&key) {
            return Ok(known.clone());
        }
        let flat = attributes.iter().flat_map(|(name, value)| [name, value]);
        let texts: Vec<_> = flat.map(|text| self.text(scope, text)).collect::<PyResult<_>>()?;
        let arguments = [self.text(scope, specifier)?, self.text(scope, importer)?, scope.array(&texts)];
        let viewed = scope.call(self.function(scope, "lateNamespace")?, &arguments.map(|each| each.handle()))?;
        let view = self.of_view(scope, specifier, viewed)?;
        self.deferred.late.borrow_mut().insert(key, view.clone());
        Ok(view)
    }

    fn is_view(&self, module: &Arc<ModuleData>) -> bool {
        self.deferred.late.borrow().values().any(|view| Arc::ptr_eq(view, module))
    }

    /// Returns the view of a linked module; `awaited` are the modules that it evaluates at once.
    fn view_of(
        &self,
        scope: &Scope<'_>,
        target: &Arc<ModuleData>,
        awaited: Vec<Arc<ModuleData>>,
    ) -> PyResult<Arc<ModuleData>> {
        if let Some(known) = self.deferred.views.borrow().get(&Arc::as_ptr(target)) {
            return Ok(known.clone());
        }
        let index = self.deferred.targets.borrow().len();
        self.deferred.targets.borrow_mut().push(target.clone());
        let viewed = scope.call(self.function(scope, "deferredNamespace")?, &[scope.number(index as f64).handle()])?;
        let mut view = self.of_view(scope, &target.name, viewed)?;
        if !awaited.is_empty() {
            let imports: String = (0..awaited.len()).map(|number| format!("import \"{number}\"; ")).collect();
            let text = format!("{imports}export {{ default }} from \"namespace\";");
            let (made, _) =
                v8::compile_known(scope, &text, &target.name, None).ok_or_else(super::making::unexpected)?;
            made.link(awaited.into_iter().chain([view]).collect());
            view = made;
        }
        self.deferred.views.borrow_mut().insert(Arc::as_ptr(target), view.clone());
        Ok(view)
    }

    /// Replaces the targets of deferred imports by their views, after their graphs have been loaded.
    pub fn defer(&self, scope: &Scope<'_>, deferrals: Vec<Deferral>) -> PyResult<()> {
        let of_modules = deferrals.into_iter().filter(|deferral| !self.is_view(&deferral.target));
        let of_modules: Vec<_> = of_modules.collect();
        let mut gathered = Vec::with_capacity(of_modules.len());
        for deferral in &of_modules {
            let mut awaited = Vec::new();
            gather(scope, &deferral.target, &mut HashSet::new(), &mut awaited)?;
            gathered.push(awaited);
        }
        for (deferral, awaited) in of_modules.iter().zip(gathered) {
            let view = self.view_of(scope, &deferral.target, awaited)?;
            if let Some(link) = deferral.importer.links.borrow_mut().get_mut(deferral.index) {
                *link = view;
            }
        }
        for Deferral { target, .. } in &of_modules {
            self.connect(scope, target)?;
        }
        Ok(())
    }

    /// Returns the view of the module of an `import.defer()`, ready to be evaluated.
    pub fn ready_view(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        specifier: &str,
        importer: &str,
        attributes: &Attributes,
    ) -> PyResult<Arc<ModuleData>> {
        let target = self.deferred_target(loader, scope, specifier, importer, attributes)?;
        if self.is_view(&target) {
            return self.ready(loader, scope, target);
        }
        self.link_graph(loader, scope, &target)?;
        let mut awaited = Vec::new();
        gather(scope, &target, &mut HashSet::new(), &mut awaited)?;
        self.connect(scope, &target)?;
        let view = self.view_of(scope, &target, awaited)?;
        self.connect(scope, &view)?;
        Ok(view)
    }

    /// Instantiates a module and keeps the links of its graph, which `is_ready` reads.
    fn connect(&self, scope: &Scope<'_>, module: &Arc<ModuleData>) -> PyResult<()> {
        if v8::is_unlinked(scope, module)? {
            v8::instantiate(scope, module, false).map_err(|error| self.link_failure(error))?;
        }
        Ok(())
    }

    fn target_of(&self, call: &Call<'_>) -> PyResult<Arc<ModuleData>> {
        let index = call.number(0).unwrap_or(-1.0) as usize;
        self.deferred.targets.borrow().get(index).cloned().ok_or_else(super::making::unexpected)
    }
}

/// `modules_deferredTarget(index)`: the ordinary namespace of a deferred module, which is not evaluated.
pub fn target<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    v8::namespace(&call.scope, &life.target_of(call)?)
}

/// `modules_evaluateDeferred(index)`: whether a deferred module is evaluated now. False while it, or a module that it imports, is
/// being evaluated.
pub fn evaluate<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    let (scope, target) = (&call.scope, life.target_of(call)?);
    if !is_ready(scope, &target, &mut HashSet::new())? {
        return Ok(scope.boolean(false));
    }
    let promise = v8::evaluate(scope, &target)?;
    match scope.rejection(promise) {
        Some(reason) => Err(life.thrown(scope, reason)?),
        None => Ok(scope.boolean(true)),
    }
}
