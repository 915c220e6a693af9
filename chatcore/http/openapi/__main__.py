"""Prints the description of the project's own endpoints, with the examples that the tests have recorded."""

import json
import sys

from chatcore.http.openapi import describe, recorded_examples
from chatcore.http.routes import ROUTES

sys.stdout.write(json.dumps(describe(ROUTES, recorded_examples()), indent=2, ensure_ascii=False) + "\n")
