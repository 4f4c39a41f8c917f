// A webhook receiver as the libraries' own documentation would have it, for those of npm.
//
// Prints its port. PUT /secrets says with which secrets deliveries must verify, POST /hook is a
// delivery, GET /report tells what was seen.

const { createServer } = require("node:http");
const { randomBytes } = require("node:crypto");
const standard = require("standardwebhooks");
const svix = require("svix");
const olderSvix = require("svix-older");

const libraries = {
  "standardwebhooks (npm)": standard,
  "svix (npm)": svix,
  "svix, older (npm)": olderSvix,
};
const wrongSecret = `whsec_${randomBytes(32).toString("base64")}`;

let secrets = [];
const seen = {};
const faults = [];

function passes(library, secret, body, headers) {
  const { Webhook, WebhookVerificationError } = libraries[library];
  try {
    new Webhook(secret).verify(body.toString("utf8"), headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

// The same body with one bit of one byte turned, in a place that stays UTF-8.
function flipped(body, number) {
  let place = (number * 7919) % body.length;
  while (body[place] >= 128) place = (place + 1) % body.length;
  const turned = Buffer.from(body);
  turned[place] ^= 1;
  return turned;
}

// What is wrong with how a library takes a delivery and its counterfeits.
function judge(library, body, headers, number) {
  const wrong = secrets
    .filter((secret) => !passes(library, secret, body, headers))
    .map(() => `${library}: refused`);
  if (passes(library, secrets[0], flipped(body, number), headers)) {
    wrong.push(`${library}: a flipped bit passed`);
  }
  if (passes(library, wrongSecret, body, headers)) {
    wrong.push(`${library}: another secret passed`);
  }
  return wrong;
}

function take(body, headers) {
  const number = Object.keys(seen).length;
  const wrong = Object.keys(libraries).flatMap((it) => judge(it, body, headers, number));
  const signatures = headers["webhook-signature"].split(" ").length;
  if (signatures !== secrets.length) {
    wrong.push(`${signatures} signatures for ${secrets.length} secrets`);
  }
  faults.push(...wrong);
  if (wrong.length > 0) return false;
  const unicode = body.some((it) => it >= 128);
  seen[headers["webhook-id"]] = { bytes: body.length, unicode, signatures };
  return true;
}

function answer(request, body) {
  if (request.method === "PUT") {
    secrets = JSON.parse(body);
    return [200, ""];
  }
  if (request.method === "POST") return [take(body, request.headers) ? 200 : 400, ""];
  return [200, JSON.stringify({ libraries: Object.keys(libraries), seen, faults })];
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const [status, content] = answer(request, Buffer.concat(chunks));
  response.writeHead(status).end(content);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
