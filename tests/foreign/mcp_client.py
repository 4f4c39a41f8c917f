"""Uses every tool with the official Python client, which validates results with their schemas.

    python mcp_client.py URL TOKEN_OF_A_BRAND TOKEN_OF_AN_AGENCY

The brand finds a license, asks for it, reads the agency's offer, accepts it in two calls, and gets
the receipt. Wrong tokens, scopes and hashes must be refused.
"""

import asyncio
import base64
import datetime
import json
import random
import struct
import sys
import urllib.error
import urllib.request
import zlib

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

# The current version, and the handshake of earlier ones.
MODES = {"auto": "2026-07-28", "legacy": "2025-11-25"}
TOOLS = [
    "search_catalog", "get_license", "may_i", "check_picture", "request_license", "read_offer",
    "accept_offer", "list_grants", "get_receipt",
]
TODAY = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0)
PERIOD = {
    "starts_at": f"{TODAY + datetime.timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}",
    "ends_at": f"{TODAY + datetime.timedelta(days=8):%Y-%m-%dT%H:%M:%SZ}",
}


def check(condition, what):
    if not condition:
        sys.exit(f"{what}: that is wrong")


def post(url, token, body):
    """A request to the API itself."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def picture():
    """A PNG of 256 by 256 pixels as base64: gray squares, which have enough detail to compare."""

    def chunk(kind, data):
        check_sum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check_sum

    header = struct.pack(">IIBBBBB", 256, 256, 8, 0, 0, 0, 0)
    grays = random.Random(7)
    lines = [b"".join(bytes([grays.randrange(256)]) * 16 for _ in range(16)) for _ in range(16)]
    pixels = zlib.compress(b"".join((b"\0" + line) * 16 for line in lines))
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunks).decode()


class Caller:
    """A connected client."""

    def __init__(self, client):
        self.client = client

    async def use(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        check(not result.is_error, f"{tool} {result.content}")
        return result.structured_content

    async def refused(self, tool, code, **arguments):
        """The tool must fail with this code of the API."""
        result = await self.client.call_tool(tool, arguments)
        check(result.is_error, tool)
        error = json.loads(result.content[0].text)
        check(error["code"] == code, f"{tool} {error}")


class Connection:
    """Connects with an access token, or without one."""

    def __init__(self, url, token, mode="auto"):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.web = httpx2.AsyncClient(headers=headers, timeout=60)
        self.client = Client(streamable_http_client(f"{url}/mcp", http_client=self.web), mode=mode)

    async def __aenter__(self):
        await self.web.__aenter__()
        return Caller(await self.client.__aenter__())

    async def __aexit__(self, *error):
        await self.client.__aexit__(*error)
        await self.web.__aexit__(*error)


def question(license):
    territory = (license["territories"] or ["US"])[0]
    territory = "US" if territory == "WORLD" else territory
    use = (license["uses"] or ["advertising"])[0]
    return {"license_id": license["id"], "use": use, "territory": territory}


async def own_licenses(agency):
    """The agency's licenses in the catalog."""
    found = (await agency.use("search_catalog", per_page=100))["data"]
    answers = await agency.use("may_i", questions=[question(it) for it in found])
    owned = zip(found, answers["decisions"])
    return [it for it, answer in owned if answer["reasons"][0]["code"] == "OWNER"]


async def offered(brand, licenses, url, agency_token):
    """Asks for one license after another, until the agency can make an offer."""
    for license in licenses:
        asked_for = question(license)
        coverage = {"uses": [asked_for["use"]], "territories": [asked_for["territory"]], **PERIOD}
        wish = {"license_id": license["id"], "purpose": "A campaign", **coverage}
        wish["idempotency_key"] = f"{license['id']}-{brand.client.protocol_version}"
        asked = await brand.client.call_tool("request_license", wish)
        if asked.is_error:
            continue
        request = asked.structured_content
        check(await brand.use("request_license", **wish) == request, "the same key")
        await brand.refused("accept_offer", "RESOURCE_CONFLICT", id=request["id"])
        try:
            post(f"{url}/requests/{request['id']}/offer", agency_token, {"terms": coverage})
            return request
        except urllib.error.HTTPError as error:
            # An exclusive grant, or a license that is narrower.
            check(error.code == 409, error.read())
    sys.exit("no license is left")


async def read(brand, licenses):
    """Every tool that only reads."""
    asked = await brand.use("may_i", questions=[question(it) for it in licenses])
    check(all(it["reasons"] for it in asked["decisions"]), asked)
    checked = await brand.use("check_picture", image=picture())
    check(checked == {"matches": [], "skipped": []}, checked)
    await brand.refused("check_picture", "VALIDATION_ERROR", image="no base64")
    await brand.refused("get_license", "NOT_FOUND", id="00000000-0000-7000-8000-000000000000")
    for grant in (await brand.use("list_grants", per_page=3, status="active"))["data"]:
        await brand.use("get_license", id=grant["license"]["id"])
        await brand.use("read_offer", id=grant["request_id"])
        receipt = await brand.use("get_receipt", id=grant["id"])
        check(receipt["receipt"].count("~") > 1, receipt)


async def accept(brand, request):
    """Accepts the offer in two calls, and gets the receipt."""
    shown = await brand.use("accept_offer", id=request["id"])
    check(shown["accepted"] is False, shown)
    wrong = "sha256:" + "A" * 43
    await brand.refused("accept_offer", "RESOURCE_CONFLICT", id=request["id"], terms_hash=wrong)
    terms_hash = shown["offer"]["terms_hash"]
    accepted = await brand.use("accept_offer", id=request["id"], terms_hash=terms_hash)
    check(accepted["grant"]["terms_hash"] == terms_hash, accepted)
    await brand.use("get_receipt", id=accepted["grant"]["id"])
    return accepted["grant"]["number"]


async def refused_without_token(url):
    async with Connection(url, None) as anybody:
        await anybody.use("search_catalog")
        try:
            await anybody.client.call_tool("list_grants", {})
        except MCPError as error:
            check("access token is required" in str(error), error)
        else:
            sys.exit("a tool works without a token")
    try:
        post(f"{url}/mcp", "wrong", {})
    except urllib.error.HTTPError as error:
        challenge = error.headers["www-authenticate"]
        check(error.code == 401 and "invalid_token" in challenge, f"{error.code} {challenge}")
    else:
        sys.exit("a wrong token is accepted")


async def main(url, brand_token, agency_token):
    for mode, version in MODES.items():
        async with Connection(url, brand_token, mode) as brand:
            check(brand.client.protocol_version == version, brand.client.protocol_version)
            tools = [it.name for it in (await brand.client.list_tools()).tools]
            check(tools == TOOLS, tools)
            async with Connection(url, agency_token) as agency:
                licenses = await own_licenses(agency)
            await read(brand, licenses)
            number = await accept(brand, await offered(brand, licenses, url, agency_token))
            print(f"{version}: every tool worked, and made the grant {number}")
    await refused_without_token(url)
    print("Without a token, only the catalog is open; a wrong token is refused.")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
