"""Printed pages as a reader sees them: as pixels, as letters with their places, as tags.

Lengths are points from the upper left corner of the page.
"""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdf
import pypdfium2
import pypdfium2.raw as raw

SCALE = 2
"""Pixels to a point."""

MM = 72 / 25.4
BLUE = (220, 235, 248)

Boxes = npt.NDArray[np.float64]
"""One row to a box: left, top, right, bottom."""


@dataclass
class Page:
    width: float
    height: float
    text: str
    grey: npt.NDArray[np.uint8]
    letters: str
    """Every letter that leaves a mark, in the order of `places` and `sizes`."""
    places: Boxes
    sizes: npt.NDArray[np.float64]
    blue: Boxes
    """The light-blue boxes."""
    rules: Boxes
    """The thin lines."""

    def grey_at(self, x: float, y: float) -> int:
        """The darkest pixel around a point."""
        row, column = round(y * SCALE), round(x * SCALE)
        return int(self.grey[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].min())


def read(pdf: bytes, *, letters: bool = True) -> list[Page]:
    """Give the pages; without their ``letters``, which take long, where only the look counts."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_page(page, letters) for page in document]
    finally:
        document.close()


def _page(page: Any, with_letters: bool) -> Page:
    width, height = page.get_size()
    textpage = page.get_textpage()
    letters, places, sizes = [], [], []
    box = [ctypes.c_double() for _ in range(4)]
    for number in range(textpage.count_chars() if with_letters else 0):
        letter = chr(raw.FPDFText_GetUnicode(textpage, number))
        assert raw.FPDFText_GetCharBox(textpage, number, *box)
        left, right, bottom, top = (side.value for side in box)
        if letter.isspace() or left == right or bottom == top:
            continue
        letters.append(letter)
        places.append((left, height - top, right, height - bottom))
        sizes.append(raw.FPDFText_GetFontSize(textpage, number))
    blue, rules = [], []
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=9):
        left, bottom, right, top = item.get_bounds()
        place = (left, height - top, right, height - bottom)
        if _fill(item) == BLUE:
            blue.append(place)
        elif min(right - left, top - bottom) < 2:
            rules.append(place)
    return Page(
        width,
        height,
        text=textpage.get_text_range().replace("\r\n", "\n"),
        grey=page.render(scale=SCALE, grayscale=True).to_numpy().copy(),
        letters="".join(letters),
        places=np.array(places).reshape(-1, 4),
        sizes=np.array(sizes),
        blue=np.array(blue).reshape(-1, 4),
        rules=np.array(rules).reshape(-1, 4),
    )


def _fill(item: Any) -> tuple[int, ...] | None:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, mode, stroke)
    if not mode.value:
        return None
    parts = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(item, *parts)
    return tuple(part.value for part in parts[:3])


def overlapping(one: Boxes, other: Boxes, by: float) -> npt.NDArray[np.intp]:
    """Give the pairs of boxes, a row for each, that share more than this in width and in height."""
    # Only what begins less than the tallest of the others higher up can reach down to a box.
    order = np.argsort(other[:, 1])
    tops = other[order, 1]
    tallest = (other[:, 3] - other[:, 1]).max(initial=0)
    first = np.searchsorted(tops, one[:, 1] - tallest)
    counts = np.maximum(np.searchsorted(tops, one[:, 3]) - first, 0)
    a = np.repeat(np.arange(len(one)), counts)
    b = order[np.arange(len(a)) + np.repeat(first - (counts.cumsum() - counts), counts)]
    shared = np.minimum(one[a, 2:], other[b, 2:]) - np.maximum(one[a, :2], other[b, :2])
    both = (shared > by).all(axis=1)
    return np.stack([a[both], b[both]], axis=1)


def tags(pdf: bytes) -> list[str]:
    """All tags of the document, in the order in which they are read out."""
    return [str(node["/S"]) for node in _nodes(_catalog(pdf)["/StructTreeRoot"])]


def _nodes(value: Any) -> Iterator[Any]:
    value = value.get_object() if hasattr(value, "get_object") else value
    if isinstance(value, list):
        for item in value:
            yield from _nodes(item)
    elif isinstance(value, dict):
        if "/S" in value:
            yield value
        if "/K" in value:
            yield from _nodes(value["/K"])


def _catalog(pdf: bytes) -> Any:
    return pypdf.PdfReader(io.BytesIO(pdf)).trailer["/Root"]


def catalog(pdf: bytes) -> dict[str, Any]:
    """What the document says of itself: language, title, whether it is tagged."""
    root = _catalog(pdf)
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    return {
        "language": root["/Lang"],
        "title": reader.metadata.title if reader.metadata else None,
        "shows_title": bool(root["/ViewerPreferences"]["/DisplayDocTitle"]),
        "marked": bool(root["/MarkInfo"]["/Marked"]),
        "xmp": root["/Metadata"].get_object().get_data().decode(),
    }


def fonts(pdf: bytes) -> dict[str, bool]:
    """The fonts of the document, and whether each is inside it."""
    found = {}
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            for inner in font.get_object().get("/DescendantFonts", [font]):
                descriptor = inner.get_object()["/FontDescriptor"]
                name = str(descriptor["/FontName"])
                found[name] = any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3"))
    return found
