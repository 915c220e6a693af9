"""A login by a provider: the address to which a browser is sent, and the exchange of the code with which it
comes back.
"""

from collections.abc import Mapping
from typing import Any, Final

from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from chatcore.domain.sign_on.claims import VERIFIED, claim_in, wanted_claims
from chatcore.domain.sign_on.providers import LoginRefused, ProviderUnavailable
from chatcore.runtime.openid.services import Description, LoginService
from chatcore.runtime.openid.tokens import claims_of_login

FORM: Final = "application/x-www-form-urlencoded"


def address_to_log_in(
    service: LoginService, *, redirect_uri: str, state: str, nonce: str, verifier: str
) -> str:
    """Return the address at which a browser logs in at the provider.

    :raises ProviderUnavailable:
    """
    provider = service.provider
    address: str = prepare_grant_uri(
        service.description().authorization_endpoint,
        client_id=provider.client_id,
        response_type="code",
        redirect_uri=redirect_uri,
        scope=provider.scopes,
        state=state,
        nonce=nonce,
        code_challenge=create_s256_code_challenge(verifier),
        code_challenge_method="S256",
    )
    return address


def require_issuer(service: LoginService, issuer: str | None) -> None:
    """Check the *issuer* who has sent a browser back, by its own words: it has to be this provider.

    :raises LoginRefused: another issuer; or None, although this provider always names itself
    """
    says_always = service.description().authorization_response_iss_parameter_supported
    if issuer != service.provider.issuer and (issuer is not None or says_always):
        raise LoginRefused("This answer is from another login service.")


def claims_for_code(
    service: LoginService, code: str, *, redirect_uri: str, nonce: str, verifier: str, now: float
) -> Mapping[str, Any]:
    """Return the claims of the person with whose code a browser has come back: those of the token, and those
    that it lacks from the provider's answer about the person.

    :raises LoginRefused: the provider does not accept the code, or its token does not hold
    :raises ProviderUnavailable:
    """
    description = service.description()
    tokens = _exchange_code(service, description, code, redirect_uri, verifier)
    access_token = tokens.get("access_token")
    if not isinstance(access_token, str):
        access_token = None
    claims = claims_of_login(service, tokens.get("id_token"), nonce=nonce, access_token=access_token, now=now)
    lacking = {name for name in wanted_claims(service.provider) if claim_in(claims, name) is None}
    if not (lacking and access_token and description.userinfo_endpoint):
        return claims
    userinfo = service.ask(
        "GET", description.userinfo_endpoint, headers={"Authorization": f"Bearer {access_token}"}
    )
    if userinfo.get("sub") != claims["sub"]:
        raise LoginRefused("The login service says two different things of you.")
    email_claim = service.provider.email_claim
    has_other_email = claim_in(userinfo, email_claim) not in (None, claim_in(claims, email_claim))
    if has_other_email and not lacking.isdisjoint({email_claim, VERIFIED}):
        lacking |= {email_claim, VERIFIED}  # an answer vouches for its own address alone
    return {**userinfo, **claims, **{name: claim_in(userinfo, name) for name in lacking}}


def _exchange_code(
    service: LoginService, description: Description, code: str, redirect_uri: str, verifier: str
) -> Mapping[str, Any]:
    """Return the tokens that the provider gives for a code."""
    body = prepare_token_request(
        "authorization_code", code=code, redirect_uri=redirect_uri, code_verifier=verifier
    )
    provider = service.provider
    auth = ClientAuth(provider.client_id, provider.client_secret, _auth_method(service, description))
    address, headers, body = auth.prepare("POST", description.token_endpoint, {"Content-Type": FORM}, body)
    status, answer = service.ask_for_any("POST", address, body, headers)
    if status == 200:
        return answer
    if answer.get("error") in ("invalid_client", "unauthorized_client"):
        service.note_problem(f"it refuses the client_id or the client_secret ({answer['error']})")
        raise ProviderUnavailable
    raise LoginRefused("The login service does not accept this login any more. Begin again.")


def _auth_method(service: LoginService, description: Description) -> str:
    if not service.provider.client_secret:
        return "none"
    methods = description.token_endpoint_auth_methods_supported
    is_in_body = "client_secret_basic" not in methods and "client_secret_post" in methods
    return "client_secret_post" if is_in_body else "client_secret_basic"


def address_to_log_out(service: LoginService, *, redirect_uri: str) -> str | None:
    """Return the address at which a browser logs out at the provider; None if it has none.

    :raises ProviderUnavailable:
    """
    endpoint = service.description().end_session_endpoint
    if not endpoint:
        return None
    from authlib.common.urls import add_params_to_uri

    given = [("client_id", service.provider.client_id), ("post_logout_redirect_uri", redirect_uri)]
    address: str = add_params_to_uri(endpoint, given)
    return address
