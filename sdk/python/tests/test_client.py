"""Requests and responses: what is sent, lists, errors, entity tags, other transports."""

import asyncio
import unittest
from typing import Any

import grantor
from stub import Answer, Seen, Stub, page, refusal

FINE = Answer(200, {"id": "1"})


class Sent(unittest.TestCase):
    def test_a_query_has_what_is_given(self) -> None:
        with Stub(page([], 1, 1)) as stub:
            client = stub.client()
            client.licenses.list(search="a b&c", include_image_urls=True, per_page=5).first()
            path = "/licenses?per_page=5&search=a+b%26c&include_image_urls=true"
            self.assertEqual(stub.seen[0].path, path)

    def test_parts_of_a_path_are_escaped(self) -> None:
        with Stub(FINE) as stub:
            stub.client().licenses.get("a/b?c#d é")
            self.assertEqual(stub.seen[0].path, "/licenses/a%2Fb%3Fc%23d%20%C3%A9")

    def test_an_empty_id_is_refused(self) -> None:
        client = grantor.Grantor("https://g.example")
        for wrong in ("", ".", ".."):
            with self.subTest(wrong), self.assertRaises(ValueError):
                client.licenses.get(wrong)

    def test_a_body_is_json(self) -> None:
        with Stub(FINE) as stub:
            stub.client(app="Shop/2").licenses.update("1", {"title": "Zoë"}, if_match='"3"')
            seen = stub.seen[0]
            self.assertEqual((seen.method, seen.json), ("PATCH", {"title": "Zoë"}))
            self.assertEqual(seen.headers["content-type"], "application/json")
            self.assertEqual(seen.headers["if-match"], '"3"')
            agent = f"Shop/2 grantor-python/{grantor.__version__} Python/"
            self.assertTrue(seen.headers["user-agent"].startswith(agent))

    def test_a_call_without_a_body_sends_none(self) -> None:
        with Stub(FINE) as stub:
            stub.client().cases.open("1")
            headers = stub.seen[0].headers
            self.assertEqual((headers["content-length"], stub.seen[0].body), ("0", b""))
            self.assertNotIn("content-type", headers)

    def test_an_image_is_sent_as_a_form(self) -> None:
        with Stub(Answer(200, {"matches": []})) as stub:
            stub.client().checks.check_image(b"\x89PNG\r\n", "image/png")
            seen = stub.seen[0]
            boundary = seen.headers["content-type"].removeprefix("multipart/form-data; boundary=")
            head = b'Content-Disposition: form-data; name="image"; filename="image"'
            whole = b"--%s\r\n%s\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\r\n--%s--\r\n"
            mark = boundary.encode()
            self.assertEqual(seen.body, whole % (mark, head, mark))

    def test_files_and_empty_responses(self) -> None:
        with Stub(Answer(200, b"%PDF"), Answer(204), Answer(200, b"eyJ.x.y")) as stub:
            client = stub.client()
            self.assertEqual(client.grants.certificate("1"), b"%PDF")
            client.requests.mark_read("1")
            self.assertEqual(client.receipts.status_list("1"), "eyJ.x.y")

    def test_envelopes_are_opened(self) -> None:
        content = {"data": {"items": []}, "message": "Scanned", "status": "success"}
        with Stub(Answer(201, content)) as stub:
            self.assertEqual(stub.client().content.push("1", {"items": []}), {"items": []})
            self.assertEqual(stub.seen[0].path, "/v1.0.1/console/pax/1/content")

    def test_the_feed_gets_time_to_wait(self) -> None:
        class Noted:
            timeouts: list[float] = []

            def send(self, request: grantor.Request) -> grantor.Response:
                self.timeouts.append(request.timeout)
                body = b'{"data": [], "next_cursor": "0", "has_more": false}'
                body = b'{"data": {"access_token": "a", "refresh_token": "b", "expires_in": 9}}' \
                    if "/auth/" in request.url else body
                return grantor.Response(200, {}, body)

            def close(self) -> None:
                pass

        pair = {"api_key": "k", "api_secret": "s"}
        client = grantor.Grantor("https://g.example", **pair, transport=Noted())
        client.events.list(wait=20)
        self.assertEqual(Noted.timeouts, [30.0, 50.0])

    def test_connections_are_reused_unless_the_server_closed_them(self) -> None:
        closing = Answer(200, {"id": "1"}, {"Connection": "close"})
        with Stub(FINE, FINE, closing, FINE) as stub, stub.client() as client:
            for _ in range(4):
                client.server.health()
            self.assertEqual((len(stub.seen), stub.waits), (4, []))

    def test_urls_that_would_leak_the_secret_are_refused(self) -> None:
        for wrong in (
            "http://g.example",
            "ftp://g.example",
            "g.example",
            "",
            "https://u:p@g.example",
            "http://127.evil.example",
        ):
            with self.subTest(wrong), self.assertRaises(ValueError) as caught:
                grantor.Grantor(wrong)
            self.assertNotIn("p@", str(caught.exception))
        for right in ("https://g.example/in/", "http://localhost:1", "http://[::1]:1"):
            grantor.Grantor(right)
        grantor.Grantor("http://grantor:8080", allow_http=True)

    def test_redirects_are_not_followed(self) -> None:
        with Stub(Answer(302, headers={"Location": "https://evil.example/"})) as stub:
            with self.assertRaises(grantor.APIError) as caught:
                stub.client().server.health()
            self.assertEqual((caught.exception.status, caught.exception.code), (302, "HTTP_302"))


