"""Gets in as any program would, with Authlib: see verify_oauth.py, which runs it.

    python oauth.py URL KEY SECRET OTHER_KEY OTHER_SECRET
"""

import os
import sys

# The server under test has no certificate.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests  # noqa: E402
from authlib.integrations.base_client import OAuthError  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata  # noqa: E402
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata  # noqa: E402

METHODS = ["client_secret_basic", "client_secret_post"]


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def refused(session, endpoint, code, **parameters):
    try:
        token = session.fetch_token(endpoint, grant_type="client_credentials", **parameters)
    except OAuthError as error:
        return check(error.error == code, f"{code} and not {error.error}")
    sys.exit(f"a token instead of {code}: {token}")


def discover(url):
    """Follows the documents from the resource to the authorization server."""
    for path in ["", "/mcp"]:
        found = requests.get(f"{url}/.well-known/oauth-protected-resource{path}")
        resource = ProtectedResourceMetadata.model_validate_json(found.content)
        check(str(resource.resource) == url + path, f"{resource.resource} is {url}{path}")
        check([str(it) for it in resource.authorization_servers] == [url], "one server")
    found = requests.get(f"{url}/.well-known/oauth-authorization-server")
    check(str(OAuthMetadata.model_validate_json(found.content).issuer) == url, "the issuer")
    metadata = AuthorizationServerMetadata(found.json())
    # Authlib wants at least one response type, but only authorization endpoints have them.
    keys = set(metadata.REGISTRY_KEYS) - {"response_types_supported"}
    for key in keys:
        getattr(metadata, f"validate_{key}")()
    return metadata


def follow(url, metadata, method, credentials, others):
    """Gets, uses, introspects and revokes a token."""
    check(method in metadata["token_endpoint_auth_methods_supported"], method)
    session = OAuth2Session(*credentials, token_endpoint_auth_method=method, scope="license:read")
    token = session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")
    check(token["scope"] == "license:read" and "refresh_token" not in token, token)
    check(session.get(f"{url}/licenses").status_code == 200, "the token opens licenses")
    check(session.get(f"{url}/webhooks").status_code == 403, "and nothing else")

    def introspect(session):
        endpoint = metadata["introspection_endpoint"]
        answer = session.introspect_token(endpoint, token=token["access_token"])
        check(answer.status_code == 200, answer.text)
        return answer.json()

    stranger = OAuth2Session(*others, token_endpoint_auth_method=method)
    known = introspect(session)
    check(known["active"] and known["client_id"] == credentials[0], known)
    check(introspect(stranger) == {"active": False}, "a stranger learns nothing")
    endpoint = metadata["revocation_endpoint"]
    answer = stranger.revoke_token(endpoint, token=token["access_token"])
    check((answer.status_code, answer.json()["error"]) == (400, "invalid_grant"), answer.text)
    check(introspect(session)["active"], "a stranger revokes nothing")
    check(session.revoke_token(endpoint, token=token["access_token"]).status_code == 200, "revoked")
    check(introspect(session) == {"active": False}, "the token has ended")
    check(requests.get(f"{url}/licenses", headers={
        "authorization": f"Bearer {token['access_token']}"}).status_code == 401, "it opens nothing")


def main(url, key, secret, other_key, other_secret):
    metadata = discover(url)
    for method in METHODS:
        follow(url, metadata, method, (key, secret), (other_key, other_secret))
        wrong = OAuth2Session(key, other_secret, token_endpoint_auth_method=method)
        refused(wrong, metadata["token_endpoint"], "invalid_client")
        right = OAuth2Session(key, secret, token_endpoint_auth_method=method)
        refused(right, metadata["token_endpoint"], "invalid_scope", scope="everything")
        refused(right, metadata["token_endpoint"], "invalid_target", resource="https://other.example")
        print(f"{method}: a token was issued, used, introspected and revoked")


if __name__ == "__main__":
    main(*sys.argv[1:])
