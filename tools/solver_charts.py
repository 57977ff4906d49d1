"""Draws bar charts as plain SVG, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH, _HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 34, 44


def bar_chart(
    title: str,
    axis: str,
    bars: Sequence[tuple[float, float]],
    step: float,
    marks: Sequence[tuple[float, str]] = (),
) -> str:
    """Draw bars of one width ``step`` at their left edges, heights in percent; marks are lines."""
    low, high = bars[0][0], bars[-1][0] + step
    most = 1.1 * max(height for _, height in bars)
    rise = next(r for r in (0.5, 1, 2, 5, 10, 20, 50) if most / r <= 6)

    def x(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def y(percent: float) -> float:
        return _HEIGHT - _BOTTOM - percent / most * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fbfaf7"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" fill="#222">{title}</text>',
    ]
    line = 0.0
    while line <= most:
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(line):.1f}" y2="{y(line):.1f}" '
            f'stroke="#ddd"/><text x="{_LEFT - 6}" y="{y(line) + 4:.1f}" text-anchor="end" '
            f'fill="#555">{line:g}%</text>'
        )
        line += rise
    for left, height in bars:
        parts.append(
            f'<rect x="{x(left) + 0.5:.1f}" y="{y(height):.1f}" '
            f'width="{max(1.0, x(left + step) - x(left) - 1):.1f}" '
            f'height="{y(0) - y(height):.1f}" fill="#3b6ea5"/>'
        )
    spacing = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100) if (high - low) / s <= 16)
    middle = step / 2 if step == 1 else 0.0  # a single number stands below the middle of its bar
    tick = -(-low // spacing) * spacing
    while tick + middle <= high:
        parts.append(
            f'<text x="{x(tick + middle):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle" '
            f'fill="#555">{tick:g}</text>'
        )
        tick += spacing
    for value, text in marks:
        parts.append(
            f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{_TOP - 6}" y2="{y(0):.1f}" '
            f'stroke="#b3401f" stroke-dasharray="4 3"/>'
            f'<text x="{x(value) + 5:.1f}" y="{_TOP + 4}" fill="#b3401f">{text}</text>'
        )
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle" '
        f'fill="#555">{axis}</text></svg>'
    )
    return "\n".join(parts) + "\n"
