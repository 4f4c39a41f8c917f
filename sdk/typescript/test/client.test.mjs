// Requests and responses: what is sent, lists, errors, entity tags.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as grantor from "../dist/index.js";
import { FINE, page, refusal, withStub } from "./stub.mjs";

test("a query has what is given", () =>
  withStub([page([], 1, 1)], async (stub) => {
    const query = { per_page: 5, search: "a b&c", status: undefined, include_image_urls: true };
    await stub.client().licenses.list(query).first();
    assert.equal(stub.seen[0].url, "/licenses?per_page=5&search=a+b%26c&include_image_urls=true");
  }));

test("parts of a path are escaped", () =>
  withStub([FINE], async (stub) => {
    await stub.client().licenses.get("a/b?c#d é");
    assert.equal(stub.seen[0].url, "/licenses/a%2Fb%3Fc%23d%20%C3%A9");
  }));

test("an empty ID is refused", () => {
  const client = new grantor.Grantor({ baseUrl: "https://g.example" });
  for (const wrong of ["", ".", ".."]) assert.throws(() => client.licenses.get(wrong), TypeError);
});

test("a body is JSON", () =>
  withStub([FINE], async (stub) => {
    const options = { baseUrl: stub.url, apiKey: "k", apiSecret: "s", app: "Shop/2" };
    const client = new grantor.Grantor(options);
    await client.licenses.update("1", { title: "Zoë" }, {}, { ifMatch: '"3"' });
    const { method, headers, body } = stub.seen[0];
    assert.deepEqual([method, JSON.parse(body)], ["PATCH", { title: "Zoë" }]);
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["if-match"], '"3"');
    assert.equal(headers["user-agent"], `Shop/2 grantor-typescript/${grantor.VERSION}`);
  }));

test("a call without a body sends none", () =>
  withStub([FINE], async (stub) => {
    await stub.client().cases.open("1");
    const { headers, body } = stub.seen[0];
    assert.deepEqual([headers["content-length"], body.length], ["0", 0]);
    assert.equal(headers["content-type"], undefined);
  }));

test("an image is sent as a form", () =>
  withStub([{ body: { matches: [] } }], async (stub) => {
    const image = new Blob([Uint8Array.of(0x89, 0x50)], { type: "image/png" });
    await stub.client().checks.checkImage(image);
    const { headers, body } = stub.seen[0];
    const form = await new Response(body, { headers: { "content-type": headers["content-type"] } })
      .formData();
    const file = form.get("image");
    assert.deepEqual([file.type, file.size], ["image/png", 2]);
  }));

test("files and empty responses", () =>
  withStub([{ body: "%PDF" }, { status: 204 }, { body: "eyJ.x.y" }], async (stub) => {
    const client = stub.client();
    assert.deepEqual(await client.grants.certificate("1"), new TextEncoder().encode("%PDF"));
    assert.equal(await client.requests.markRead("1"), undefined);
    assert.equal(await client.receipts.statusList("1"), "eyJ.x.y");
  }));

test("envelopes are opened", () => {
  const body = { data: { items: [] }, message: "Scanned", status: "success" };
  return withStub([{ status: 201, body }], async (stub) => {
    assert.deepEqual(await stub.client().content.push("1", { items: [] }), { items: [] });
    assert.equal(stub.seen[0].url, "/v1.0.1/console/pax/1/content");
  });
});

test("URLs that would leak the secret are refused", () => {
  const make = (baseUrl, more) => new grantor.Grantor({ baseUrl, ...more });
  for (const wrong of [
    "http://g.example",
    "ftp://g.example",
    "g.example",
    "",
    "https://u:p@g.example",
    "http://127.evil.example",
  ]) {
    assert.throws(() => make(wrong), (error) => !error.message.includes("p@"), wrong);
  }
  for (const right of ["https://g.example/in/", "http://localhost:1", "http://[::1]:1"]) {
    make(right);
  }
  make("http://grantor:8080", { allowHttp: true });
});

test("redirects are not followed", () =>
  withStub([{ status: 302, headers: { Location: "https://evil.example/" } }], async (stub) => {
    await assert.rejects(stub.client().server.health(), { status: 302, code: "HTTP_302" });
  }));

const threePages = () => [page([1, 2], 1, 3), page([3, 4], 2, 3), page([5], 3, 3)];

test("iterating goes over all pages", () =>
  withStub(threePages(), async (stub) => {
    const items = await stub.client().grants.list({ status: "active" }).toArray();
    assert.deepEqual(items, [1, 2, 3, 4, 5]);
    const path = "/grants?status=active";
    const paths = [path, `${path}&page=2`, `${path}&page=3`];
    assert.deepEqual(stub.seen.map((it) => it.url), paths);
  }));

