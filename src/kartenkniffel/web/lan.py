"""The address under which other devices in the same network find the game, also as a QR code."""

from __future__ import annotations

import io
import ipaddress
import socket

import segno

# An address reserved for documentation: asking for the way to it sends nothing.
_ELSEWHERE = ("192.0.2.1", 9)


def lan_host() -> str | None:
    """Give this machine's address in its network, or ``None`` where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
            host: str = probe.getsockname()[0]
        except OSError:
            return None
    address = ipaddress.ip_address(host)
    return None if address.is_loopback or address.is_unspecified else host


def qr_for_terminal(text: str) -> str:
    """Give a text as a QR code in characters, dark on light on any terminal."""
    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()


def qr_as_svg(text: str) -> bytes:
    """Give a text as a QR code in SVG, black on white, with the quiet border that readers need."""
    out = io.BytesIO()
    code = segno.make(text, micro=False, error="m")
    code.save(out, kind="svg", scale=6, border=4, light="white", xmldecl=False, svgns=True)
    return out.getvalue()
