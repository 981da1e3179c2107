//! `HTMLRewriter`: rewrites documents as a stream, with the crate lol_html.
//!
//! A rewriting stops at each piece of the document that a handler selects, and resumes on request, so handlers may take
//! any time without blocking. `rewriting` implements the stopping, `pieces` what handlers do with a piece.
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::interpreter::class;

mod pieces;
mod rewriting;

use pieces::Answer;
use rewriting::{Order, Rewriting, Step};

/// See the stub.
#[pyclass(module = "rt_supervisor._native")]
struct HtmlRewriting {
    rewriting: Rewriting,
}

type Report<'py> = (u8, u8, usize, u8, Option<Bound<'py, PyBytes>>, Option<String>);

#[pymethods]
impl HtmlRewriting {
    #[new]
    fn new(elements: Vec<(String, u8)>, documents: Vec<u8>) -> PyResult<Self> {
        Ok(Self { rewriting: Rewriting::new(elements, documents)? })
    }

    fn feed<'py>(&mut self, py: Python<'py>, bytes: &[u8]) -> Report<'py> {
        self.step(py, Order::Feed(bytes.to_vec()))
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> Report<'py> {
        self.step(py, Order::Finish)
    }

    fn resume<'py>(&mut self, py: Python<'py>) -> Report<'py> {
        self.step(py, Order::Resume)
    }

    fn ask(&mut self, py: Python<'_>, what: &str, name: &str) -> PyResult<Py<PyAny>> {
        match self.rewriting.piece().map_or(Answer::Nothing, |piece| pieces::ask(piece, what, name)) {
            Answer::Nothing => Ok(py.None()),
            Answer::Is(is) => Ok(is.into_pyobject(py)?.to_owned().into_any().unbind()),
            Answer::Text(text) => Ok(text.into_pyobject(py)?.into_any().unbind()),
            Answer::Texts(texts) => Ok(texts.into_pyobject(py)?.into_any().unbind()),
        }
    }

    fn insert(&mut self, place: &str, content: &str, is_html: bool) {
        if let Some(piece) = self.rewriting.piece() {
            pieces::insert(piece, place, content, is_html);
        }
    }

    fn change(&mut self, what: &str, name: &str, value: &str) -> Option<String> {
        self.rewriting.piece().and_then(|piece| pieces::change(piece, what, name, value))
    }

    fn on_end_tag(&mut self, handler: usize) -> Option<String> {
        self.rewriting.on_end_tag(handler)
    }
}

impl HtmlRewriting {
    fn step<'py>(&mut self, py: Python<'py>, order: Order) -> Report<'py> {
        let step = self.rewriting.resume(order);
        let output = self.rewriting.take_output();
        let output = (!output.is_empty()).then(|| PyBytes::new(py, &output));
        match step {
            Step::Wants => (0, 0, 0, 0, output, None),
            Step::Piece { owner, index, kind } => (1, owner, index, kind, output, None),
            Step::Ended(problem) => (2, 0, 0, 0, output, problem),
        }
    }
}

/// What is wrong with a selector, if anything.
#[pyfunction]
fn html_selector_problem(selector: &str) -> Option<String> {
    rewriting::selector_problem(selector)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<HtmlRewriting>(module)?;
    module.add_function(wrap_pyfunction!(html_selector_problem, module)?)
}
