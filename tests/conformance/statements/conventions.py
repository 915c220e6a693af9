"""Conventions."""

from collections.abc import Mapping

CONVENTIONS: Mapping[str, Mapping[str, str]] = {
    "What holds everywhere": {
        "conventions.base-path": "Every path of the API begins with /api/v1.",
        "conventions.form-or-query": "Parameters come as form fields or in the query.",
        "conventions.json-in-a-field": "Lists and objects are JSON text in one field; text is bare.",
        "conventions.file-part": "A file is a part of a multipart form.",
        "conventions.success-envelope": 'A success has `result` "success" and an empty `msg`.',
        "conventions.error-envelope": 'A refusal has `result` "error", a `msg` and a `code`.',
        "conventions.error-extras": "Some refusals say more in fields of their own.",
        "conventions.ignored-parameters": "A success names the parameters that meant nothing.",
        "conventions.ignored-only-then": "That list is absent when there are none, and in refusals.",
        "conventions.required": "A missing parameter is an error if required, else its default.",
        "conventions.unix-seconds": "Times are whole UNIX seconds.",
        "conventions.date-joined": "`date_joined` alone is ISO 8601 text with an offset.",
        "conventions.channel-and-stream": '"channel" and "stream" are two words for one thing.',
        "conventions.direct-and-private": '"direct" and the older "private" are too.',
    },
}
