"""A login service that provisions people and groups by SCIM."""

import json
from typing import Any

from werkzeug.test import Client, TestResponse

from tests.worlds.organization import FROM, World

TOKEN = "a token of 32 characters or more".replace(" ", "-")
PREFIX = "urn:ietf:params:scim:"
USER = f"{PREFIX}schemas:core:2.0:User"
GROUP = f"{PREFIX}schemas:core:2.0:Group"
PATCH = f"{PREFIX}api:messages:2.0:PatchOp"
TYPE = "application/scim+json"


class Service:
    """The login service, which has the token of a world."""

    def __init__(self, world: World, token: str | None = TOKEN) -> None:
        self.world = world
        self.headers = {"User-Agent": "Okta/1"} | ({"Authorization": f"Bearer {token}"} if token else {})

    def sends(self, method: str, path: str, content: object = None, query: Any = None) -> TestResponse:
        body = content if isinstance(content, bytes | None) else json.dumps(content).encode()
        answer = Client(self.world.answers).open(
            f"/scim/v2{path}",
            method=method,
            data=body,
            query_string=query,
            headers=self.headers,
            content_type=TYPE if body else None,
            environ_base=FROM,
        )
        if answer.status_code != 204:
            assert answer.content_type == TYPE, answer.text
        return answer

    def gets(self, path: str, **query: Any) -> Any:
        return self.succeeds("GET", path, query=query)

    def succeeds(self, method: str, path: str, content: object = None, query: Any = None) -> Any:
        answer = self.sends(method, path, content, query)
        assert answer.status_code in (200, 201), answer.text
        return answer.json

    def patches(self, path: str, *operations: Any) -> Any:
        return self.succeeds("PATCH", path, {"schemas": [PATCH], "Operations": operations})

    def is_refused(self, answer: TestResponse, status: int, scim_type: str | None = None) -> None:
        assert answer.status_code == status, answer.text
        assert answer.json is not None
        assert answer.json["schemas"] == [f"{PREFIX}api:messages:2.0:Error"]
        assert (answer.json["status"], answer.json.get("scimType")) == (f"{status}", scim_type), answer.json

    def creates(self, email: str = "new@example.org", **more: Any) -> Any:
        return self.succeeds("POST", "/Users", {"schemas": [USER], "userName": email, **more})

    def makes_group(self, name: str, *names: str) -> Any:
        members = [{"value": f"{self.world[one].id}"} for one in names]
        return self.succeeds("POST", "/Groups", {"schemas": [GROUP], "displayName": name, "members": members})
