"""Log lines as text or JSON, and the access log's facts about a request.

The `fields` of a record are the facts of its line: `key=value` in text, members of the object in JSON. Only
servers call `set_up`: programs that embed chatcore set up logging themselves.
"""

import logging
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from json import dumps
from secrets import token_hex
from typing import TYPE_CHECKING, TextIO

from chatcore.http import security_log
from chatcore.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_PLAIN = re.compile(r"[\w.:/@+-]+", re.ASCII)
_REQUEST_ID = re.compile(r"[\w.:/+=@-]{1,100}", re.ASCII)


class _ToStandardError(logging.StreamHandler[TextIO]):
    """A handler that writes to what is standard error at the time; a server may replace it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return sys.stderr


def set_up(settings: Settings) -> None:
    """Write the log to standard error, unless the program has set up a handler or the setting is `off`.

    :raises BadSetting: the security log has a file, which cannot be written
    """
    root, ours = logging.getLogger(), logging.getLogger("chatcore")
    if settings.log_format == "off" or root.handlers or ours.handlers:
        return
    formatter = JsonLines() if settings.log_format == "json" else TextLines()
    if settings.security_log is not None:
        security_log.write_to(settings.security_log, formatter)
    handler = _ToStandardError()
    handler.setFormatter(formatter)
    root.addHandler(handler)
    ours.setLevel(settings.log_level.upper())


def request_id(environ: "WSGIEnvironment", *, from_proxy: bool) -> str:
    """Return the id that a trusted proxy has given to the request, if *from_proxy*, or a new one."""
    given: str = environ.get("HTTP_X_REQUEST_ID", "") if from_proxy else ""
    return given if _REQUEST_ID.fullmatch(given) else token_hex(8)


def _time(record: logging.LogRecord) -> str:
    """Return the time of a record in UTC, as in ISO 8601, to the millisecond."""
    return f"{_format_second(int(record.created))}.{int(record.created * 1000) % 1000:03}Z"


@lru_cache(1)  # one second serves many lines
def _format_second(time: int) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _fields(record: logging.LogRecord) -> Mapping[str, object]:
    fields: Mapping[str, object] = getattr(record, "fields", {})
    return fields


class TextLines(logging.Formatter):
    """`2026-05-04T10:20:30.123Z INFO chatcore.access: GET /health 200 ms=0.1 address=127.0.0.1`"""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        fields = [f" {name}={_format_value(value)}" for name, value in _fields(record).items()]
        return f"{_time(record)} {record.levelname} {record.name}: {record.message}{''.join(fields)}"


def _format_value(value: object) -> str:
    if value is None:
        return "-"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else dumps(text)


class JsonLines(logging.Formatter):
    """One object: `time`, `level`, `logger`, `message`, the fields, and a traceback as `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return dumps(line, default=str)
