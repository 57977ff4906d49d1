"""Many games between bots: the same deals for everyone, and figures that say how sure they are.

`run` plays a match in this process or on any executor, `run_command` as the command line does.
"""

from kartenkniffel.arena.command import run_command, run_pool_command
from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.estimate import Estimate
from kartenkniffel.arena.match import DEFAULT_SECONDS_PER_MOVE, Match, Progress, prepare, run
from kartenkniffel.arena.ratings import Rating, ratings_text
from kartenkniffel.arena.report import BotReport, Report

__all__ = [
    "DEFAULT_SECONDS_PER_MOVE",
    "ArenaError",
    "BotReport",
    "Estimate",
    "Match",
    "Progress",
    "Rating",
    "Report",
    "prepare",
    "ratings_text",
    "run",
    "run_command",
    "run_pool_command",
]
