// The SDK against a running server with the sample data.
//
//   SDK_TEST_URL=http://127.0.0.1:8080 SDK_TEST_SAMPLE=sample.json node --test test/live.mjs
//
// `SDK_TEST_SAMPLE` is the output of `grantor demo --json`. The data must be fresh, and the server must
// be allowed to reach this machine (`GRANTOR_OUTBOUND_ALLOW=127.0.0.0/8`).

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import * as grantor from "../dist/index.js";

const { SDK_TEST_URL: baseUrl, SDK_TEST_SAMPLE } = process.env;
const sample = JSON.parse(await readFile(SDK_TEST_SAMPLE, "utf8"));
const UNKNOWN = "00000000-0000-7000-8000-000000000000";
const TODAY = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
const CONTENT = { url: "https://loopwell.example/sdk", title: "A post", text: "About nobody" };

function clientOf(name) {
  const { apiKey, apiSecret } = sample.accounts.find((it) => it.name === name);
  return new grantor.Grantor({ baseUrl, apiKey, apiSecret });
}

// One client each: a key can be exchanged ten times per hour.
const agency = clientOf("Quillfeather Talent");
const brand = clientOf("Marrowby Outdoor");
const platform = clientOf("Loopwell");
const anybody = new grantor.Grantor({ baseUrl });

test("from asking to proof", async () => {
  const [license] = await brand.catalog.list({ search: "storybook" }).toArray();
  const questions = [{ license_id: license.id, use: "endorsement", territory: "JP" }];
  const decide = async () => (await brand.decisions.decide({ questions })).decisions[0].decision;
  assert.equal(await decide(), "ask");
  const { id } = await brand.requests.create({
    license_id: license.id,
    uses: ["endorsement"],
    territories: ["JP"],
    starts_at: TODAY,
    purpose: "Her face on the label of a lantern",
    budget: { amount: "90000.00", currency: "JPY" },
  });
  await brand.requests.sendMessage(id, { message: "We would print 2,000 labels." });
  const inbox = agency.requests.list({ role: "owner", license_id: license.id, status: "open" });
  assert.deepEqual((await inbox.toArray()).map((it) => it.id), [id]);
  await agency.requests.markRead(id);
  const fee = { amount: "100000.00", currency: "JPY", per: "campaign" };
  const terms = { uses: ["endorsement"], territories: ["JP"], starts_at: TODAY, fee };
  await agency.requests.offer(id, { terms });
  const [{ terms_hash }] = (await brand.requests.get(id)).offers;
  const grant = await brand.requests.accept(id, { terms_hash });
  assert.equal(grant.status, "active");
  assert.equal(await decide(), "allowed");
  const { receipt } = await brand.grants.receipt(grant.id);
  assert.equal((await anybody.receipts.verify({ receipt })).valid, "yes");
  const certificate = await brand.grants.certificate(grant.id);
  assert.equal(new TextDecoder().decode(certificate.slice(0, 4)), "%PDF");
  await agency.grants.revoke(grant.id, { reason: "5,000 labels were printed." });
  assert.deepEqual((await anybody.receipts.verify({ receipt })).reasons, ["REVOKED"]);
});

test("lists have every item once", async () => {
  const listed = await agency.licenses.list({ per_page: 2, sort: "title", order: "asc" }).toArray();
  const { items, pagination } = await agency.licenses.list({ per_page: 100 }).first();
  const ids = (list) => list.map((it) => it.id).sort();
  assert.ok(listed.length > 4);
  assert.deepEqual(ids(listed), ids(items));
  assert.equal(listed.length, pagination.total);
});

test("records have their parts", async () => {
  const mention = sample.mentions[0].mentionId;
  assert.equal((await agency.mentions.get(mention)).id, mention);
  for await (const evidence of agency.mentions.evidence(mention)) assert.ok(evidence.revision > 0);
  const zip = await agency.mentions.evidenceZip(mention);
  assert.equal(new TextDecoder().decode(zip.slice(0, 2)), "PK");
  const options = { include_images: true };
  const license = await agency.licenses.get(sample.licenses[0].licenseId, options);
  assert.equal(license.reference_images.length, license.image_count);
  assert.ok((await agency.licenses.versions(license.id).toArray()).length > 0);
});

test("updates are checked", async () => {
  const id = sample.licenses[0].licenseId;
  const license = await agency.licenses.get(id);
  const changed = await agency.licenses.modify(id, (it) => ({
    description: `${it.description} And more.`,
  }));
  assert.equal(changed.description, `${license.description} And more.`);
  const update = (title, ifMatch) => agency.licenses.update(id, { title }, {}, { ifMatch });
  const stale = update("Another", grantor.etagOf(license));
  await assert.rejects(stale, grantor.PreconditionFailedError);
  await update(license.title, grantor.etagOf(changed));
});

test("a repeated key changes nothing", async () => {
  const target = { target_type: "license", target_id: sample.licenses[1].licenseId };
  const options = { idempotencyKey: "live-test" };
  const first = await agency.bookmarks.create(target, options);
  assert.deepEqual(await agency.bookmarks.create(target, options), first);
  await agency.bookmarks.delete(first.id);
  const other = agency.bookmarks.create({ ...target, note: "N" }, options);
  await assert.rejects(other, { name: "IdempotencyError", code: "IDEMPOTENCY_MISMATCH" });
});

