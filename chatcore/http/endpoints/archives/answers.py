"""Answers of the endpoints that are made from use cases."""

from chatcore.events.payloads.exports import ConsentObject, ExportObject, PersonExportObject
from chatcore.http.pipeline.routing import Answer


class ExportsAnswer(Answer, frozen=True, kw_only=True):
    exports: list[ExportObject]


class DataExportsAnswer(Answer, frozen=True, kw_only=True):
    exports: list[PersonExportObject]


class ConsentsAnswer(Answer, frozen=True, kw_only=True):
    export_consents: list[ConsentObject]
