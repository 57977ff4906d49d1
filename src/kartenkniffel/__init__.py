"""The card game Karten-Kniffel."""

__version__ = "0.1.0"
