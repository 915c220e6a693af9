"""The OpenAPI 3.1 description, made from the declarations that also parse requests.

`python -m chatcore.http.openapi` prints it for the project's own endpoints. The output is deterministic.
"""

from chatcore.http.openapi.document import describe
from chatcore.http.openapi.examples import Example, recorded_examples
from chatcore.http.openapi.responses import BINARY, ERROR

__all__ = ["BINARY", "ERROR", "Example", "describe", "recorded_examples"]
