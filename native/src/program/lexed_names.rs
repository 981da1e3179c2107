//! The names that CommonJS exports to an import in Node: those that its text shows, and those of the files that it re-exports.
//! Nothing runs. Names that are known only at run time are missing, and a name may turn out to have no value.
use std::collections::HashSet;

use pyo3::PyResult;

use super::life::Life;
use crate::resolve::Kind;
use crate::transform::Transformed;
use crate::v8::Scope;

impl Life {
    /// Returns the names that the CommonJS file `path` with the text `text` exports, without `default`.
    pub fn lexed_names(&self, scope: &Scope<'_>, path: &str, text: &Transformed) -> PyResult<Vec<String>> {
        let (mut names, mut seen) = (Vec::new(), HashSet::from([path.to_owned()]));
        self.add_lexed_names(scope, path, text, &mut names, &mut seen)?;
        Ok(names)
    }

    fn add_lexed_names(
        &self,
        scope: &Scope<'_>,
        path: &str,
        text: &Transformed,
        names: &mut Vec<String>,
        seen: &mut HashSet<String>,
    ) -> PyResult<()> {
        let parsed = if text.is_assumed { self.parsed(path)? } else { None };
        let text = parsed.as_deref().and_then(|record| record.transformed.as_ref()).unwrap_or(text);
        for name in &text.survey.lexed_exports {
            if name != "default" && !names.contains(name) {
                names.push(name.clone());
            }
        }
        for specifier in &text.survey.cjs_reexports {
            let found = self.find(specifier, path, Kind::Require);
            let Some(target) = found.path.filter(|_| found.failure.is_none()) else { continue };
            if !seen.insert(target.clone()) {
                continue;
            }
            // An error of the file is thrown when it runs.
            let Ok(record) = self.record(scope, &target, None, true) else { continue };
            if let Some(text) = record.transformed.as_ref().filter(|text| !text.is_module) {
                self.add_lexed_names(scope, &target, text, names, seen)?;
            }
        }
        Ok(())
    }
}
