//! YAML documents as a flat list of construction steps, so that aliases share one value and cannot expand a document;
//! `_native.pyi` describes the steps.
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

/// Deeper documents are refused, because building them may recurse.
const DEEPEST: usize = 2000;

/// An error: message, line, column.
type Problem = (String, usize, usize);

enum Step {
    Document,
    Scalar { text: String, is_plain: bool, anchor: usize, tag: String },
    Sequence { anchor: usize, tag: String },
    Mapping { anchor: usize, tag: String },
    End,
    Alias(usize),
}

fn tag_text(tag: Option<&Tag>) -> String {
    tag.map_or_else(String::new, |tag| format!("{}{}", tag.handle, tag.suffix))
}

fn steps(text: &str) -> Result<Vec<Step>, Problem> {
    let problem = |error: &ScanError| (error.info().to_owned(), error.marker().line(), error.marker().col() + 1);
    let mut found = vec![];
    let mut depth = 0;
    for item in Parser::new_from_str(text) {
        let (event, span) = item.map_err(|error| problem(&error))?;
        found.push(match event {
            Event::DocumentStart(_) => Step::Document,
            Event::Scalar(text, style, anchor, tag) => Step::Scalar {
                text: text.into_owned(),
                is_plain: style == ScalarStyle::Plain,
                anchor,
                tag: tag_text(tag.as_deref()),
            },
            Event::SequenceStart(anchor, tag) => {
                depth += 1;
                Step::Sequence { anchor, tag: tag_text(tag.as_deref()) }
            }
            Event::MappingStart(anchor, tag) => {
                depth += 1;
                Step::Mapping { anchor, tag: tag_text(tag.as_deref()) }
            }
            Event::SequenceEnd | Event::MappingEnd => {
                depth -= 1;
                Step::End
            }
            Event::Alias(anchor) => Step::Alias(anchor),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
        });
        if depth > DEEPEST {
            return Err(("nested too deeply".to_owned(), span.start.line(), span.start.col() + 1));
        }
    }
    Ok(found)
}

#[pyfunction]
fn read_yaml(py: Python<'_>, text: &str) -> PyResult<(Vec<Py<PyAny>>, Option<Problem>)> {
    let found = match py.detach(|| steps(text)) {
        Ok(found) => found,
        Err(problem) => return Ok((vec![], Some(problem))),
    };
    let mut list = vec![];
    for step in found {
        list.push(match step {
            Step::Document => "---".into_py_any(py)?,
            Step::Scalar { text, is_plain, anchor, tag } => (text, is_plain, anchor, tag).into_py_any(py)?,
            Step::Sequence { anchor, tag } => ("[", anchor, tag).into_py_any(py)?,
            Step::Mapping { anchor, tag } => ("{", anchor, tag).into_py_any(py)?,
            Step::End => "end".into_py_any(py)?,
            Step::Alias(anchor) => anchor.into_py_any(py)?,
        });
    }
    Ok((list, None))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_yaml, module)?)
}
