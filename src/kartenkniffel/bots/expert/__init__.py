"""The expert level: counts cards, plans several turns ahead and plays for the win.

>>> Expert().name
'expert'
"""

from kartenkniffel.bots.expert.expert import Expert

__all__ = ["Expert"]
