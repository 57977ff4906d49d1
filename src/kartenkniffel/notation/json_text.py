"""Strict JSON: what is read can be written again and means one thing only."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonError(ValueError):
    """The text is not JSON that means one thing; the message is the rest of «it is …»."""


def read_json(data: bytes) -> Any:
    """Read UTF-8 JSON; raises `JsonError` where it is none, or where a key stands twice.

    Numbers that cannot be kept (``1e999``, thousands of digits), ``NaN`` and half characters (lone
    surrogates) are refused too.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8 text (byte {error.start})") from None
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float
        )
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} (line {error.lineno})") from None
    except RecursionError:
        raise JsonError("not JSON that can be kept: it is nested too deeply") from None
    except UnicodeEncodeError:
        raise JsonError("not UTF-8 text: a character is half a pair") from None
    except JsonError:
        raise
    except ValueError:
        raise JsonError("not JSON that can be kept: a number is too long") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise JsonError(f"not clear: the key {excerpt(key)} is given twice")
        result[key] = value
    return result


def _constant(name: str) -> Any:
    raise JsonError(f"not JSON: {name} is no number")


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise JsonError("not JSON that can be kept: a number is too large")
    return number


def excerpt(text: str) -> str:
    """Give the beginning of a text for a sentence: quoted, in ASCII, at most 24 characters."""
    return ascii(text[:24]) + ("…" if len(text) > 24 else "")