class Lists(unittest.TestCase):
    def answers(self) -> Stub:
        return Stub(page([1, 2], 1, 3), page([3, 4], 2, 3), page([5], 3, 3))

    def test_iterating_goes_over_all_pages(self) -> None:
        with self.answers() as stub:
            self.assertEqual(list(stub.client().grants.list(status="active")), [1, 2, 3, 4, 5])
            paths = [it.path for it in stub.seen]
            self.assertEqual(paths, ["/grants?status=active"] + [
                f"/grants?status=active&page={it}" for it in (2, 3)
            ])

    def test_pages_are_requested_as_far_as_needed(self) -> None:
        with self.answers() as stub:
            self.assertEqual(next(iter(stub.client().grants.list())), 1)
            self.assertEqual(len(stub.seen), 1)

    def test_one_page_has_the_total(self) -> None:
        with Stub(page([3, 4], 2, 3)) as stub:
            first = stub.client().grants.list(page=2).first()
            self.assertEqual((first.items, first.pagination["total"]), ([3, 4], 5))
            self.assertEqual(stub.seen[0].path, "/grants?page=2")

    def test_asyncio(self) -> None:
        async def all_of_it(url: str) -> list[Any]:
            pair = {"api_key": "gk_test_key", "api_secret": "gs_test_secret"}
            async with grantor.AsyncGrantor(url, **pair) as client:
                found: list[Any] = [it async for it in client.grants.list()]
                found.append((await client.with_options(timeout=5).grants.get("1"))["id"])
                async for event in client.events.follow(after=6):
                    found.append(event["sequence"])
                    return found
                return found

        feed = {"data": [{"sequence": 7}], "next_cursor": "7", "has_more": False}
        with Stub(page([1], 1, 2), page([2], 2, 2), FINE, Answer(200, feed)) as stub:
            self.assertEqual(asyncio.run(all_of_it(stub.url)), [1, 2, "1", 7])

    def test_events_are_followed_by_their_cursor(self) -> None:
        def feed(*numbers: int) -> Answer:
            events = [{"sequence": it, "type": "webhook.test"} for it in numbers]
            return Answer(200, {"data": events, "next_cursor": str(numbers[-1]), "has_more": False})

        nothing = Answer(200, {"data": [], "next_cursor": "9", "has_more": False})
        with Stub(feed(8, 9), nothing, feed(10)) as stub:
            events = stub.client().events.follow(after=7, wait=30)
            self.assertEqual([next(events)["sequence"] for _ in range(3)], [8, 9, 10])
            queries = [it.path.split("?")[1] for it in stub.seen]
            self.assertEqual(queries, [f"after={it}&limit=100&wait=30" for it in (7, 9, 9)])


