"""What can be wrong with a match before or while it is played."""


class ArenaError(ValueError):
    """The match cannot be played as asked for, or not to its end; the message is one sentence."""
