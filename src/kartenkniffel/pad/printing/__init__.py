"""Sheets on paper, as tagged PDF: blank ones to write on, and finished games.

>>> pdf = blank_pdf(4, names=["Ana", "Bo"], paper=Paper.A5, language="en")
>>> pdf[:5]
b'%PDF-'
"""

from kartenkniffel.pad.printing.documents import blank_pdf, finished_pdf
from kartenkniffel.pad.printing.errors import PrintError
from kartenkniffel.pad.printing.finished import FinishedGame
from kartenkniffel.pad.printing.paper import Paper
from kartenkniffel.pad.printing.words import LANGUAGES

__all__ = ["LANGUAGES", "FinishedGame", "Paper", "PrintError", "blank_pdf", "finished_pdf"]
