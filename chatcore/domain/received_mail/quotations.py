"""The parts of a mail's text that repeat an earlier mail, or are a signature.

A part is left out only if that is certain: nobody would notice that a text is lost until it is needed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple


class Mark(Enum):
    """The kind of a line, as the program that made a page says."""

    ATTRIBUTION = auto()
    SIGNATURE = auto()


class Line(NamedTuple):
    """A line of a mail; quoted ones begin with ">", as they do in plain text."""

    text: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class DividedText:
    kept: str
    rest: str
    """The text that was left out; empty if there is none."""


_ATTRIBUTION: Final = re.compile(
    r"(?:On|Am|Le|El|Il|Op|Den|Em)\b.{1,300}\b"
    r"(?:wrote|schrieb.{0,100}|a écrit|escribió|ha scritto|schreef.{0,100}|skrev|escreveu)\s?:",
    re.IGNORECASE,
)
"""The line over a quotation."""
_ORIGINAL: Final = re.compile(
    r"-{2,}\s?(?:original message|ursprüngliche nachricht|message d'origine)\s?-{2,}", re.IGNORECASE
)
"""The line over an earlier mail of which the lines are not marked."""
_FORWARDED: Final = re.compile(
    r"-{2,}\s*(?:forwarded message|(?:original )?weitergeleitete nachricht|message transféré"
    r"|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|mensagem encaminhada"
    r"|vidarebefordrat meddelande|videresendt (?:besked|melding)|wiadomość przekazana"
    r"|пересылаемое сообщение|forwarded by\b.{1,200}"
    r"|转发的邮件|轉寄郵件|転送メッセージ)\s*-{2,}"
    r"|(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|début du message "
    r"(?:transféré|réexpédié)|inicio del mensaje reenviado|inizio (?:del )?messaggio inoltrato"
    r"|begin doorgestuurd bericht|início da mensagem (?:re)?encaminhada)\s?:",
    re.IGNORECASE,
)
"""The line over a forwarded mail."""
_POINTS_BELOW: Final = re.compile(
    r"(?:(?:any )?(?:thoughts|ideas|comments|opinions)|what do you (?:all )?think|was (?:meint|denkt) ihr"
    r"|(?:just |only )?(?:fyi|for your information)|(?:please |pls )?(?:see|read) (?:the )?"
    r"(?:mail |message )?(?:below|underneath|inline)|below|inline"
    r"|(?:(?:please )?(?:see|read) )?(?:my |our )?(?:answers|comments|replies)(?: are)? (?:below|inline)"
    r"|(?:meine |unsere )?(?:antworten|kommentare)(?: sind| stehen)? (?:unten|im text)"
    r"|zur? (?:info(?:rmation)?|kenntnis(?:nahme)?)|z\. ?k\."
    r"|zk|s\. ?u|siehe unten|pour (?:info(?:rmation)?|ton information|votre information)|voir ci-dessous|pvi"
    r"|para (?:tu|su) información|ver abajo|per (?:tua )?conoscenza|ter info(?:rmatie)?|zie hieronder"
    r"|para (?:sua )?informação)",
    re.IGNORECASE,
)
"""A remark on what stands below, which says nothing without it."""
_FEW_WORDS: Final = 3
_SIGNATURE: Final = "-- "
_WRAPPED: Final = 3
"""Lines over which the line over a quotation may be wrapped."""


def lines_of_text(text: str) -> list[Line]:
    """Return the lines of a plain text; its signature begins with the last line of two hyphens and a
    blank, and ends before a quotation.
    """
    lines = [Line(line) for line in text.split("\n")]
    begin = max((i for i, line in enumerate(lines) if line.text == _SIGNATURE), default=len(lines))
    end = _beginning_of_quotation(lines[begin:])
    for i in range(begin, len(lines) if end is None else begin + end):
        lines[i] = Line(lines[i].text, Mark.SIGNATURE)
    return lines


def divide(lines: Sequence[Line], *, quotation: bool, signature: bool) -> DividedText:
    """Leave out the quotation of an earlier mail at the end, the signature, or both, unless what is left
    says nothing by itself.
    """
    begin = _beginning_of_quotation(lines) if quotation else None
    ends = [len(lines)] if begin is None else [begin, len(lines)]
    for end in ends:
        kept, rest = _divide_at(lines, end, signature=signature)
        if not _says_nothing(kept):
            return DividedText(kept, rest)
    return DividedText(_join_lines(lines), "")


def _divide_at(lines: Sequence[Line], end: int, *, signature: bool) -> tuple[str, str]:
    """Return the text before line *end*, and the rest. A signature belongs to the rest if *signature*, and to
    the text otherwise, also after *end*.
    """
    kept: list[Line] = []
    rest: list[Line] = []
    for i, line in enumerate(lines):
        is_left_out = signature if line.mark is Mark.SIGNATURE else i >= end
        (rest if is_left_out else kept).append(line)
    return _join_lines(kept), _join_lines(rest)


def _join_lines(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip("\n")


def _says_nothing(text: str) -> bool:
    """Whether a text is a salutation, or a remark on what stands below with a few words around it."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines or (len(lines) == 1 and lines[0].endswith((",", ":"))):
        return True
    remarks = [line for line in lines if _POINTS_BELOW.fullmatch(line.strip(" .!?…:;-–—()*_"))]
    return bool(remarks) and all(len(line.split()) <= _FEW_WORDS for line in lines if line not in remarks)