class Errors(unittest.TestCase):
    def test_each_family_has_its_class(self) -> None:
        classes = {
            400: grantor.BadRequestError, 401: grantor.AuthenticationError,
            403: grantor.PermissionDeniedError, 404: grantor.NotFoundError,
            409: grantor.ConflictError, 412: grantor.PreconditionFailedError,
            413: grantor.BadRequestError, 415: grantor.BadRequestError,
            418: grantor.APIError, 422: grantor.IdempotencyError, 501: grantor.ServerError,
        }
        for status, kind in classes.items():
            with self.subTest(status), Stub(refusal(status)) as stub:
                with self.assertRaises(grantor.APIError) as caught:
                    stub.client(api_key=None).server.health()
                self.assertIs(type(caught.exception), kind)

    def test_an_error_says_what_the_server_said(self) -> None:
        details = {"email": "must be an email address", "used": 7}
        with Stub(refusal(400, "VALIDATION_ERROR", details=details)) as stub:
            with self.assertRaises(grantor.BadRequestError) as caught:
                stub.client().server.health()
        error = caught.exception
        self.assertEqual((error.status, error.code), (400, "VALIDATION_ERROR"))
        self.assertEqual((error.message, error.request_id), ("Refused", "request-1"))
        self.assertEqual((error.details, error.fields), (details, {"email": details["email"]}))
        self.assertEqual(str(error), "400 VALIDATION_ERROR: Refused "
                         "(email: must be an email address, used: 7) [request request-1]")

    def test_the_console_envelope_is_understood(self) -> None:
        error = {"code": "NOT_FOUND", "message": "No such key", "details": {}}
        headers = {"X-Request-Id": "request-2"}
        with Stub(Answer(404, {"error": error, "status": "error"}, headers)) as stub:
            with self.assertRaises(grantor.NotFoundError) as caught:
                stub.client().content.push("1", {"items": []})
        self.assertEqual((caught.exception.code, caught.exception.request_id),
                         ("NOT_FOUND", "request-2"))

    def test_errors_of_proxies_have_no_code(self) -> None:
        for body in (b"<html>", b"", b"[]", b'"x"', b"null", b'{"error": "x"}', b"\xff"):
            with self.subTest(body), Stub(Answer(501, body)) as stub:
                with self.assertRaises(grantor.ServerError) as caught:
                    stub.client().server.health()
                self.assertEqual(caught.exception.code, "HTTP_501")

    def test_a_success_that_is_not_json_is_an_error(self) -> None:
        with Stub(Answer(200, b"<html>")) as stub:
            with self.assertRaises(grantor.ServerError) as caught:
                stub.client().server.health()
            self.assertEqual(caught.exception.code, "NOT_JSON")


class Changes(unittest.TestCase):
    def test_a_record_knows_its_entity_tag(self) -> None:
        with Stub(Answer(200, {"id": "1"}, {"ETag": '"3-public"'}), page([{}], 1, 1)) as stub:
            client = stub.client()
            self.assertEqual(grantor.etag_of(client.licenses.get("1")), '"3-public"')
            self.assertIsNone(grantor.etag_of(client.licenses.list().first().items[0]))

    def test_modify_reads_again_after_a_change_by_somebody_else(self) -> None:
        def read(version: int) -> Answer:
            return Answer(200, {"version": version}, {"ETag": f'"{version}"'})

        with Stub(read(1), refusal(412), read(2), FINE) as stub:
            client = stub.client()
            client.licenses.modify("1", lambda it: {"title": f"After {it['version']}"})
            sent = [(it.headers["if-match"], it.json) for it in stub.seen if it.method == "PATCH"]
            self.assertEqual(sent, [('"1"', {"title": "After 1"}), ('"2"', {"title": "After 2"})])

    def test_modify_gives_up(self) -> None:
        def always(seen: Seen) -> Answer:
            return refusal(412) if seen.method == "PATCH" else FINE

        with Stub(*[always] * 4) as stub, self.assertRaises(grantor.PreconditionFailedError):
            stub.client().sources.modify("1", lambda _: {"name": "N"}, attempts=2)
