// What is sent again, when, and what is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as grantor from "../dist/index.js";
import { CLOSED, FINE, later, refusal, withStub } from "./stub.mjs";

test("temporary failures are waited out", async () => {
  for (const failure of [...[408, 429, 500, 502, 503, 504].map((it) => refusal(it)), CLOSED]) {
    await withStub([failure, failure, failure, FINE], async (stub) => {
      assert.deepEqual(await stub.client().grants.get("7"), { id: "1" });
      assert.deepEqual(stub.waits, [500, 1000, 2000]);
    });
  }
});

test("after three retries the error is thrown", () =>
  withStub(Array(4).fill(refusal(503, "UNAVAILABLE")), async (stub) => {
    const error = { name: "ServerError", code: "UNAVAILABLE" };
    await assert.rejects(stub.client().grants.get("7"), error);
    assert.equal(stub.seen.length, 4);
  }));

test("Retry-After is honored", () =>
  withStub([later(429, 7), later(503, 60), FINE], async (stub) => {
    await stub.client().grants.get("7");
    assert.deepEqual(stub.waits, [7_125, 60_250]);
  }));

test("a long Retry-After is an error", () =>
  withStub([later(429, 61)], async (stub) => {
    const error = { name: "RateLimitError", retryAfter: 61_000 };
    await assert.rejects(stub.client().grants.get("7"), error);
    assert.deepEqual(stub.waits, []);
  }));

test("Retry-After can be a date", () => {
  const past = { status: 503, headers: { "Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT" } };
  return withStub([past, FINE], async (stub) => {
    await stub.client().grants.get("7");
    assert.deepEqual(stub.waits, [125]);
  });
});

test("other errors are not retried", async () => {
  for (const status of [400, 403, 404, 409, 412, 413, 415, 422, 501, 302]) {
    await withStub([refusal(status)], async (stub) => {
      await assert.rejects(stub.client().grants.get("7"), grantor.APIError);
      assert.equal(stub.seen.length, 1);
    });
  }
});

test("all attempts share one idempotency key", () =>
  withStub([CLOSED, refusal(502), FINE, FINE], async (stub) => {
    const client = stub.client();
    await client.grants.revoke("7", { reason: "Because." });
    await client.grants.revoke("7", { reason: "Because." });
    const keys = stub.seen.map((it) => it.headers["idempotency-key"]);
    assert.ok(keys[0]);
    assert.deepEqual(keys.slice(0, 3), Array(3).fill(keys[0]));
    assert.notEqual(keys[0], keys[3]);
  }));

test("a given idempotency key is used", () =>
  withStub([FINE], async (stub) => {
    await stub.client().requests.withdraw("7", { idempotencyKey: "mine" });
    assert.equal(stub.seen[0].headers["idempotency-key"], "mine");
  }));

test("a conflict with a running request is waited out", () =>
  withStub([later(409, 1), FINE], async (stub) => {
    await stub.client().requests.withdraw("7");
    assert.deepEqual(stub.waits, [1_125]);
  }));

test("what may have happened is not repeated without a key", async () => {
  for (const failure of [CLOSED, ...[408, 500, 502, 503, 504].map((it) => refusal(it))]) {
    await withStub([failure], async (stub) => {
      const registered = stub.client().accounts.register({ email: "a@example.com", fullname: "A" });
      await assert.rejects(registered, grantor.GrantorError);
      assert.equal(stub.seen.length, 1);
    });
  }
});

test("a refusal by the rate limit did not happen", () => {
  const sent = { status: 202, body: { success: true, data: { message: "Sent" } } };
  return withStub([later(429, 1), sent], async (stub) => {
    const registration = { email: "a@example.com", fullname: "A" };
    assert.deepEqual(await stub.client().accounts.register(registration), { message: "Sent" });
  });
});

test("a deletion whose response was lost succeeds", async () => {
  for (const failure of [CLOSED, refusal(500), refusal(502)]) {
    await withStub([failure, refusal(404)], (stub) => stub.client().bookmarks.delete("7"));
  }
  for (const answers of [[refusal(404)], [refusal(503), refusal(404)]]) {
    await withStub(answers, (stub) =>
      assert.rejects(stub.client().bookmarks.delete("7"), grantor.NotFoundError),
    );
  }
});

test("a server that does not run is retried", async () => {
  let gone;
  await withStub([], async (stub) => {
    gone = stub;
    gone.late = stub.client();
  });
  const call = gone.late.accounts.sendMagicLink({ email: "a@example.com" });
  await assert.rejects(call, { name: "ConnectionFailedError", sent: false });
  assert.equal(gone.waits.length, 3);
});

test("options change what is tried", () =>
  withStub([refusal(503)], async (stub) => {
    const client = stub.client().withOptions({ maxRetries: 0 });
    await assert.rejects(client.catalog.list().first(), grantor.ServerError);
    assert.deepEqual(stub.waits, []);
  }));

test("a slow server times out", () =>
  withStub([() => new Promise(() => {})], async (stub) => {
    const call = stub.client({ maxRetries: 0 }).server.health({ timeout: 50 });
    await assert.rejects(call, { name: "ConnectionFailedError", message: "timed out" });
  }));

test("a canceled call is not repeated", () =>
  withStub([() => new Promise(() => {})], async (stub) => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const call = stub.client().server.health({ signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(call, reason);
    assert.ok(stub.seen.length <= 1);
  }));

test("a wait for the next attempt can be canceled", () =>
  withStub([later(503, 50)], async (stub) => {
    const client = new grantor.Grantor({ baseUrl: stub.url });
    const controller = new AbortController();
    const call = client.server.health({ signal: controller.signal });
    const canceled = assert.rejects(call, { name: "AbortError" });
    while (stub.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await canceled;
  }));