def _beginning_of_quotation(lines: Sequence[Line]) -> int | None:
    """Return the index of the line where a quotation of an earlier mail begins, if one goes from there to the
    end.

    A forwarded mail is no quotation: its text is what the sender wants to show.
    """
    begin = next((i for i, line in enumerate(lines) if _ORIGINAL.fullmatch(line.text.strip())), None)
    if begin is None:
        begin = _beginning_of_marked_lines(lines)
    if begin is None or _is_forwarded(lines, begin):
        return None
    return begin


def _is_forwarded(lines: Sequence[Line], begin: int) -> bool:
    """Whether a line above *begin*, or the first line with text from there on, says that this is a forwarded
    mail.
    """
    if any(_FORWARDED.fullmatch(_without_mark(line)) for line in lines[:begin]):
        return True
    texts = (_without_mark(line) for line in lines[begin:])
    first = next((text for text in texts if text), "")
    return bool(_FORWARDED.fullmatch(first))


def _beginning_of_marked_lines(lines: Sequence[Line]) -> int | None:
    """Return where a quotation begins whose lines with ">" go on to the end; None if there is none.

    Such lines are a quotation if a line names the writer ("On Monday Ada Fox wrote:"): either the line above
    them, where the quotation then begins, or the first of them. It may be wrapped over `_WRAPPED` lines.
    """
    begin = end = len(lines)
    for i in range(end - 1, -1, -1):
        line = lines[i]
        if line.text.startswith(">"):
            begin = i
        elif line.text.strip() and line.mark is not Mark.SIGNATURE:
            break
    if begin == end:
        return None
    end_above = begin  # of the last line with text
    while end_above and not lines[end_above - 1].text.strip():
        end_above -= 1
    marked = end_above
    while marked and lines[marked - 1].mark is Mark.ATTRIBUTION:
        marked -= 1
    if marked < end_above:
        return marked
    for count in range(1, min(_WRAPPED, end_above) + 1):
        if _is_attribution(lines[end_above - count : end_above]):
            return end_above - count
    first_lines = map(_without_mark, lines[begin : begin + 2 * _WRAPPED])
    quoted = [Line(text) for text in first_lines if text]
    return begin if any(_is_attribution(quoted[:count]) for count in range(1, _WRAPPED + 1)) else None


def _is_attribution(lines: Sequence[Line]) -> bool:
    return bool(_ATTRIBUTION.fullmatch(" ".join(line.text.strip() for line in lines)))


def _without_mark(line: Line) -> str:
    return line.text.lstrip("> ").rstrip().strip("*_")
