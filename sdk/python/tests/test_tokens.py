"""Access tokens: when they are exchanged and renewed, and by whom."""

import threading
import unittest
from dataclasses import replace

import grantor
from grantor.tokens import TokenSource
from stub import Answer, Stub, later, refusal, tokens

FINE = Answer(200, {"id": "1"})


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Memory:
    text: str | None = None

    def load(self) -> str | None:
        return self.text

    def save(self, text: str) -> None:
        self.text = text


def client_at(
    stub: Stub, clock: Clock, store: Memory | None = None, server: str = "https://g.example"
) -> grantor.Grantor:
    client = stub.client()
    source = TokenSource(server, "gk_test_key", "gs_test_secret", store, clock)
    client._use(replace(client._core, tokens=source))
    return client


class Tokens(unittest.TestCase):
    def test_the_key_is_exchanged_once(self) -> None:
        with Stub(FINE, FINE) as stub:
            client = stub.client()
            client.grants.get("1")
            client.grants.get("2")
            pair = {"api_key": "gk_test_key", "api_secret": "gs_test_secret"}
            self.assertEqual([it.json for it in stub.token_calls], [pair])
            self.assertEqual(stub.bearers, ["Bearer access-1"] * 2)

    def test_a_token_is_renewed_five_minutes_before_its_end(self) -> None:
        clock = Clock()
        with Stub(FINE, FINE, FINE) as stub:
            client = client_at(stub, clock)
            client.grants.get("1")
            clock.now += 3299
            client.grants.get("2")
            clock.now += 1
            client.grants.get("3")
            paths = [it.path for it in stub.token_calls]
            self.assertEqual(paths, ["/auth/token", "/auth/token/refresh"])
            self.assertEqual(stub.token_calls[1].json, {"refresh_token": "gxr_1"})
            self.assertEqual(stub.bearers, ["Bearer access-1"] * 2 + ["Bearer access-2"])

    def test_a_rejected_token_is_renewed_once(self) -> None:
        with Stub(refusal(401, "TOKEN_EXPIRED"), FINE) as stub:
            self.assertEqual(stub.client().grants.get("1"), {"id": "1"})
            self.assertEqual(stub.bearers, ["Bearer access-1", "Bearer access-2"])
        with Stub(refusal(401), refusal(401)) as stub:
            with self.assertRaises(grantor.AuthenticationError):
                stub.client().grants.get("1")
            self.assertEqual(len(stub.seen), 2)

    def test_a_change_is_sent_again_after_a_renewal_with_its_key(self) -> None:
        with Stub(refusal(401), FINE) as stub:
            stub.client().requests.withdraw("7")
            first, second = (it.headers["idempotency-key"] for it in stub.seen)
            self.assertEqual(first, second)

    def test_a_dead_refresh_token_leads_to_another_exchange(self) -> None:
        with Stub(refusal(401), FINE) as stub:
            stub.token_answers = [tokens(1), refusal(401, "TOKEN_EXPIRED"), tokens(2)]
            stub.client().grants.get("1")
            paths = [it.path for it in stub.token_calls]
            self.assertEqual(paths, ["/auth/token", "/auth/token/refresh", "/auth/token"])

    def test_a_valid_token_is_used_while_renewing_fails(self) -> None:
        clock = Clock()
        with Stub(FINE, FINE, FINE) as stub:
            client = client_at(stub, clock)
            client.grants.get("1")
            clock.now += 3400
            stub.token_answers = [later(429, 3600)]
            client.grants.get("2")
            self.assertEqual(stub.bearers, ["Bearer access-1"] * 2)
            clock.now += 200
            stub.token_answers = [later(429, 3600)]
            with self.assertRaises(grantor.RateLimitError):
                client.grants.get("3")

    def test_a_wrong_secret_is_an_error(self) -> None:
        with Stub() as stub:
            stub.token_answers = [refusal(401, "INVALID_CREDENTIALS")]
            with self.assertRaises(grantor.AuthenticationError) as caught:
                stub.client().grants.get("1")
            self.assertEqual(caught.exception.code, "INVALID_CREDENTIALS")
            self.assertNotIn("gs_test_secret", str(caught.exception))

    def test_what_is_public_needs_no_token(self) -> None:
        with Stub(FINE) as stub:
            stub.client(api_key=None, api_secret=None).server.health()
            self.assertEqual((stub.bearers, stub.token_calls), ([None], []))
            with self.assertRaisesRegex(grantor.GrantorError, "needs an API key"):
                stub.client(api_key="", api_secret="").grants.get("1")

    def test_threads_share_one_exchange(self) -> None:
        with Stub(*[FINE] * 8) as stub:
            client = stub.client()
            threads = [threading.Thread(target=client.grants.get, args=("1",)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((len(stub.token_calls), len(stub.seen)), (1, 8))

    def test_a_store_keeps_tokens_for_the_next_process(self) -> None:
        clock, store = Clock(), Memory()
        with Stub(FINE, FINE, FINE) as stub:
            client_at(stub, clock, store).grants.get("1")
            client_at(stub, clock, store).grants.get("2")
            self.assertEqual(len(stub.token_calls), 1)
            clock.now += 3500
            client_at(stub, clock, store).grants.get("3")
            self.assertEqual(stub.token_calls[1].path, "/auth/token/refresh")

    def test_a_rejected_token_of_the_store_is_not_used_again(self) -> None:
        clock, store = Clock(), Memory()
        with Stub(FINE, refusal(401), FINE) as stub:
            client_at(stub, clock, store).grants.get("1")
            client_at(stub, clock, store).grants.get("2")
            self.assertEqual(stub.bearers[1:], ["Bearer access-1", "Bearer access-2"])

    def test_saved_tokens_of_another_server_are_not_used(self) -> None:
        clock, store = Clock(), Memory()
        with Stub(FINE, FINE) as stub:
            client_at(stub, clock, store).grants.get("1")
            client_at(stub, clock, store, "https://other.example").grants.get("2")
            self.assertEqual([it.path for it in stub.token_calls], ["/auth/token"] * 2)

    def test_an_unreadable_store_is_replaced(self) -> None:
        texts = ('{"old": 1}', "no JSON", "[1]", "1", "")
        with Stub(*[FINE] * len(texts)) as stub:
            for text in texts:
                store = Memory()
                store.text = text
                client_at(stub, Clock(), store).grants.get("1")
                self.assertIn("access-", store.text)

    def test_nothing_shows_the_secret(self) -> None:
        client = grantor.Grantor("https://g.example", api_key="gk_1", api_secret="gs_secret")
        self.assertEqual(repr(client), "Grantor('https://g.example')")
        self.assertNotIn("gs_secret", repr(vars(client)) + repr(client._core))
