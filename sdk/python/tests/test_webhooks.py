"""Deliveries are verified as Standard Webhooks says; the vectors were signed by its library."""

import json
import pathlib
import unittest

import grantor

VECTORS = json.loads(
    (pathlib.Path(__file__).parents[2] / "webhook-vectors.json").read_text(encoding="utf-8")
)


class Webhooks(unittest.TestCase):
    def test_vectors(self) -> None:
        self.assertEqual(len(VECTORS), 28)
        for vector in VECTORS:
            for body in (vector["body"], vector["body"].encode()):
                with self.subTest(vector["name"]):
                    given = (body, vector["headers"], vector["secrets"])
                    if vector["valid"]:
                        event = grantor.verify_webhook(*given, now=vector["now"])
                        self.assertEqual(event["id"], vector["headers"]["Webhook-Id"])
                        self.assertEqual(event["type"], "webhook.test")
                    else:
                        with self.assertRaises(grantor.WebhookVerificationError):
                            grantor.verify_webhook(*given, now=vector["now"])

    def test_no_header_of_a_stranger_is_another_error(self) -> None:
        vector = VECTORS[0]
        for name, value in (
            ("Webhook-Timestamp", "9" * 5_000),
            ("Webhook-Signature", "v1,\udcff"),
            ("Webhook-Id", "\udcff"),
        ):
            headers = {**vector["headers"], name: value}
            with self.subTest(name), self.assertRaises(grantor.WebhookVerificationError):
                grantor.verify_webhook(
                    vector["body"], headers, vector["secrets"], now=vector["now"]
                )

    def test_one_secret_needs_no_list(self) -> None:
        vector = VECTORS[0]
        secret = vector["secrets"][0]
        grantor.verify_webhook(vector["body"], vector["headers"], secret, now=vector["now"])

    def test_now_is_the_default(self) -> None:
        vector = VECTORS[0]
        with self.assertRaisesRegex(grantor.WebhookVerificationError, "clock"):
            grantor.verify_webhook(vector["body"], vector["headers"], vector["secrets"])

    def test_the_tolerance_can_be_changed(self) -> None:
        vector = VECTORS[0]
        given = (vector["body"], vector["headers"], vector["secrets"])
        grantor.verify_webhook(*given, tolerance=600, now=vector["now"] + 600)
