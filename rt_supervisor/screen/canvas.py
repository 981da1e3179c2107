"""The one widget of the screen: it draws the session's rows, and passes the mouse to the session.

A frame redraws only the rows that have changed. Text of scripts arrives as rows of the emulator, so that it contains no control
characters.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from . import rendering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rendering import Row
    from .session import Session

_RGB = 1 << 24
_BOLD, _DIM, _ITALIC, _UNDERLINED, _INVERSE, _STRUCK, _SELECTED = (1 << bit for bit in range(7))
_RULE = Style.parse("dim")
_CURSOR = Style(reverse=True)
_NO_STYLE = Style()
_CLICK_S = 0.5


class Canvas(Widget):
    """Draws a session over the whole screen."""

    DEFAULT_CSS = "Canvas { width: 100%; height: 100%; }"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._styles_of_cells: dict[tuple[int, int, int], Style] = {}
        self._parsed: dict[str, Style] = {}
        self._view: list[list[tuple[str, int, int, int]]] = []
        self._list: list[Row] = []
        self._page: list[Row] = []
        self._lines: list[Strip] = []
        self._clicks = 0
        self._clicked_at = (-1, -1)
        self._clicked_time = 0.0

    # --- drawing

    def draw(self) -> None:
        """Draw the rows that have changed."""
        session = self._session
        self._list = rendering.list_rows(session)
        self._page = rendering.page_rows(session) if session.mode == "reading" else []
        terminal = session.terminal()
        self._view = [] if terminal is None else terminal.rows()
        width, before = self.size.width, self._lines
        self._lines = [self._line(y) for y in range(self.size.height)]
        changed = [y for y, line in enumerate(self._lines) if y >= len(before) or line != before[y]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def on_resize(self) -> None:
        self._lines = []
        self.draw()

    def draw_output(self) -> None:
        """Draw what has changed if the script has written something to the terminal that is shown."""
        terminal = self._session.terminal()
        if terminal is not None and terminal.take_changes() != []:
            self.draw()

    def _view_place(self) -> tuple[int, int]:
        """Return the column and the row of the view's first cell."""
        layout = self._session.layout
        return (0, layout.list_rows + 1) if layout.is_stacked else (layout.list_columns + 1, 1)

    def render_line(self, y: int) -> Strip:
        return self._lines[y] if y < len(self._lines) else Strip.blank(self.size.width)

    def _line(self, y: int) -> Strip:
        session, layout = self._session, self._session.layout
        width = self.size.width
        if y >= self.size.height - 1:
            return self._strip(rendering.status(session), width)
        left, top = self._view_place()
        if layout.is_stacked:
            if y < layout.list_rows:
                return self._strip(self._list[y] if y < len(self._list) else [], width)
            return self._view_strip(y - top, layout.view_columns)
        listed = self._strip(self._list[y] if y < len(self._list) else [], left - 1)
        return Strip.join([listed, Strip([Segment("│", _RULE)], 1), self._view_strip(y - top, layout.view_columns)])

    def _view_strip(self, row: int, width: int) -> Strip:
        """Return a row of the view; row -1 is the heading."""
        session = self._session
        if row < 0:
            return self._strip(rendering.heading(session), width)
        if session.mode == "reading":
            return self._strip(self._page[row] if row < len(self._page) else [], width)
        cells = self._view[row] if row < len(self._view) else []
        segments = [Segment(text, self._style_of(fore, back, attributes)) for text, fore, back, attributes in cells]
        strip = Strip(segments)
        if session.column:
            strip = strip.crop(session.column)
        strip = strip.adjust_cell_length(width, _NO_STYLE)
        terminal = session.terminal()
        cursor = terminal.cursor if terminal is not None and session.mode == "interacting" else None
        if cursor is not None and cursor[0] == row and (column := cursor[1] - session.column) < width:
            strip = Strip.join(
                [strip.crop(0, column), strip.crop(column, column + 1).apply_style(_CURSOR), strip.crop(column + 1)]
            )
        return strip

    def _strip(self, row: Row, width: int) -> Strip:
        segments = [Segment(text, self._parse(style)) for text, style in row if text]
        return Strip(segments, sum(cell_len(text) for text, _ in row)).adjust_cell_length(max(width, 0), _NO_STYLE)

    def _parse(self, style: str) -> Style:
        if style not in self._parsed:
            self._parsed[style] = Style.parse(style)
        return self._parsed[style]

    def _style_of(self, fore: int, back: int, attributes: int) -> Style:
        found = self._styles_of_cells.get((fore, back, attributes))
        if found is None:
            if len(self._styles_of_cells) > 4096:
                self._styles_of_cells.clear()  # a script that prints gradients
            found = self._styles_of_cells[fore, back, attributes] = Style(
                color=_colour(fore),
                bgcolor=_colour(back),
                bold=bool(attributes & _BOLD),
                dim=bool(attributes & _DIM),
                italic=bool(attributes & _ITALIC),
                underline=bool(attributes & _UNDERLINED),
                strike=bool(attributes & _STRUCK),
                reverse=bool(attributes & _INVERSE) != bool(attributes & _SELECTED),
            )
        return found

    # --- the mouse

    def _cell(self, event: events.MouseEvent) -> tuple[int, int] | None:
        """Return the row and column of the view under the mouse; None elsewhere."""
        left, top = self._view_place()
        row, column = event.y - top, event.x - left
        layout = self._session.layout
        return (row, column) if 0 <= row < layout.view_rows and 0 <= column < layout.view_columns else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        layout = self._session.layout
        if (cell := self._cell(event)) is not None:
            self._session.press_mouse(*cell, button=max(event.button - 1, 0), clicks=self._count_clicks(event))
        elif event.x < layout.list_columns and event.y < layout.list_rows:
            self._session.click_list(event.y)
        self.draw()

    def _count_clicks(self, event: events.MouseDown) -> int:
        """Return 1 for a click, 2 for the second one at the same place within half a second, and so on."""
        place = (event.x, event.y)
        is_repeated = place == self._clicked_at and event.time - self._clicked_time < _CLICK_S
        self._clicks = self._clicks + 1 if is_repeated else 1
        self._clicked_at, self._clicked_time = place, event.time
        return self._clicks

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button and (cell := self._cell(event)) is not None:
            self._session.drag_mouse(*cell)
            self.draw()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if (cell := self._cell(event)) is not None:
            self._session.release_mouse(*cell)
            self.draw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._turn_wheel(event, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._turn_wheel(event, -1)

    def _turn_wheel(self, event: events.MouseEvent, lines: int) -> None:
        if (cell := self._cell(event)) is not None:
            self._session.wheel(lines, row=cell[0], column=cell[1])
        else:
            self._session.act("up" if lines > 0 else "down")
        self.draw()


def _colour(number: int) -> Color | None:
    if number < 0:
        return None
    if number & _RGB:
        return Color.from_rgb(number >> 16 & 255, number >> 8 & 255, number & 255)
    return Color.from_ansi(number)
