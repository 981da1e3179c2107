//! Links a module graph, dependencies first: determines the module of each request.
//!
//! Plain modules are compiled here; `ask` returns all others. It may run JavaScript (CommonJS), which may start linking again,
//! even of modules that are being walked here: the first to link a module wins.
use std::collections::HashSet;
use std::sync::Arc;

use pyo3::PyResult;

use super::records::Record;
use super::table::Table;
use crate::resolve::Resolution;
use crate::transform::PHASE;
use crate::v8::{ModuleData, ModuleRequest, Scope};

/// A request of `importer` for `specifier`; `target` is its resolution, if known.
pub struct Question<'a> {
    pub importer: &'a Arc<ModuleData>,
    pub specifier: String,
    pub attributes: Vec<(String, String)>,
    pub target: Option<&'a Resolution>,
    /// The modules that lead to the importer, from the root; the importer is the last.
    pub chain: &'a [Arc<ModuleData>],
}

/// A request with the attribute `PHASE`, at `index` among those of its importer.
pub struct Deferral {
    pub importer: Arc<ModuleData>,
    pub index: usize,
    pub target: Arc<ModuleData>,
}

/// A module whose requests are being resolved.
struct Open {
    module: Arc<ModuleData>,
    targets: Targets,
    requests: std::vec::IntoIter<ModuleRequest>,
    children: Vec<Arc<ModuleData>>,
}

/// The resolutions of a file's requests; V8 lists the requests in roughly the order of the file.
struct Targets {
    record: Option<Arc<Record>>,
    next: usize,
}

impl Targets {
    fn of(&mut self, sought: &ModuleRequest) -> Option<&Resolution> {
        let record = self.record.as_deref()?;
        let requests = record.transformed.as_ref()?.requests();
        let is_meant = |index: &usize| {
            let request = &requests[*index];
            let attributes = &request.attributes;
            matches!(request.kind, "import" | "export")
                && request.specifier == sought.specifier
                && attributes.len() == sought.attributes.len()
                && sought.attributes.iter().all(|(key, value)| attributes.get(key) == Some(value))
        };
        let place = (self.next..requests.len()).chain(0..self.next).find(is_meant)?;
        self.next = place + 1;
        record.targets.get(place).filter(|target| target.failure.is_none())
    }
}

/// Links the graph of `root`, with that of each deferred import; the caller decides what a deferred import leads to.
pub fn link(
    table: &Table,
    scope: &Scope<'_>,
    root: Arc<ModuleData>,
    ask: &mut dyn FnMut(Question<'_>) -> PyResult<Arc<ModuleData>>,
) -> PyResult<Vec<Deferral>> {
    let mut deferrals = Vec::new();
    let mut entered: HashSet<*const ModuleData> = HashSet::new();
    let mut enter = |module: &Arc<ModuleData>| -> PyResult<Option<Open>> {
        if module.is_linked.get() || !entered.insert(Arc::as_ptr(module)) {
            return Ok(None);
        }
        let Some(requests) = module.requests(scope)? else { return Ok(None) };
        let targets = Targets { record: table.record_of(module), next: 0 };
        let children = Vec::with_capacity(requests.len());
        Ok(Some(Open { module: module.clone(), targets, requests: requests.into_iter(), children }))
    };
    let mut stack: Vec<Open> = enter(&root)?.into_iter().collect();
    let mut chain: Vec<Arc<ModuleData>> = stack.iter().map(|open| open.module.clone()).collect();
    while let Some(open) = stack.last_mut() {
        let mut below = None;
        while below.is_none() {
            let Some(request) = open.requests.next() else { break };
            let target = open.targets.of(&request);
            let is_plain = request.attributes.is_empty() && !table.asks_always();
            let is_deferred = request.attributes.iter().any(|(key, _)| key == PHASE);
            let plain = target.filter(|_| is_plain).and_then(|target| table.plain_target(scope, target));
            let child = match plain {
                Some(child) => child,
                None => {
                    let ModuleRequest { specifier, attributes } = request;
                    ask(Question { importer: &open.module, specifier, attributes, target, chain: &chain })?
                }
            };
            below = enter(&child)?;
            if is_deferred {
                let (importer, index) = (open.module.clone(), open.children.len());
                deferrals.push(Deferral { importer, index, target: child.clone() });
            }
            open.children.push(child);
        }
        match below {
            Some(below) => {
                chain.push(below.module.clone());
                stack.push(below);
            }
            None => {
                chain.pop();
                let Some(Open { module, children, .. }) = stack.pop() else { break };
                if !module.is_linked.get() {
                    module.link(children);
                    table.forget_record(&module);
                }
            }
        }
    }
    Ok(deferrals)
}
