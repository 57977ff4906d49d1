"""What can be wrong with an order to print."""

from __future__ import annotations


class PrintError(ValueError):
    """Something cannot be printed as asked; the text is one sentence that says why."""
