"""JSON Web Tokens of a program that vouches for people."""

from typing import Any, Final

import jwt

JWT_KEY: Final = b"a key of the program and this server, of some length for 512 bits......"


def token(claims: dict[str, Any], *, key: bytes = JWT_KEY, algorithm: str = "HS256") -> str:
    return jwt.encode(claims, key, algorithm)


def token_for(email: str) -> str:
    return token({"email": email})
