"""The families of metrics, from their declaration."""

from chatcore.runtime.measures import FAMILIES, MetricType

from .table import code, table

WORDS = {MetricType.COUNTER: "counter", MetricType.HISTOGRAM: "histogram"}


def text() -> str:
    rows = [
        (
            code(family.shown_name),
            WORDS.get(family.kind, "gauge"),
            ", ".join(map(code, family.labels)),
            family.meaning,
        )
        for family in FAMILIES
    ]
    return table(("family", "type", "labels", "meaning"), rows)