test("a rejected token is renewed", async () => {
  const account = sample.accounts.find((it) => it.type === "Individual");
  const store = { load: () => store.text, save: (text) => void (store.text = text) };
  const { apiKey, apiSecret } = account;
  const client = new grantor.Grantor({ baseUrl, apiKey, apiSecret, tokenStore: store });
  await client.grants.list().first();
  const token = JSON.parse(store.text).tokens.accessToken;
  await client.tokens.revoke({ token });
  await client.grants.list().first();
  assert.notEqual(JSON.parse(store.text).tokens.accessToken, token);
  assert.equal((await client.tokens.info()).active, true);
  assert.equal((await client.tokens.info({ token })).active, false);
});

test("errors are typed", async () => {
  await assert.rejects(agency.licenses.get(UNKNOWN), (error) => {
    assert.ok(error instanceof grantor.NotFoundError && error.requestId);
    return error.code === "NOT_FOUND";
  });
  await assert.rejects(agency.licenses.list({ per_page: 101 }).first(), (error) => {
    assert.ok(error instanceof grantor.BadRequestError);
    return Object.keys(error.fields).join() === "per_page";
  });
  const foreign = brand.licenses.update(sample.licenses[0].licenseId, { title: "Mine" });
  await assert.rejects(foreign, grantor.PermissionDeniedError);
  const unknown = platform.content.push(UNKNOWN, { items: [CONTENT] });
  await assert.rejects(unknown, { name: "NotFoundError", code: "NOT_FOUND" });
  const wrong = { baseUrl, apiKey: "gk_test_unknown", apiSecret: "gs_test_wrong" };
  const stranger = new grantor.Grantor(wrong);
  await assert.rejects(stranger.licenses.list().first(), grantor.AuthenticationError);
});

test("content and checks", async () => {
  const pushed = await platform.content.push(sample.platforms[0].paxId, { items: [CONTENT] });
  assert.equal(pushed.items[0].url, CONTENT.url);
  const name = sample.talents[0].fullname;
  const found = await agency.checks.check({ text: `A word about ${name}.` });
  assert.deepEqual(new Set(found.matches.map((it) => it.talent.name)), new Set([name]));
  const broken = new Blob(["no image"], { type: "image/png" });
  await assert.rejects(agency.checks.checkImage(broken), grantor.BadRequestError);
});

test("a picture is recognized", async () => {
  const listed = sample.licenses.find((it) => it.imageIds.length > 0 && it.status === "public");
  const query = { include_images: true, include_image_urls: true };
  const license = await agency.licenses.get(listed.licenseId, query);
  const [{ url, content_type: type }] = license.reference_images;
  const image = new Blob([await (await fetch(url)).arrayBuffer()], { type });
  const { matches } = await brand.checks.checkImage(image);
  assert.ok(matches.some((it) => it.talent.name === license.talent.name));
});

test("webhooks and the feed", async (t) => {
  const { events, url, server, use } = await receiver();
  t.after(() => server.close());
  const hook = await agency.webhooks.create({ url, events: ["license.updated"] });
  use(hook.secret);
  const isDelivered = async () => (await agency.webhooks.test(hook.id)).delivered;
  assert.ok(await isDelivered());
  await agency.licenses.update(sample.licenses[2].licenseId, { description: "東京 🎬" });
  const first = await events.next();
  assert.equal(first.type, "webhook.test");
  const update = await events.next();
  assert.equal(update.type, "license.updated");
  assert.deepEqual(update.data.changed_fields, ["description"]);
  for await (const event of agency.events.follow({ after: update.sequence - 1, wait: 1 })) {
    assert.deepEqual(event, update);
    break;
  }
  const { secret } = await agency.webhooks.rotateSecret(hook.id);
  assert.notEqual(secret, hook.secret);
  for (const it of [secret, hook.secret]) {
    use(it);
    assert.ok(await isDelivered());
  }
  use(`whsec_${"A".repeat(43)}=`);
  assert.equal((await agency.webhooks.test(hook.id)).status_code, 400);
  assert.ok((await agency.webhooks.deliveries(hook.id).toArray()).length > 0);
  await agency.webhooks.delete(hook.id);
});

test("what is public", async () => {
  assert.equal((await anybody.server.health()).status, "healthy");
  assert.ok((await anybody.server.discovery()).scopes_supported.includes("license:read"));
  assert.ok((await anybody.server.keys()).keys.length > 0);
  assert.ok((await anybody.server.receiptIssuer()).issuer);
  assert.ok((await anybody.server.grantCredential()).vct);
});

// Receives webhooks, as a program that uses the SDK would.
async function receiver() {
  const [arrived, waiting] = [[], []];
  let secret = "";
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const event = await grantor.verifyWebhook(Buffer.concat(chunks), request.headers, secret);
      const next = waiting.shift();
      if (next) next(event);
      else arrived.push(event);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const next = () =>
    arrived.length > 0 ? arrived.shift() : new Promise((resolve) => waiting.push(resolve));
  const use = (it) => void (secret = it);
  const url = `http://127.0.0.1:${server.address().port}/hook`;
  return { events: { next }, url, server, use };
}
