"""The typesetter: data in, PDF out. Fonts come from installed packages, never from the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import typst

_TEMPLATES = Path(__file__).parent / "templates"
_STANDARD: Final = "ua-1"  # PDF/UA-1: tagged, so that a screen reader finds its way
_FONT_PACKAGES = ("manimgx_fonts", "manimgx_fonts_cjk")

FIRST_FAMILY = "Noto Sans"
_EARLY = (FIRST_FAMILY, "Noto Emoji", "Noto Sans Symbols")
_HAN = "Noto Sans CJK SC"  # all of them have the same characters, shaped by national custom


@cache
def _fonts() -> typst.Fonts:
    folders = []
    for package in _FONT_PACKAGES:
        found = find_spec(package)
        if found is None or not found.submodule_search_locations:
            raise RuntimeError(f"the package {package} is not installed")
        folders += [Path(folder) for folder in found.submodule_search_locations]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)


@cache
def families() -> tuple[str, ...]:
    """Give the font families in the order in which a letter is looked for."""
    others = [name for name in _fonts().families() if name not in _EARLY and "CJK" not in name]
    return (*_EARLY, *others, _HAN)


def typeset(template: str, data: Mapping[str, Any]) -> bytes:
    """Set a template with this data, which it sees as data alone, and give the PDF."""
    return typst.compile(
        _TEMPLATES / f"{template}.typ",
        root=_TEMPLATES,
        font_paths=_fonts(),
        sys_inputs={"data": json.dumps({"fonts": families(), **data})},
        pdf_standards=_STANDARD,
    )


@lru_cache(maxsize=4096)
def can_be_set(text: str) -> bool:
    """Tell whether the fonts have all that it takes to set this text."""
    try:
        typeset("probe", {"text": text})
    except typst.TypstError:
        return False
    return True
