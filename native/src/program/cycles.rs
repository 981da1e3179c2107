//! Cycles through `require()` of an ES module, which Node refuses: a module that is being linked or evaluated, or CommonJS that is
//! running, cannot be loaded once more by a synchronous call.
use std::collections::HashSet;

use pyo3::PyResult;

use super::commonjs::file_of;
use super::life::Life;
use crate::v8::{self, Call, Scope};

/// What leads from a required module back to code that is running.
enum Cycle {
    /// The required module itself.
    Required,
    /// An import: specifier and importer.
    Module(String, String),
    CommonJs(String, String),
}

impl Life {
    /// Fails if an import of the module `name`, or the module itself, is part of what is running. The arguments of `call` are
    /// those of `modules_requireEsm`.
    pub fn check_cycle(&self, scope: &Scope<'_>, call: &Call<'_>, name: &str) -> PyResult<()> {
        let text = |index| String::from_utf8_lossy(&call.utf8(index).unwrap_or_default()).into_owned();
        let elements = scope.elements(call.argument(2)).into_iter();
        let running = elements.map(|file| String::from_utf8_lossy(&scope.utf8(file)).into_owned()).collect();
        let Some(cycle) = self.find_cycle(scope, name, &running)? else { return Ok(()) };
        let (kind, what, importer) = match cycle {
            Cycle::Required => ("required", name.to_owned(), text(1)),
            Cycle::Module(specifier, importer) => ("module", specifier, importer),
            Cycle::CommonJs(specifier, importer) => ("commonjs", specifier, importer),
        };
        Err(self.failure("fail_cycle", (kind, what, importer)))
    }

    fn find_cycle(&self, scope: &Scope<'_>, root: &str, running: &HashSet<String>) -> PyResult<Option<Cycle>> {
        if self.is_open(scope, root)? {
            return Ok(Some(Cycle::Required));
        }
        let mut seen = HashSet::from([root.to_owned()]);
        let mut pending = vec![root.to_owned()];
        while let Some(name) = pending.pop() {
            if self.is_done(scope, &name) {
                continue;
            }
            let record = self.record(scope, file_of(&name), None, true)?;
            let Some(text) = record.transformed.as_ref().filter(|text| text.is_module) else { continue };
            for (request, target) in text.requests().iter().zip(&record.targets) {
                let Some(path) = target.path.as_ref().filter(|_| matches!(request.kind, "import" | "export")) else {
                    continue;
                };
                let (child, from) = (format!("{path}{}", target.query), || (request.specifier.clone(), name.clone()));
                if self.is_open(scope, &child)? {
                    let (specifier, importer) = from();
                    return Ok(Some(Cycle::Module(specifier, importer)));
                }
                if running.contains(path) {
                    let (specifier, importer) = from();
                    return Ok(Some(Cycle::CommonJs(specifier, importer)));
                }
                if seen.insert(child.clone()) {
                    pending.push(child);
                }
            }
        }
        Ok(None)
    }

    /// Whether a module is being linked or evaluated.
    fn is_open(&self, scope: &Scope<'_>, name: &str) -> PyResult<bool> {
        if self.linking.borrow().iter().any(|each| each == name) {
            return Ok(true);
        }
        match self.loader().table.find(name, None) {
            Some(entry) => v8::is_evaluating(scope, &entry.module),
            None => Ok(false),
        }
    }

    fn is_done(&self, scope: &Scope<'_>, name: &str) -> bool {
        self.loader().table.find(name, None).is_some_and(|entry| v8::is_evaluated(scope, &entry.module))
    }
}
