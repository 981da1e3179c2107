//! Star exports of one namespace under one name.
//!
//! Two modules may export the namespace of a third one under the same name, and another module may re-export both with
//! `export *`. The name is not ambiguous, because both resolve to the same binding (ECMA-262, ResolveExport). V8 14.4 reports
//! a conflict, because it compares the cells of the two exports. Such a module gets an explicit re-export of the name, which
//! takes precedence over its star exports. Real conflicts stay, so that V8 reports them.
use std::collections::{HashMap, HashSet};

use super::walk::{Done, Graph, Job, Loaded, job_of, requested_loader};
use crate::resolve::Resolution;
use crate::transform::{ModuleRequest, Transformed};

/// What an exported name resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Binding {
    /// The namespace of a module: its path or built-in name, its query, and the loader that is requested for it.
    Namespace(String, String, Option<String>),
    Other,
}

impl Graph {
    /// Adds re-exports to the modules of which several star exports provide one namespace under one name.
    pub fn share_namespaces(&self) {
        let mut done = std::mem::take(&mut self.lock().done);
        let shared: Vec<_> = done
            .iter()
            .filter_map(|(job, loaded)| Some((job.clone(), shared_by_stars(loaded, &done)?)))
            .filter(|(_, names)| !names.is_empty())
            .collect();
        for (job, names) in shared {
            if let Some(loaded) = done.get_mut(&job) {
                loaded.transformed = loaded.transformed.as_ref().map(|transformed| transformed.reexporting(names));
            }
        }
        self.lock().done = done;
    }
}

/// The names that several star exports of a module resolve to one namespace, each with the specifier of the nearest one.
fn shared_by_stars(loaded: &Loaded, done: &Done) -> Option<Vec<(String, String)>> {
    let transformed = module_of(loaded)?;
    let stars = &transformed.survey.star_exports;
    if stars.len() < 2 {
        return None;
    }
    let own: HashSet<&str> = transformed.survey.exported.iter().map(String::as_str).collect();
    let mut providers: HashMap<&str, Vec<&String>> = HashMap::new();
    for star in stars {
        let mut names = HashSet::new();
        collect_reexports(target_of(loaded, star), done, &mut names, &mut HashSet::new());
        for name in names.into_iter().filter(|name| !own.contains(name)) {
            providers.entry(name).or_default().push(star);
        }
    }
    providers.retain(|_, stars| stars.len() > 1);
    let mut search = Search { done, open: HashSet::new(), known: HashMap::new(), circles: 0 };
    let mut shared = Vec::new();
    for (name, stars) in providers {
        if let Some(Binding::Namespace(..)) = search.resolve_through_stars(loaded, name) {
            // Each module refers to one that is nearer to the export, so that circular star exports do not become a circle.
            let nearest = stars.into_iter().min_by_key(|star| distance(loaded, star, name, done))?;
            shared.push((name.to_string(), nearest.clone()));
        }
    }
    shared.sort_unstable();
    Some(shared)
}

/// Collects the names that a module, or one that it re-exports with a star, re-exports explicitly.
fn collect_reexports<'a>(
    module: Option<(&ModuleRequest, &Resolution)>,
    done: &'a Done,
    names: &mut HashSet<&'a str>,
    visited: &mut HashSet<Job>,
) {
    let Some(job) = module.and_then(|(request, target)| job_of(request, target)) else { return };
    let Some(loaded) = done.get(&job) else { return };
    let Some(transformed) = module_of(loaded) else { return };
    if visited.insert(job) {
        names.extend(transformed.survey.reexports().map(|each| each.exported).filter(|name| *name != "default"));
        for star in &transformed.survey.star_exports {
            collect_reexports(target_of(loaded, star), done, names, visited);
        }
    }
}

