"""A server whose answers a test decides on."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from grantor import Grantor


@dataclass
class Seen:
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """An answer; without a status the connection is closed."""

    status: int | None = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


def refusal(status: int, code: str = "REFUSED", **more: Any) -> Answer:
    error = {"code": code, "message": "Refused", "request_id": "request-1", **more}
    return Answer(status, {"success": False, "error": error})


def later(status: int, seconds: int) -> Answer:
    return replace(refusal(status), headers={"Retry-After": str(seconds)})


class Stub:
    """Answers in order; `/auth/` has answers of its own."""

    def __init__(self, *answers: Answer | Callable[[Seen], Answer]) -> None:
        self.answers = list(answers)
        self.token_answers: list[Answer] = []
        self.seen: list[Seen] = []
        self.token_calls: list[Seen] = []
        self.waits: list[float] = []
        self._clients: list[Grantor] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Stub:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_any(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Seen(self.command, self.path, headers, self.rfile.read(length))
                answer = stub.answer(request)
                if answer.status is None:
                    self.close_connection = True
                    return
                content = answer.body
                if content is None:
                    content = b""
                elif not isinstance(content, bytes):
                    content = json.dumps(content).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(content)

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        # The default looks only twice per second whether it should stop.
        threading.Thread(target=self._server.serve_forever, args=(0.005,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for client in self._clients:
            client.close()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, request: Seen) -> Answer:
        with self._lock:
            if request.path.startswith("/auth/token"):
                self.token_calls.append(request)
                if self.token_answers:
                    return self.token_answers.pop(0)
                return tokens(len(self.token_calls))
            self.seen.append(request)
            answer = self.answers.pop(0)
            return answer(request) if callable(answer) else answer

    def client(self, **options: Any) -> Grantor:
        """A client that notes how long it would wait, without jitter."""
        pair = {"api_key": "gk_test_key", "api_secret": "gs_test_secret"}
        client = Grantor(self.url, **(pair | options))
        client._use(replace(client._core, sleep=self.waits.append, chance=lambda: 1.0))
        self._clients.append(client)
        return client

    @property
    def bearers(self) -> list[str | None]:
        return [it.headers.get("authorization") for it in self.seen]


def tokens(number: int, life: int = 3600) -> Answer:
    return Answer(200, {"success": True, "data": {
        "access_token": f"access-{number}", "refresh_token": f"gxr_{number}",
        "token_type": "Bearer", "expires_in": life, "scopes": [],
    }})


def page(items: list[Any], number: int, pages: int) -> Answer:
    return Answer(200, {"data": items, "pagination": {
        "page": number, "per_page": len(items), "total": 5, "total_pages": pages,
        "has_next": number < pages, "has_prev": number > 1,
    }})
