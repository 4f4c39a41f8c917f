"""The SDK against a running server with the sample data.

    export SDK_TEST_URL=http://127.0.0.1:8080 SDK_TEST_SAMPLE=sample.json
    PYTHONPATH=src python3 tests/live.py

`SDK_TEST_SAMPLE` is the output of `grantor demo --json`. The data must be fresh, and the server must
be allowed to reach this machine (`GRANTOR_OUTBOUND_ALLOW=127.0.0.0/8`).
"""

import asyncio
import json
import os
import pathlib
import threading
import time
import unittest
import urllib.request
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import grantor

URL = os.environ["SDK_TEST_URL"]
SAMPLE = json.loads(pathlib.Path(os.environ["SDK_TEST_SAMPLE"]).read_text(encoding="utf-8"))
UNKNOWN = "00000000-0000-7000-8000-000000000000"
TODAY = datetime.now(UTC).strftime("%Y-%m-%dT00:00:00Z")


def client_of(name: str) -> grantor.Grantor:
    account = next(it for it in SAMPLE["accounts"] if it["name"] == name)
    return grantor.Grantor(URL, api_key=account["apiKey"], api_secret=account["apiSecret"])


# One client each: a key can be exchanged ten times per hour.
agency = client_of("Quillfeather Talent")
brand = client_of("Marrowby Outdoor")
platform = client_of("Loopwell")


def tearDownModule() -> None:
    for client in (agency, brand, platform):
        client.close()


