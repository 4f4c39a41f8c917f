// A server whose answers a test decides on.

import { createServer } from "node:http";
import { Grantor } from "../dist/index.js";
import { TokenSource } from "../dist/tokens.js";

export const CLOSED = { closed: true };
export const FINE = { body: { id: "1" } };

export function refusal(status, code = "REFUSED", more = {}) {
  const error = { code, message: "Refused", request_id: "request-1", ...more };
  return { status, body: { success: false, error } };
}

export function later(status, seconds) {
  return { ...refusal(status), headers: { "Retry-After": String(seconds) } };
}

export function tokens(number, life = 3600) {
  const data = {
    access_token: `access-${number}`,
    refresh_token: `gxr_${number}`,
    token_type: "Bearer",
    expires_in: life,
    scopes: [],
  };
  return { body: { success: true, data } };
}

export function page(data, number, pages) {
  const pagination = {
    page: number,
    per_page: data.length,
    total: 5,
    total_pages: pages,
    has_next: number < pages,
    has_prev: number > 1,
  };
  return { body: { data, pagination } };
}

class Stub {
  seen = [];
  tokenCalls = [];
  tokenAnswers = [];
  waits = [];

  constructor(answers) {
    this.answers = [...answers];
    this.server = createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      const answer = await this.answer({ method, url, headers, body: Buffer.concat(chunks) });
      if (answer.closed) {
        request.socket.destroy();
        return;
      }
      const { status = 200, body = "", headers: more = {} } = answer;
      response.writeHead(status, more);
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  }

  answer(request) {
    if (request.url.startsWith("/auth/token")) {
      this.tokenCalls.push({ ...request, json: JSON.parse(request.body) });
      return this.tokenAnswers.shift() ?? tokens(this.tokenCalls.length);
    }
    this.seen.push(request);
    const answer = this.answers.shift();
    return typeof answer === "function" ? answer(request) : answer;
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  get bearers() {
    return this.seen.map((it) => it.headers.authorization);
  }

  // A client that notes how long it would wait, without jitter.
  client({ clock, store, server = "https://g.example", ...more } = {}) {
    const { apiKey = "gk_test_key", apiSecret = "gs_test_secret", ...settings } = more;
    return new Grantor({
      baseUrl: this.url,
      fetch,
      tokens: new TokenSource(server, apiKey, apiSecret, store, clock),
      timeout: 30_000,
      maxRetries: 3,
      maxWait: 60_000,
      userAgent: "test",
      sleep: async (milliseconds) => void this.waits.push(milliseconds),
      chance: () => 1,
      ...settings,
    });
  }
}

// Runs a test with a server that gives these answers in order; `/auth/` has answers of its own.
export async function withStub(answers, test) {
  const stub = new Stub(answers);
  await new Promise((resolve) => stub.server.listen(0, "127.0.0.1", resolve));
  try {
    return await test(stub);
  } finally {
    stub.server.closeAllConnections();
    stub.server.close();
  }
}
