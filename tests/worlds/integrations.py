"""Programs that post to integrations."""

import json
from collections.abc import Mapping
from typing import Any

from werkzeug.test import TestResponse

from tests.worlds.organization import FROM, HOST, World


def send_json(
    world: World,
    path: str,
    query: Mapping[str, Any],
    data: Any,
    *,
    content_type: str = "application/json",
) -> TestResponse:
    """Post data, or bytes as they are."""
    return world.nobody.client.post(
        f"/api/v1{path}",
        query_string=dict(query),
        data=data if isinstance(data, bytes) else json.dumps(data),
        content_type=content_type,
        headers={"Host": HOST},
        environ_base=FROM,
    )