/// The number of star exports from the target of `star` to a module that exports `name` explicitly.
fn distance(loaded: &Loaded, star: &str, name: &str, done: &Done) -> usize {
    let mut visited = HashSet::new();
    let mut level: Vec<Job> = star_target(loaded, star).into_iter().collect();
    for distance in 0.. {
        let modules: Vec<&Loaded> =
            level.drain(..).filter(|job| visited.insert(job.clone())).filter_map(|job| done.get(&job)).collect();
        let exports = |loaded: &&Loaded| {
            module_of(loaded).is_some_and(|module| module.survey.exported.iter().any(|known| known == name))
        };
        if modules.is_empty() || modules.iter().any(exports) {
            return if modules.is_empty() { usize::MAX } else { distance };
        }
        level.extend(modules.into_iter().flat_map(star_targets));
    }
    usize::MAX
}

/// The resolution of exported names, as ResolveExport does it.
struct Search<'a> {
    done: &'a Done,
    /// What is being resolved.
    open: HashSet<(Job, String)>,
    known: HashMap<(Job, String), Option<Binding>>,
    /// How often a circle has ended the search.
    circles: usize,
}

impl Search<'_> {
    /// What `name` is in a module; None if the module does not export it, or if its exports are unknown.
    fn resolve_export(&mut self, job: Job, name: &str) -> Option<Binding> {
        let key = (job, name.to_string());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if !self.open.insert(key.clone()) {
            self.circles += 1;
            return None;
        }
        let circles = self.circles;
        let found = self.resolve_unknown(&key.0, name);
        self.open.remove(&key);
        if self.circles == circles || self.open.is_empty() {
            self.known.insert(key, found.clone()); // a result inside a circle may be incomplete
        }
        found
    }

    fn resolve_unknown(&mut self, job: &Job, name: &str) -> Option<Binding> {
        let loaded = self.done.get(job)?;
        let survey = &module_of(loaded)?.survey;
        if let Some(reexport) = survey.reexports().find(|each| each.exported == name) {
            let target = target_of(loaded, reexport.specifier);
            let binding = target.and_then(|(request, target)| match reexport.imported {
                None => namespace_of(request, target),
                Some(imported) => self.resolve_export(job_of(request, target)?, imported),
            });
            return Some(binding.unwrap_or(Binding::Other));
        }
        if survey.exported.iter().any(|known| known == name) {
            return Some(Binding::Other);
        }
        if name == "default" { None } else { self.resolve_through_stars(loaded, name) }
    }

    /// What the star exports of a module resolve `name` to; `Other` if they contradict each other.
    fn resolve_through_stars(&mut self, loaded: &Loaded, name: &str) -> Option<Binding> {
        let mut first = None;
        for job in star_targets(loaded) {
            let found = self.resolve_export(job, name);
            match (&first, &found) {
                (_, None) => {}
                (None, Some(_)) => first = found,
                (Some(first), Some(found)) if first == found => {}
                _ => return Some(Binding::Other),
            }
        }
        first
    }
}

fn star_targets(loaded: &Loaded) -> Vec<Job> {
    let stars = module_of(loaded).map(|module| &module.survey.star_exports);
    stars.into_iter().flatten().filter_map(|star| star_target(loaded, star)).collect()
}

fn star_target(loaded: &Loaded, star: &str) -> Option<Job> {
    target_of(loaded, star).and_then(|(request, target)| job_of(request, target))
}

/// The text of a file that is an ES module.
fn module_of(loaded: &Loaded) -> Option<&Transformed> {
    loaded.transformed.as_ref().filter(|transformed| transformed.is_module)
}

/// The first request of a module for `specifier`, with its target.
fn target_of<'a>(loaded: &'a Loaded, specifier: &str) -> Option<(&'a ModuleRequest, &'a Resolution)> {
    let requests = loaded.transformed.as_ref()?.requests().iter().zip(&loaded.targets);
    requests
        .into_iter()
        .find(|(request, _)| request.specifier == specifier && matches!(request.kind, "import" | "export"))
}

fn namespace_of(request: &ModuleRequest, target: &Resolution) -> Option<Binding> {
    let module = target.builtin.as_ref().map(|name| format!("node:{name}")).or_else(|| target.path.clone())?;
    Some(Binding::Namespace(module, target.query.clone(), requested_loader(request)))
}
