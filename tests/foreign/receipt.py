"""A receipt, verified by the reference implementation of SD-JWT.

    python3 tests/foreign/receipt.py RECEIPT JWKS

Needs sd-jwt 0.10.4 from PyPI. RECEIPT is a file with one receipt, JWKS the key set as published at
/.well-known/jwks.json. The receipt must verify unchanged. Then every character of header and payload
is changed in several ways, and none of the results may verify. A changed disclosure may verify,
because this library drops unknown disclosures, but never with another claim.
"""

import json
import pathlib
import sys

from jwcrypto.jwk import JWK
from sd_jwt.verifier import SDJWTVerifier

OTHERS = "ABQgwz09-_.~="


def verifier(path):
    keys = {key["kid"]: key for key in json.loads(pathlib.Path(path).read_text())["keys"]}

    def find_key(_issuer, header):
        return JWK(**keys[header["kid"]])

    def verify(receipt):
        return SDJWTVerifier(receipt, find_key).get_verified_payload()

    return verify


def changes(receipt, start, end):
    for index in range(start, end):
        for other in OTHERS:
            if other != receipt[index]:
                yield receipt[:index] + other + receipt[index + 1 :]


def accepted(verify, texts):
    """Returns how many texts were tried, and the claims of those that verify."""
    tried, found = 0, []
    for text in texts:
        tried += 1
        try:
            found.append(verify(text))
        except Exception:  # The library raises errors of many types.
            pass
    return tried, found


def main(receipt, jwks):
    receipt, verify = pathlib.Path(receipt).read_text().strip(), verifier(jwks)
    claims = verify(receipt)
    print(f"PyPI sd-jwt: verified {claims['grant_number']} with {len(claims)} claims")
    signature, disclosures = receipt.rindex("."), receipt.index("~")
    tried, wrong = accepted(verify, changes(receipt, 0, signature))
    print(f"  header and payload: {len(wrong)} of {tried} changes accepted")
    tried, found = accepted(verify, changes(receipt, disclosures + 1, len(receipt)))
    other = [it for it in found if any(claims.get(name) != it[name] for name in it)]
    print(f"  disclosures: {len(found)} of {tried} changes accepted, {len(other)} with another claim")
    if wrong or other:
        sys.exit("a changed receipt was accepted")


if __name__ == "__main__":
    main(*sys.argv[1:])
