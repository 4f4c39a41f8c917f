"""A webhook receiver as the libraries' own documentation would have it, for those of PyPI.

Takes the path of an older svix's webhooks.py, which verifies by itself. Prints its port. PUT /secrets says with which secrets deliveries must verify, POST /hook is a
delivery, GET /report tells what was seen.
"""

import base64
import importlib.util
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import standardwebhooks.webhooks
import svix.webhooks

spec = importlib.util.spec_from_file_location("older_svix", sys.argv[1])
older_svix = importlib.util.module_from_spec(spec)
spec.loader.exec_module(older_svix)

LIBRARIES = {
    "standardwebhooks (PyPI)": standardwebhooks.webhooks.Webhook,
    "svix (PyPI)": svix.webhooks.Webhook,
    "svix, older (PyPI)": older_svix.Webhook,
}
REFUSALS = (
    standardwebhooks.webhooks.WebhookVerificationError,
    svix.webhooks.WebhookVerificationError,
    older_svix.WebhookVerificationError,
)
WRONG = "whsec_" + base64.b64encode(os.urandom(32)).decode()

lock = threading.Lock()
secrets = []
seen = {}
faults = []


def passes(library, secret, body, headers):
    try:
        LIBRARIES[library](secret).verify(body, headers)
        return True
    except REFUSALS:
        return False


def flipped(body, number):
    """The same body with one bit of one byte turned, in a place that stays UTF-8."""
    place = (number * 7919) % len(body)
    while body[place] >= 128:
        place = (place + 1) % len(body)
    return body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]


def judge(library, body, headers, number):
    """What is wrong with how a library takes a delivery and its counterfeits."""
    wrong = [f"{library}: refused" for it in secrets if not passes(library, it, body, headers)]
    if passes(library, secrets[0], flipped(body, number), headers):
        wrong.append(f"{library}: a flipped bit passed")
    if passes(library, WRONG, body, headers):
        wrong.append(f"{library}: another secret passed")
    return wrong


def take(body, headers):
    wrong = [it for name in LIBRARIES for it in judge(name, body, headers, len(seen))]
    signatures = len(headers["webhook-signature"].split(" "))
    if signatures != len(secrets):
        wrong.append(f"{signatures} signatures for {len(secrets)} secrets")
    with lock:
        faults.extend(wrong)
        if not wrong:
            seen[headers["webhook-id"]] = {
                "bytes": len(body),
                "unicode": any(it >= 128 for it in body),
                "signatures": signatures,
            }
    return not wrong


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def answer(self, status, content=b""):
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_PUT(self):
        secrets[:] = json.loads(self.body())
        self.answer(200)

    def do_POST(self):
        taken = take(self.body(), {key.lower(): value for key, value in self.headers.items()})
        self.answer(200 if taken else 400)

    def do_GET(self):
        with lock:
            report = {"libraries": list(LIBRARIES), "seen": seen, "faults": faults}
            content = json.dumps(report).encode()
        self.answer(200, content)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
