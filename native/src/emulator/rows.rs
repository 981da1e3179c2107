//! The rows of the viewport as plain values: segments of text with one style.
use alacritty_terminal::Term;
use alacritty_terminal::event::EventListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line, Point};
use alacritty_terminal::selection::SelectionRange;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};

/// Text, foreground, background, attributes: see `_native.pyi`.
pub type Segment = (String, i32, i32, u32);

const DEFAULT: i32 = -1;
const RGB: i32 = 1 << 24;
const BOLD: u32 = 1;
const DIM: u32 = 2;
const ITALIC: u32 = 4;
const UNDERLINE: u32 = 8;
const INVERSE: u32 = 16;
const STRIKE: u32 = 32;
const SELECTED: u32 = 64;

/// Returns the rows of the viewport. Cells without text or background at the end of a row are omitted.
pub fn of<T: EventListener>(term: &Term<T>) -> Vec<Vec<Segment>> {
    let offset = term.grid().display_offset() as i32;
    let selection = term.selection.as_ref().and_then(|selection| selection.to_range(term));
    (0..term.screen_lines() as i32).map(|row| row_of(term, Line(row - offset), selection.as_ref())).collect()
}

fn row_of<T>(term: &Term<T>, line: Line, selection: Option<&SelectionRange>) -> Vec<Segment> {
    let cells = &term.grid()[line];
    let is_selected = |column: usize| selection.is_some_and(|range| range.contains(Point::new(line, Column(column))));
    let used = (0..term.columns()).rev().find(|column| !is_blank(&cells[Column(*column)]) || is_selected(*column));
    let mut segments: Vec<Segment> = Vec::new();
    for column in 0..used.map_or(0, |last| last + 1) {
        let cell = &cells[Column(column)];
        if cell.flags.intersects(Flags::WIDE_CHAR_SPACER | Flags::LEADING_WIDE_CHAR_SPACER) {
            if cell.flags.contains(Flags::LEADING_WIDE_CHAR_SPACER) {
                push(&mut segments, ' ', (DEFAULT, DEFAULT, 0));
            }
            continue;
        }
        let mut attributes = attributes_of(cell);
        if is_selected(column) {
            attributes |= SELECTED;
        }
        let shown = if cell.flags.contains(Flags::HIDDEN) || cell.c.is_control() { ' ' } else { cell.c };
        push(&mut segments, shown, (number_of(cell.fg), number_of(cell.bg), attributes));
        if let (Some(zerowidth), Some((text, ..))) = (cell.zerowidth(), segments.last_mut()) {
            text.extend(zerowidth.iter().filter(|each| !each.is_control()));
        }
    }
    segments
}

fn push(segments: &mut Vec<Segment>, character: char, (fore, back, attributes): (i32, i32, u32)) {
    match segments.last_mut() {
        Some((text, a, b, c)) if (*a, *b, *c) == (fore, back, attributes) => text.push(character),
        _ => segments.push((character.into(), fore, back, attributes)),
    }
}

/// Returns whether the cell shows nothing.
fn is_blank(cell: &Cell) -> bool {
    let shows = Flags::INVERSE | Flags::ALL_UNDERLINES | Flags::STRIKEOUT;
    cell.c == ' ' && number_of(cell.bg) == DEFAULT && !cell.flags.intersects(shows) && cell.zerowidth().is_none()
}

fn attributes_of(cell: &Cell) -> u32 {
    let is_dim = matches!(cell.fg, Color::Named(color) if color as usize >= NamedColor::DimBlack as usize
        && color != NamedColor::BrightForeground);
    let pairs = [
        (Flags::BOLD, BOLD),
        (Flags::DIM, DIM),
        (Flags::ITALIC, ITALIC),
        (Flags::ALL_UNDERLINES, UNDERLINE),
        (Flags::INVERSE, INVERSE),
        (Flags::STRIKEOUT, STRIKE),
    ];
    let attributes =
        pairs.into_iter().filter(|(flag, _)| cell.flags.intersects(*flag)).map(|(_, bit)| bit).sum::<u32>();
    let underline = if cell.hyperlink().is_some() { UNDERLINE } else { 0 };
    attributes | underline | if is_dim { DIM } else { 0 }
}

/// Encodes a colour: -1 for the default, 0 to 255 of the palette, or RGB above 2^24.
fn number_of(color: Color) -> i32 {
    match color {
        Color::Indexed(number) => number.into(),
        Color::Spec(rgb) => RGB | i32::from(rgb.r) << 16 | i32::from(rgb.g) << 8 | i32::from(rgb.b),
        Color::Named(name) => match name as usize {
            number @ 0..16 => number as i32,
            number if (NamedColor::DimBlack as usize..=NamedColor::DimWhite as usize).contains(&number) => {
                (number - NamedColor::DimBlack as usize) as i32
            }
            _ => DEFAULT,
        },
    }
}
