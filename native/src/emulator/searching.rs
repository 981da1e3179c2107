//! Finds text in the screen and its history, and returns all of it.
use alacritty_terminal::Term;
use alacritty_terminal::event::EventListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Boundary, Column, Direction, Point, Side};
use alacritty_terminal::selection::{Selection, SelectionType};
use alacritty_terminal::term::search::RegexSearch;

/// Selects the next match after the selection, or the last one of all, and scrolls to it. Matches ignore case unless `text` has an upper-case
/// letter. Returns whether there is one; None for an invalid pattern.
pub fn find<T: EventListener>(term: &mut Term<T>, text: &str, backwards: bool, is_pattern: bool) -> Option<bool> {
    let pattern = if is_pattern { text.to_owned() } else { escaped(text) };
    let mut search = RegexSearch::new(&pattern).ok()?;
    let selected = term.selection.as_ref().and_then(|selection| selection.to_range(term));
    let bottom = Point::new(term.bottommost_line(), term.last_column());
    let (direction, origin) = match selected {
        Some(range) if backwards => (Direction::Left, range.start.sub(term, Boundary::None, 1)),
        Some(range) => (Direction::Right, range.end.add(term, Boundary::None, 1)),
        None => (Direction::Left, bottom),
    };
    let Some(found) = term.search_next(&mut search, origin, direction, Side::Left, None) else {
        term.selection = None;
        return Some(false);
    };
    let mut selection = Selection::new(SelectionType::Simple, *found.start(), Side::Left);
    selection.update(*found.end(), Side::Right);
    term.selection = Some(selection);
    term.scroll_to_point(*found.start());
    Some(true)
}

/// The history and the screen as text.
pub fn text<T>(term: &Term<T>) -> String {
    let start = Point::new(term.topmost_line(), Column(0));
    let end = Point::new(term.bottommost_line(), term.last_column());
    term.bounds_to_string(start, end)
}

/// Returns a regular expression that matches `text`.
fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}