class Live(unittest.TestCase):
    def test_from_asking_to_proof(self) -> None:
        license = next(iter(brand.catalog.list(search="storybook")))
        question: grantor.models.Questions = {
            "questions": [{"license_id": license["id"], "use": "endorsement", "territory": "JP"}]
        }
        self.assertEqual(brand.decisions.decide(question)["decisions"][0]["decision"], "ask")
        asked = brand.requests.create({
            "license_id": license["id"], "uses": ["endorsement"], "territories": ["JP"],
            "starts_at": TODAY, "purpose": "Her face on the label of a lantern",
            "budget": {"amount": "90000.00", "currency": "JPY"},
        })
        brand.requests.send_message(asked["id"], {"message": "We would print 2,000 labels."})
        inbox = agency.requests.list(role="owner", license_id=license["id"], status="open")
        self.assertEqual([it["id"] for it in inbox], [asked["id"]])
        agency.requests.mark_read(asked["id"])
        agency.requests.offer(asked["id"], {"terms": {
            "uses": ["endorsement"], "territories": ["JP"], "starts_at": TODAY,
            "fee": {"amount": "100000.00", "currency": "JPY", "per": "campaign"},
        }})
        offer = brand.requests.get(asked["id"])["offers"][0]
        accepted = brand.requests.accept(asked["id"], {"terms_hash": offer["terms_hash"]})
        self.assertEqual(accepted["status"], "active")
        self.assertEqual(brand.decisions.decide(question)["decisions"][0]["decision"], "allowed")
        receipt = brand.grants.receipt(accepted["id"])["receipt"]
        anybody = grantor.Grantor(URL, api_key="", api_secret="")
        self.assertEqual(anybody.receipts.verify({"receipt": receipt})["valid"], "yes")
        self.assertTrue(brand.grants.certificate(accepted["id"]).startswith(b"%PDF"))
        agency.grants.revoke(accepted["id"], {"reason": "5,000 labels were printed."})
        self.assertEqual(anybody.receipts.verify({"receipt": receipt})["reasons"], ["REVOKED"])
        anybody.close()

    def test_lists_have_every_item_once(self) -> None:
        listed = [it["id"] for it in agency.licenses.list(per_page=2, sort="title", order="asc")]
        page = agency.licenses.list(per_page=100).first()
        self.assertGreater(len(listed), 4)
        self.assertEqual(sorted(listed), sorted(it["id"] for it in page.items))
        self.assertEqual(len(listed), page.pagination["total"])

    def test_records_have_their_parts(self) -> None:
        mention = SAMPLE["mentions"][0]["mentionId"]
        self.assertEqual(agency.mentions.get(mention)["id"], mention)
        for evidence in agency.mentions.evidence(mention):
            self.assertIn("revision", evidence)
        self.assertTrue(agency.mentions.evidence_zip(mention).startswith(b"PK"))
        license = agency.licenses.get(SAMPLE["licenses"][0]["licenseId"], include_images=True)
        self.assertEqual(len(license["reference_images"]), license["image_count"])
        self.assertTrue(list(agency.licenses.versions(license["id"])))
        for listed in agency.cases.list():
            self.assertTrue(listed["status"])

    def test_updates_are_checked(self) -> None:
        id = SAMPLE["licenses"][0]["licenseId"]
        license = agency.licenses.get(id)
        old = grantor.etag_of(license)
        changed = agency.licenses.modify(
            id, lambda it: {"description": it["description"] + " And more."}
        )
        self.assertEqual(changed["description"], license["description"] + " And more.")
        with self.assertRaises(grantor.PreconditionFailedError):
            agency.licenses.update(id, {"title": "Another"}, if_match=old)
        fresh = grantor.etag_of(changed)
        agency.licenses.update(id, {"title": license["title"]}, if_match=fresh)

    def test_a_repeated_key_changes_nothing(self) -> None:
        target: grantor.models.NewBookmark = {
            "target_type": "license", "target_id": SAMPLE["licenses"][1]["licenseId"]
        }
        first, again = (
            agency.bookmarks.create(target, idempotency_key="live-test") for _ in range(2)
        )
        self.assertEqual(first, again)
        agency.bookmarks.delete(first["id"])
        with self.assertRaises(grantor.IdempotencyError) as caught:
            agency.bookmarks.create({**target, "note": "N"}, idempotency_key="live-test")
        self.assertEqual(caught.exception.code, "IDEMPOTENCY_MISMATCH")

    def test_a_rejected_token_is_renewed(self) -> None:
        tokens = brand._core.tokens
        token = tokens.get(brand._core._post)
        brand.tokens.revoke({"token": token})
        brand.grants.list().first()
        self.assertTrue(brand.tokens.info()["active"])
        self.assertNotEqual(tokens.get(brand._core._post), token)
        self.assertFalse(brand.tokens.info({"token": token})["active"])

    def test_errors_are_typed(self) -> None:
        with self.assertRaises(grantor.NotFoundError) as caught:
            agency.licenses.get(UNKNOWN)
        self.assertEqual(caught.exception.code, "NOT_FOUND")
        self.assertTrue(caught.exception.request_id)
        with self.assertRaises(grantor.BadRequestError) as refused:
            agency.licenses.list(per_page=101).first()
        self.assertEqual(list(refused.exception.fields), ["per_page"])
        with self.assertRaises(grantor.PermissionDeniedError):
            brand.licenses.update(SAMPLE["licenses"][0]["licenseId"], {"title": "Mine"})
        with self.assertRaises(grantor.NotFoundError) as console:
            platform.content.push(UNKNOWN, {"items": [CONTENT]})
        self.assertEqual(console.exception.code, "NOT_FOUND")
        stranger = grantor.Grantor(URL, api_key="gk_test_unknown", api_secret="gs_test_wrong")
        with self.assertRaises(grantor.AuthenticationError):
            stranger.licenses.list().first()
        stranger.close()

    def test_content_and_checks(self) -> None:
        pushed = platform.content.push(SAMPLE["platforms"][0]["paxId"], {"items": [CONTENT]})
        self.assertEqual(pushed["items"][0]["url"], CONTENT["url"])
        talent = SAMPLE["talents"][0]["fullname"]
        found = agency.checks.check({"text": f"A word about {talent}."})
        self.assertEqual({it["talent"]["name"] for it in found["matches"]}, {talent})
        with self.assertRaises(grantor.BadRequestError):
            agency.checks.check_image(b"no image", "image/png")

    def test_a_picture_is_recognized(self) -> None:
        listed = SAMPLE["licenses"]
        id = next(it["licenseId"] for it in listed if it["imageIds"] and it["status"] == "public")
        license = agency.licenses.get(id, include_images=True, include_image_urls=True)
        image = license["reference_images"][0]
        with urllib.request.urlopen(image["url"]) as response:
            content = response.read()
        found = brand.checks.check_image(content, image["content_type"])
        self.assertIn(license["talent"]["name"], [it["talent"]["name"] for it in found["matches"]])

    def test_webhooks_and_the_feed(self) -> None:
        with Receiver() as receiver:
            hook = agency.webhooks.create({"url": receiver.url, "events": ["license.updated"]})
            receiver.secret = hook["secret"]
            self.assertTrue(agency.webhooks.test(hook["id"])["delivered"])
            license = SAMPLE["licenses"][2]["licenseId"]
            agency.licenses.update(license, {"description": "東京 🎬"})
            test, update = receiver.wait_for(2)
            self.assertEqual(test["type"], "webhook.test")
            if update["type"] != "license.updated":
                self.fail(update["type"])
            self.assertEqual(update["data"]["changed_fields"], ["description"])
            for event in agency.events.follow(after=update["sequence"] - 1, wait=1):
                self.assertEqual(event, update)
                break
            rotated = agency.webhooks.rotate_secret(hook["id"])["secret"]
            self.assertNotEqual(rotated, hook["secret"])
            for receiver.secret in (rotated, hook["secret"]):
                self.assertTrue(agency.webhooks.test(hook["id"])["delivered"])
            receiver.secret = "whsec_" + "A" * 43 + "="
            self.assertEqual(agency.webhooks.test(hook["id"])["status_code"], 400)
            self.assertTrue(list(agency.webhooks.deliveries(hook["id"])))
            agency.webhooks.delete(hook["id"])

    def test_what_is_public(self) -> None:
        self.assertEqual(brand.server.health()["status"], "healthy")
        self.assertIn("license:read", brand.server.discovery()["scopes_supported"])
        self.assertTrue(brand.server.keys()["keys"])
        self.assertTrue(brand.server.receipt_issuer()["issuer"])
        self.assertTrue(brand.server.grant_credential()["vct"])

    def test_asyncio(self) -> None:
        async def titles() -> list[str]:
            async with grantor.AsyncGrantor(URL) as client:
                return [it["title"] async for it in client.catalog.list(per_page=2)]

        expected = [it["title"] for it in brand.catalog.list(per_page=100)]
        self.assertEqual(asyncio.run(titles()), expected)


CONTENT: grantor.models.ContentItem = {
    "url": "https://loopwell.example/sdk", "title": "A post", "text": "About nobody",
}


class Receiver:
    """Receives webhooks, as a program that uses the SDK would."""

    secret = ""

    def __enter__(self) -> "Receiver":
        self.events: list[grantor.models.Event] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                try:
                    event = grantor.verify_webhook(body, dict(self.headers), receiver.secret)
                except grantor.WebhookVerificationError:
                    self.send_error(400)
                    return
                receiver.events.append(event)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def wait_for(self, count: int) -> list[grantor.models.Event]:
        deadline = time.monotonic() + 60
        while len(self.events) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.events


if __name__ == "__main__":
    unittest.main()
