//! A terminal emulator (the crate `alacritty_terminal`) for Python: it interprets what a script writes to its terminal, and keeps the
//! screen with a bounded history. `_native.pyi` documents the class.
//!
//! It draws nothing: its rows are plain text and styles (`rows`), so that no control sequence of a script reaches the terminal of the
//! user. Scripts cannot read or set the clipboard (OSC 52); links (OSC 8) are values that the caller may open.
mod answers;
mod rows;
mod searching;

use std::time::Instant;

use alacritty_terminal::Term;
use alacritty_terminal::grid::{Dimensions, Scroll};
use alacritty_terminal::index::{Column, Point, Side};
use alacritty_terminal::selection::{Selection, SelectionType};
use alacritty_terminal::term::{Config, Osc52, TermDamage, TermMode, viewport_to_point};
use alacritty_terminal::vte::ansi::Processor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::interpreter::class;

use answers::Answers;
use rows::Segment;

/// The least size that the emulator handles.
const LEAST_ROWS: usize = 1;
const LEAST_COLUMNS: usize = 2; // room for one wide character

struct Size {
    rows: usize,
    columns: usize,
}

impl Size {
    fn new(rows: usize, columns: usize) -> Size {
        Size { rows: rows.max(LEAST_ROWS), columns: columns.max(LEAST_COLUMNS) }
    }
}

impl Dimensions for Size {
    fn total_lines(&self) -> usize {
        self.rows
    }

    fn screen_lines(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }
}

/// See `_native.pyi`.
#[pyclass(unsendable)]
struct TerminalEmulator {
    term: Term<Answers>,
    processor: Processor,
    answers: Answers,
    /// What the caller changed since `take_changes`: the view or the selection, which the crate does not report.
    has_moved: bool,
}

#[pymethods]
impl TerminalEmulator {
    #[new]
    #[pyo3(signature = (rows, columns, *, history))]
    fn new(rows: usize, columns: usize, history: usize) -> TerminalEmulator {
        let config = Config { scrolling_history: history, osc52: Osc52::Disabled, ..Config::default() };
        let answers = Answers::default();
        let term = Term::new(config, &Size::new(rows, columns), answers.clone());
        TerminalEmulator { term, processor: Processor::new(), answers, has_moved: false }
    }

    fn feed<'py>(&mut self, py: Python<'py>, data: &[u8]) -> Bound<'py, PyBytes> {
        self.show_overdue();
        self.processor.advance(&mut self.term, data);
        PyBytes::new(py, &self.answers.take_replies())
    }

    fn resize(&mut self, rows: usize, columns: usize) {
        self.term.selection = None;
        self.term.resize(Size::new(rows, columns));
    }

    /// The rows of the viewport.
    fn rows(&self) -> Vec<Vec<Segment>> {
        rows::of(&self.term)
    }

    fn take_changes(&mut self) -> Option<Vec<usize>> {
        self.show_overdue();
        let rows = match self.term.damage() {
            TermDamage::Full => None,
            TermDamage::Partial(lines) => Some(lines.map(|line| line.line).collect()),
        };
        self.term.reset_damage();
        if std::mem::take(&mut self.has_moved) { None } else { rows }
    }

    // --- the view

    fn scroll(&mut self, lines: i32) {
        self.term.scroll_display(Scroll::Delta(lines));
        self.has_moved = true;
    }

    fn scroll_to_start(&mut self) {
        self.term.scroll_display(Scroll::Top);
        self.has_moved = true;
    }

    fn scroll_to_end(&mut self) {
        self.term.scroll_display(Scroll::Bottom);
        self.has_moved = true;
    }

    #[getter]
    fn offset(&self) -> usize {
        self.term.grid().display_offset()
    }

    #[getter]
    fn history(&self) -> usize {
        self.term.grid().history_size()
    }

    #[getter]
    fn cursor(&self) -> Option<(usize, usize)> {
        let point = self.term.grid().cursor.point;
        let row = usize::try_from(point.line.0).ok()? + self.offset();
        let is_shown = self.term.mode().contains(TermMode::SHOW_CURSOR) && row < self.term.screen_lines();
        is_shown.then_some((row, point.column.0))
    }

    // --- what the script has set

    #[getter]
    fn title(&self) -> String {
        self.answers.title()
    }

    #[getter]
    fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    #[getter]
    fn has_application_cursor(&self) -> bool {
        self.term.mode().contains(TermMode::APP_CURSOR)
    }

    #[getter]
    fn has_bracketed_paste(&self) -> bool {
        self.term.mode().contains(TermMode::BRACKETED_PASTE)
    }

    #[getter]
    fn mouse(&self) -> Option<&'static str> {
        let mode = self.term.mode();
        match () {
            () if !mode.contains(TermMode::SGR_MOUSE) => None,
            () if mode.contains(TermMode::MOUSE_MOTION) => Some("motion"),
            () if mode.contains(TermMode::MOUSE_DRAG) => Some("drag"),
            () if mode.contains(TermMode::MOUSE_REPORT_CLICK) => Some("click"),
            () => None,
        }
    }

    fn link_at(&self, row: usize, column: usize) -> Option<String> {
        let point = self.point(row, column)?;
        self.term.grid()[point].hyperlink().map(|link| link.uri().to_owned())
    }

    // --- searching and selecting

    fn find(&mut self, text: &str, backwards: bool, is_pattern: bool) -> Option<bool> {
        self.has_moved = true;
        searching::find(&mut self.term, text, backwards, is_pattern)
    }

    fn text(&self) -> String {
        searching::text(&self.term)
    }

    fn select(&mut self, row: usize, column: usize, unit: &str) {
        let kind = match unit {
            "word" => SelectionType::Semantic,
            "line" => SelectionType::Lines,
            _ => SelectionType::Simple,
        };
        self.term.selection = self.point(row, column).map(|point| Selection::new(kind, point, Side::Left));
        self.has_moved = true;
    }

    fn extend_selection(&mut self, row: usize, column: usize) {
        let point = self.point(row, column);
        if let (Some(point), Some(selection)) = (point, &mut self.term.selection) {
            selection.update(point, Side::Right);
        }
        self.has_moved = true;
    }

    fn clear_selection(&mut self) {
        self.term.selection = None;
        self.has_moved = true;
    }

    fn selected_text(&self) -> String {
        self.term.selection_to_string().unwrap_or_default()
    }
}

impl TerminalEmulator {
    /// Ends a synchronized update that lasts too long, so that its script cannot freeze the view.
    fn show_overdue(&mut self) {
        if self.processor.sync_timeout().sync_timeout().is_some_and(|until| Instant::now() >= until) {
            self.processor.stop_sync(&mut self.term);
        }
    }

    /// The place in the grid of a cell of the viewport; None outside it.
    fn point(&self, row: usize, column: usize) -> Option<Point> {
        let is_inside = row < self.term.screen_lines() && column < self.term.columns();
        is_inside.then(|| viewport_to_point(self.offset(), Point::new(row, Column(column))))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<TerminalEmulator>(module)
}
