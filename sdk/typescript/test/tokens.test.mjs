// Access tokens: when they are exchanged and renewed, and by whom.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as grantor from "../dist/index.js";
import { FINE, later, refusal, tokens, withStub } from "./stub.mjs";

function clockAt(now = 1_000_000) {
  const clock = () => clock.now;
  clock.now = now;
  return clock;
}

function memory(text) {
  const store = {
    text,
    load: async () => store.text,
    save: async (it) => {
      store.text = it;
    },
  };
  return store;
}

test("the key is exchanged once", () =>
  withStub([FINE, FINE], async (stub) => {
    const client = stub.client();
    await client.grants.get("1");
    await client.grants.get("2");
    const pair = { api_key: "gk_test_key", api_secret: "gs_test_secret" };
    assert.deepEqual(stub.tokenCalls.map((it) => it.json), [pair]);
    assert.deepEqual(stub.bearers, ["Bearer access-1", "Bearer access-1"]);
  }));

test("a token is renewed five minutes before its end", () =>
  withStub([FINE, FINE, FINE], async (stub) => {
    const clock = clockAt();
    const client = stub.client({ clock });
    await client.grants.get("1");
    clock.now += 3_299_999;
    await client.grants.get("2");
    clock.now += 1;
    await client.grants.get("3");
    assert.deepEqual(stub.tokenCalls.map((it) => it.url), ["/auth/token", "/auth/token/refresh"]);
    assert.deepEqual(stub.tokenCalls[1].json, { refresh_token: "gxr_1" });
    assert.deepEqual(stub.bearers, ["Bearer access-1", "Bearer access-1", "Bearer access-2"]);
  }));

test("a rejected token is renewed once", async () => {
  await withStub([refusal(401, "TOKEN_EXPIRED"), FINE], async (stub) => {
    assert.deepEqual(await stub.client().grants.get("1"), { id: "1" });
    assert.deepEqual(stub.bearers, ["Bearer access-1", "Bearer access-2"]);
  });
  await withStub([refusal(401), refusal(401)], async (stub) => {
    await assert.rejects(stub.client().grants.get("1"), grantor.AuthenticationError);
    assert.equal(stub.seen.length, 2);
  });
});

test("a change is sent again after a renewal with its key", () =>
  withStub([refusal(401), FINE], async (stub) => {
    await stub.client().requests.withdraw("7");
    const [first, second] = stub.seen.map((it) => it.headers["idempotency-key"]);
    assert.equal(first, second);
  }));

test("a dead refresh token leads to another exchange", () =>
  withStub([refusal(401), FINE], async (stub) => {
    stub.tokenAnswers = [tokens(1), refusal(401, "TOKEN_EXPIRED"), tokens(2)];
    await stub.client().grants.get("1");
    const paths = ["/auth/token", "/auth/token/refresh", "/auth/token"];
    assert.deepEqual(stub.tokenCalls.map((it) => it.url), paths);
  }));

test("a valid token is used while renewing fails", () =>
  withStub([FINE, FINE, FINE], async (stub) => {
    const clock = clockAt();
    const client = stub.client({ clock });
    await client.grants.get("1");
    clock.now += 3_400_000;
    stub.tokenAnswers = [later(429, 3600)];
    await client.grants.get("2");
    assert.deepEqual(stub.bearers, ["Bearer access-1", "Bearer access-1"]);
    clock.now += 200_000;
    stub.tokenAnswers = [later(429, 3600)];
    await assert.rejects(client.grants.get("3"), grantor.RateLimitError);
  }));

test("a wrong secret is an error", () =>
  withStub([], async (stub) => {
    stub.tokenAnswers = [refusal(401, "INVALID_CREDENTIALS")];
    await assert.rejects(stub.client().grants.get("1"), (error) => {
      assert.ok(error instanceof grantor.AuthenticationError);
      assert.equal(error.code, "INVALID_CREDENTIALS");
      assert.ok(!inspect(error).includes("gs_test_secret"));
      return true;
    });
  }));

test("what is public needs no token", () =>
  withStub([FINE], async (stub) => {
    const client = stub.client({ apiKey: "", apiSecret: "" });
    await client.server.health();
    assert.deepEqual([stub.bearers, stub.tokenCalls], [[undefined], []]);
    await assert.rejects(client.grants.get("1"), /needs an API key/);
  }));

test("calls at the same time share one exchange", () =>
  withStub(Array(8).fill(FINE), async (stub) => {
    const client = stub.client();
    await Promise.all(Array.from({ length: 8 }, () => client.grants.get("1")));
    assert.deepEqual([stub.tokenCalls.length, stub.seen.length], [1, 8]);
  }));

test("a store keeps tokens for the next process", () =>
  withStub([FINE, FINE, FINE], async (stub) => {
    const [clock, store] = [clockAt(), memory()];
    await stub.client({ clock, store }).grants.get("1");
    await stub.client({ clock, store }).grants.get("2");
    assert.equal(stub.tokenCalls.length, 1);
    clock.now += 3_500_000;
    await stub.client({ clock, store }).grants.get("3");
    assert.equal(stub.tokenCalls[1].url, "/auth/token/refresh");
  }));

test("a rejected token of the store is not used again", () =>
  withStub([FINE, refusal(401), FINE], async (stub) => {
    const [clock, store] = [clockAt(), memory()];
    await stub.client({ clock, store }).grants.get("1");
    await stub.client({ clock, store }).grants.get("2");
    assert.deepEqual(stub.bearers.slice(1), ["Bearer access-1", "Bearer access-2"]);
  }));

test("saved tokens of another server are not used", () =>
  withStub([FINE, FINE], async (stub) => {
    const store = memory();
    await stub.client({ store }).grants.get("1");
    await stub.client({ store, server: "https://other.example" }).grants.get("2");
    assert.deepEqual(stub.tokenCalls.map((it) => it.url), ["/auth/token", "/auth/token"]);
  }));

test("an unreadable store is replaced", () =>
  withStub(Array(5).fill(FINE), async (stub) => {
    for (const text of ['{"old": 1}', "no JSON", "[1]", "null", ""]) {
      const store = memory(text);
      await stub.client({ store }).grants.get("1");
      assert.match(store.text, /access-/);
    }
  }));

test("nothing shows the secret", () => {
  const options = { baseUrl: "https://g.example", apiKey: "gk_1", apiSecret: "gs_secret" };
  const shown = inspect(new grantor.Grantor(options), { depth: 20, showHidden: true });
  assert.ok(!shown.includes("gs_secret"));
});
