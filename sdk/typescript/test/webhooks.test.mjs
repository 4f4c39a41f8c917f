// Deliveries are verified as Standard Webhooks says; the vectors were signed by its library.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { verifyWebhook, WebhookVerificationError } from "../dist/index.js";

const file = new URL("../../webhook-vectors.json", import.meta.url);
const vectors = JSON.parse(await readFile(file, "utf8"));

test("vectors", async () => {
  assert.equal(vectors.length, 28);
  for (const { name, valid, secrets, headers, body, now } of vectors) {
    const lower = Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]);
    for (const it of [headers, new Headers(headers), Object.fromEntries(lower)]) {
      for (const content of [body, Buffer.from(body)]) {
        const verified = verifyWebhook(content, it, secrets, { now: now * 1000 });
        if (valid) {
          const { id, type } = await verified;
          assert.deepEqual([id, type], [headers["Webhook-Id"], "webhook.test"], name);
        } else {
          await assert.rejects(verified, WebhookVerificationError, name);
        }
      }
    }
  }
});

test("one secret needs no list", async () => {
  const [{ secrets, headers, body, now }] = vectors;
  await verifyWebhook(body, headers, secrets[0], { now: now * 1000 });
});

test("now is the default", async () => {
  const [{ secrets, headers, body }] = vectors;
  await assert.rejects(verifyWebhook(body, headers, secrets), /clock/);
});

test("the tolerance can be changed", async () => {
  const [{ secrets, headers, body, now }] = vectors;
  const options = { tolerance: 600_000, now: (now + 600) * 1000 };
  await verifyWebhook(body, headers, secrets, options);
});
