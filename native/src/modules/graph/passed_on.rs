//! Erases types that TypeScript modules re-export without `type`.
//!
//! `import { T } from "./t"; export { T }` is valid for a compiler that sees all files. The whole graph is available here too,
//! so imports of names that a TypeScript module exports as types are removed. Names that it does not export at all stay, so
//! that V8 reports them.
use super::walk::{Done, Graph, Job, Loaded};
use crate::resolve::folder_of;
use crate::transform::Loader;

/// The longest chain of re-exporting modules that is followed.
const LONGEST_CHAIN: usize = 16;

impl Graph {
    /// Transforms again the TypeScript modules that re-export names which are types in other TypeScript modules.
    pub fn erase_types(&self) {
        let mut done = std::mem::take(&mut self.lock().done);
        // Each round follows every chain of re-exports by one module.
        for _ in 0..LONGEST_CHAIN {
            let erased: Vec<(Job, Vec<(String, String)>)> = done
                .iter()
                .filter_map(|(job, loaded)| Some((job.clone(), find_reexported_types(loaded, &done)?)))
                .collect();
            if erased.is_empty() {
                break;
            }
            for (job, imports) in erased {
                let transformed = done.get(&job).and_then(|loaded| loaded.transformed.as_ref());
                let Some(transformed) = transformed.map(|transformed| transformed.without_imports(imports)) else {
                    continue;
                };
                let folder = folder_of(&job.path);
                let targets = transformed.requests().iter().map(|request| self.resolve(request, folder)).collect();
                if let Some(loaded) = done.get_mut(&job) {
                    loaded.transformed = Some(transformed);
                    loaded.targets = targets;
                }
            }
        }
        self.lock().done = done;
    }
}

/// The imports that a module re-exports although their TypeScript modules do not export them as values.
fn find_reexported_types(loaded: &Loaded, done: &Done) -> Option<Vec<(String, String)>> {
    let transformed = loaded.transformed.as_ref().filter(|_| is_typescript(loaded))?;
    let mut missing = Vec::new();
    for (specifier, name) in transformed.survey.passed_on() {
        let target = transformed.requests().iter().zip(&loaded.targets);
        let target = target.filter(|(request, _)| request.specifier == specifier).find_map(|(_, to)| to.path.clone());
        let Some(path) = target else { continue };
        if exported_as(&Job { path, loader: None }, &name, done, 0) == Some(Export::Type) {
            missing.push((specifier, name));
        }
    }
    (!missing.is_empty()).then_some(missing)
}

#[derive(PartialEq)]
enum Export {
    Value,
    Type,
    Nothing,
}

/// The kind of a name that a TypeScript module exports; None if it is unknown.
fn exported_as(job: &Job, name: &str, done: &Done, depth: usize) -> Option<Export> {
    let loaded = done.get(job).filter(|loaded| is_typescript(loaded) && depth < LONGEST_CHAIN)?;
    let transformed = loaded.transformed.as_ref().filter(|transformed| transformed.is_module)?;
    if transformed.survey.exported.iter().any(|known| known == name) {
        return Some(Export::Value);
    }
    let is_type = transformed.survey.types.iter().any(|known| known == name || known == "*");
    let mut found = if is_type { Export::Type } else { Export::Nothing };
    for star in &transformed.survey.star_exports {
        let requests = transformed.requests().iter().zip(&loaded.targets);
        let target = requests.filter(|(request, _)| request.specifier == *star).find_map(|(_, to)| to.path.clone());
        match exported_as(&Job { path: target?, loader: None }, name, done, depth + 1)? {
            Export::Value => return Some(Export::Value),
            Export::Type => found = Export::Type,
            Export::Nothing => {}
        }
    }
    Some(found)
}

fn is_typescript(loaded: &Loaded) -> bool {
    Loader::named(&loaded.loader).is_some_and(Loader::is_typescript)
}
