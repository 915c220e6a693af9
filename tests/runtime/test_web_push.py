"""The encryption of pushes, by the example of RFC 8291, and their tokens."""

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from chatcore.runtime import web_push
from chatcore.runtime.web_push import (
    BadKey,
    encrypt,
    from_base64url,
    public_text,
    require_keys,
    server_key,
    to_base64url,
)

PLAINTEXT = b"When I grow up, I want to be a watermelon"
SERVER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
    "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_a_content_is_encrypted_as_in_the_example_of_the_standard() -> None:
    key = ec.derive_private_key(int.from_bytes(from_base64url(SERVER)), ec.SECP256R1())
    assert to_base64url(encrypt(PLAINTEXT, P256DH, AUTH, key=key, salt=from_base64url(SALT))) == BODY


def test_the_longest_content_fits_into_what_services_take() -> None:
    longest = bytes(web_push.MAX_PLAINTEXT)
    assert len(encrypt(longest, P256DH, AUTH, key=web_push.new_key(), salt=bytes(16))) <= 4096


def test_a_token_names_the_service_and_is_signed_with_the_key_of_the_server() -> None:
    key, now = server_key(b"k" * 32), 2_000_000_000
    header = web_push.authorization_header(
        key, "https://push.example.net:8443/send/1?a=b", "mailto:ops@example.org", now
    )
    token, _, public = header.removeprefix("vapid t=").partition(", k=")
    assert public == public_text(key)
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(public))
    claims = jwt.decode(
        token, signer, algorithms=["ES256"], options={"verify_aud": False, "verify_exp": False}
    )
    assert claims["aud"] == "https://push.example.net:8443"
    assert claims["sub"] == "mailto:ops@example.org"
    assert now < claims["exp"] <= now + 86_400


def test_the_key_of_the_server_follows_from_its_secret() -> None:
    texts = [public_text(server_key(secret)) for secret in (b"k" * 32, b"k" * 32, b"l" * 32)]
    assert texts[0] == texts[1] != texts[2]
    assert len(from_base64url(texts[0])) == 65


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (P256DH[:-4], AUTH),
        (P256DH, ""),
        (P256DH, AUTH + "AA"),
        ("B" + "A" * 86, AUTH),
        ("é", AUTH),
    ],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(BadKey):
        require_keys(p256dh, auth)
