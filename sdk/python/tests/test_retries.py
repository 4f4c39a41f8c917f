"""What is sent again, when, and what is not."""

import unittest

import grantor
from stub import Answer, Stub, later, refusal

CLOSED = Answer(None)
FINE = Answer(200, {"id": "1"})


class Retries(unittest.TestCase):
    def test_temporary_failures_are_waited_out(self) -> None:
        for failure in (*map(refusal, (408, 429, 500, 502, 503, 504)), CLOSED):
            with self.subTest(failure), Stub(failure, failure, failure, FINE) as stub:
                self.assertEqual(stub.client().grants.get("7"), {"id": "1"})
                self.assertEqual(stub.waits, [0.5, 1.0, 2.0])

    def test_after_three_retries_the_error_is_raised(self) -> None:
        with Stub(*[refusal(503, "UNAVAILABLE")] * 4) as stub:
            with self.assertRaises(grantor.ServerError) as caught:
                stub.client().grants.get("7")
            self.assertEqual((caught.exception.code, len(stub.seen)), ("UNAVAILABLE", 4))

    def test_retry_after_is_honored(self) -> None:
        with Stub(later(429, 7), later(503, 60), FINE) as stub:
            stub.client().grants.get("7")
            self.assertEqual(stub.waits, [7.125, 60.25])

    def test_a_long_retry_after_is_an_error(self) -> None:
        with Stub(later(429, 61)) as stub:
            with self.assertRaises(grantor.RateLimitError) as caught:
                stub.client().grants.get("7")
            self.assertEqual((caught.exception.retry_after, stub.waits), (61.0, []))

    def test_retry_after_can_be_a_date(self) -> None:
        past = Answer(503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
        with Stub(past, FINE) as stub:
            stub.client().grants.get("7")
            self.assertEqual(stub.waits, [0.125])

    def test_other_errors_are_not_retried(self) -> None:
        for status in (400, 403, 404, 409, 412, 413, 415, 422, 501, 302):
            with self.subTest(status), Stub(refusal(status)) as stub:
                with self.assertRaises(grantor.APIError):
                    stub.client().grants.get("7")
                self.assertEqual(len(stub.seen), 1)

    def test_all_attempts_share_one_idempotency_key(self) -> None:
        with Stub(CLOSED, refusal(502), FINE, FINE) as stub:
            client = stub.client()
            client.grants.revoke("7", {"reason": "Because."})
            client.grants.revoke("7", {"reason": "Because."})
            keys = [it.headers["idempotency-key"] for it in stub.seen]
            self.assertEqual(keys[:3], [keys[0]] * 3)
            self.assertNotEqual(keys[0], keys[3])

    def test_a_given_idempotency_key_is_used(self) -> None:
        with Stub(FINE) as stub:
            stub.client().requests.withdraw("7", idempotency_key="mine")
            self.assertEqual(stub.seen[0].headers["idempotency-key"], "mine")

    def test_a_conflict_with_a_running_request_is_waited_out(self) -> None:
        with Stub(later(409, 1), FINE) as stub:
            stub.client().requests.withdraw("7")
            self.assertEqual(stub.waits, [1.125])

    def test_what_may_have_happened_is_not_repeated_without_a_key(self) -> None:
        registration = {"email": "a@example.com", "fullname": "A"}
        for failure in (CLOSED, *map(refusal, (408, 500, 502, 503, 504))):
            with self.subTest(failure), Stub(failure) as stub:
                with self.assertRaises(grantor.GrantorError):
                    stub.client().accounts.register(registration)
                self.assertEqual(len(stub.seen), 1)

    def test_a_refusal_by_the_rate_limit_did_not_happen(self) -> None:
        sent = Answer(202, {"success": True, "data": {"message": "Sent"}})
        with Stub(later(429, 1), sent) as stub:
            client = stub.client()
            answer = client.accounts.register({"email": "a@example.com", "fullname": "A"})
            self.assertEqual(answer, {"message": "Sent"})

    def test_a_deletion_whose_response_was_lost_succeeds(self) -> None:
        for failure in (CLOSED, refusal(500), refusal(502)):
            with self.subTest(failure), Stub(failure, refusal(404)) as stub:
                stub.client().bookmarks.delete("7")
        with Stub(refusal(404)) as stub, self.assertRaises(grantor.NotFoundError):
            stub.client().bookmarks.delete("7")
        with Stub(refusal(503), refusal(404)) as stub, self.assertRaises(grantor.NotFoundError):
            stub.client().bookmarks.delete("7")

    def test_a_server_that_does_not_run_is_retried_and_named(self) -> None:
        with Stub() as stub:
            client = stub.client()
        with self.assertRaises(grantor.ConnectionFailedError) as caught:
            client.accounts.send_magic_link({"email": "a@example.com"})
        self.assertEqual((caught.exception.sent, len(stub.waits)), (False, 3))

    def test_options_change_what_is_tried(self) -> None:
        with Stub(refusal(503)) as stub:
            client = stub.client().with_options(max_retries=0)
            with self.assertRaises(grantor.ServerError):
                client.catalog.list().first()
            self.assertEqual(stub.waits, [])

    def test_a_slow_server_times_out(self) -> None:
        import threading

        release = threading.Event()

        def slow(_: object) -> Answer:
            release.wait(10)
            return FINE

        with Stub(slow) as stub:
            client = stub.client(timeout=0.05, max_retries=0)
            with self.assertRaisesRegex(grantor.ConnectionFailedError, "timed out"):
                client.server.health()
            release.set()