test("pages are requested as far as needed", () =>
  withStub(threePages(), async (stub) => {
    for await (const item of stub.client().grants.list()) {
      assert.equal(item, 1);
      break;
    }
    assert.equal(stub.seen.length, 1);
  }));

test("one page has the total", () =>
  withStub([page([3, 4], 2, 3)], async (stub) => {
    const { items, pagination } = await stub.client().grants.list({ page: 2 }).first();
    assert.deepEqual([items, pagination.total], [[3, 4], 5]);
    assert.equal(stub.seen[0].url, "/grants?page=2");
  }));

test("events are followed by their cursor", () => {
  const feed = (...numbers) => ({
    body: {
      data: numbers.map((sequence) => ({ sequence })),
      next_cursor: String(numbers.at(-1) ?? 9),
      has_more: false,
    },
  });
  return withStub([feed(8, 9), feed(), feed(10)], async (stub) => {
    const events = stub.client().events.follow({ after: 7 });
    const seen = [];
    for (let count = 0; count < 3; count += 1) seen.push((await events.next()).value.sequence);
    assert.deepEqual(seen, [8, 9, 10]);
    const queries = [7, 9, 9].map((it) => `/events?after=${it}&limit=100&wait=30`);
    assert.deepEqual(stub.seen.map((it) => it.url), queries);
  });
});

test("each family of errors has its class", async () => {
  const classes = {
    400: grantor.BadRequestError,
    401: grantor.AuthenticationError,
    403: grantor.PermissionDeniedError,
    404: grantor.NotFoundError,
    409: grantor.ConflictError,
    412: grantor.PreconditionFailedError,
    413: grantor.BadRequestError,
    415: grantor.BadRequestError,
    418: grantor.APIError,
    422: grantor.IdempotencyError,
    501: grantor.ServerError,
  };
  for (const [status, kind] of Object.entries(classes)) {
    await withStub([refusal(Number(status))], (stub) =>
      assert.rejects(stub.client().server.health(), (error) => error.constructor === kind),
    );
  }
});

test("an error says what the server said", () => {
  const details = { email: "must be an email address", used: 7 };
  return withStub([refusal(400, "VALIDATION_ERROR", { details })], (stub) =>
    assert.rejects(stub.client().server.health(), {
      name: "BadRequestError",
      status: 400,
      code: "VALIDATION_ERROR",
      requestId: "request-1",
      details,
      fields: { email: details.email },
      message:
        "400 VALIDATION_ERROR: Refused " +
        "(email: must be an email address, used: 7) [request request-1]",
    }),
  );
});

test("the console envelope is understood", () => {
  const error = { code: "NOT_FOUND", message: "No such key", details: {} };
  const headers = { "X-Request-Id": "request-2" };
  return withStub([{ status: 404, body: { error, status: "error" }, headers }], (stub) =>
    assert.rejects(stub.client().content.push("1", { items: [] }), {
      name: "NotFoundError",
      code: "NOT_FOUND",
      requestId: "request-2",
    }),
  );
});

test("errors of proxies have no code", async () => {
  for (const body of ["<html>", "", "[]", '"x"', "null", '{"error": "x"}']) {
    await withStub([{ status: 501, body }], (stub) =>
      assert.rejects(stub.client().server.health(), { name: "ServerError", code: "HTTP_501" }),
    );
  }
});

test("a success that is not JSON is an error", () =>
  withStub([{ body: "<html>" }], (stub) =>
    assert.rejects(stub.client().server.health(), { name: "ServerError", code: "NOT_JSON" }),
  ));

test("a record knows its entity tag", () =>
  withStub([{ ...FINE, headers: { ETag: '"3-public"' } }, page([{}], 1, 1)], async (stub) => {
    const client = stub.client();
    assert.equal(grantor.etagOf(await client.licenses.get("1")), '"3-public"');
    const { items } = await client.licenses.list().first();
    assert.equal(grantor.etagOf(items[0]), undefined);
  }));

test("modify reads again after a change by somebody else", () => {
  const read = (version) => ({ body: { version }, headers: { ETag: `"${version}"` } });
  return withStub([read(1), refusal(412), read(2), FINE], async (stub) => {
    await stub.client().licenses.modify("1", (it) => ({ title: `After ${it.version}` }));
    const changes = stub.seen.filter((it) => it.method === "PATCH");
    assert.deepEqual(
      changes.map((it) => [it.headers["if-match"], JSON.parse(it.body).title]),
      [
        ['"1"', "After 1"],
        ['"2"', "After 2"],
      ],
    );
  });
});

test("modify gives up", () => {
  const always = (seen) => (seen.method === "PATCH" ? refusal(412) : FINE);
  return withStub(Array(4).fill(always), (stub) => {
    const modified = stub.client().sources.modify("1", () => ({ name: "N" }), 2);
    return assert.rejects(modified, grantor.PreconditionFailedError);
  });
});
