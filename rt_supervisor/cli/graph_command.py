"""`rt graph`: the packages of the workspace and what they depend on."""

from __future__ import annotations

from ..errors import Failed
from .streams import warn, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .request import Request
