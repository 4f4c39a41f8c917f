/** Sends calls: authentication, retries and errors. The resources are built on it. */

import {
  ConnectionFailedError,
  errorOf,
  PreconditionFailedError,
  retryAfter,
  ServerError,
} from "./errors.js";
import type { Pagination } from "./generated/models.js";
import { type Page, Pages } from "./pages.js";
import type { TokenSource } from "./tokens.js";

/** Nothing happened, or what happened is not known. */
const RETRIED = [408, 429, 500, 502, 503, 504];
/** Something may have happened. */
const IN_DOUBT = [500, 502, 504];
/** Milliseconds before the first retry, doubled with each further one. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
/** Codes of failures before anything was sent. */
const NOT_SENT = [
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Milliseconds for each attempt. */
  timeout?: number;
}

/** Options of a call that changes something. */
export interface ChangeOptions extends CallOptions {
  /** By default a new one, which all retries share. */
  idempotencyKey?: string;
}

/** Options of a call that changes a record with an entity tag. */
export interface UpdateOptions extends ChangeOptions {
  /** The entity tag of the version to change: `etagOf(record)`. */
  ifMatch?: string | undefined;
}

/** A call of an operation. */
export interface Call {
  method: string;
  path: string;
  query?: object;
  body?: unknown;
  file?: { field: string; content: Blob };
  key?: string;
  /** The accepted media type, by default JSON. */
  accept?: string;
  /** False for what is public. */
  authenticated?: boolean;
  /** Whether it can be sent again when the outcome is unknown. */
  repeatable?: boolean;
  options: UpdateOptions;
}

/** A response that was read. */
interface Answer {
  status: number;
  headers: Headers;
  body: ArrayBuffer;
}

/** How calls are sent. */
export interface Settings {
  baseUrl: string;
  fetch: typeof fetch;
  tokens: TokenSource;
  timeout: number;
  maxRetries: number;
  maxWait: number;
  userAgent: string;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  chance: () => number;
}

const etags = new WeakMap<object, string>();

/** The entity tag of a record that was read alone, for `ifMatch`; lists have none. */
export function etagOf(record: object): string | undefined {
  return etags.get(record);
}

/** A part of a path. An empty one would address another operation. */
export function part(value: string | number): string {
  const text = String(value);
  if (["", ".", ".."].includes(text)) throw new TypeError(`"${text}" is not an ID`);
  return encodeURIComponent(text);
}

/** Sends calls. */
export class Core {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** Sends a call and returns its successful response. */
  async send(call: Call): Promise<Answer> {
    const { tokens, maxRetries, sleep } = this.settings;
    let mayRenew = call.authenticated !== false;
    let inDoubt = false;
    for (let attempt = 0; ; ) {
      const token = call.authenticated === false ? undefined : await tokens.get(this.#post);
      let wait: number;
      try {
        const answer = await this.#attempt(call, token);
        if (answer.status < 300) return answer;
        if (answer.status === 404 && call.method === "DELETE" && inDoubt) {
          // An earlier attempt has deleted it.
          return { ...answer, status: 204, body: new ArrayBuffer(0) };
        }
        if (answer.status === 401 && mayRenew && token) {
          mayRenew = false;
          tokens.reject(token);
          continue;
        }
        const next = this.#wait(call, answer, attempt);
        if (next === undefined) {
          throw errorOf(answer.status, answer.headers, new TextDecoder().decode(answer.body));
        }
        wait = next;
        inDoubt ||= IN_DOUBT.includes(answer.status);
      } catch (error) {
        if (!(error instanceof ConnectionFailedError)) throw error;
        const isFinal = error.sent && call.repeatable === false;
        if (attempt >= maxRetries || isFinal) throw error;
        inDoubt ||= error.sent;
        wait = this.#backoff(attempt);
      }
      await sleep(wait, call.options.signal);
      attempt += 1;
    }
  }

  /** Sends a call and returns the JSON of its response, or one member of it. */
  async json<T>(call: Call, member?: string): Promise<T> {
    const answer = await this.send(call);
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(answer.body));
    } catch {
      const problem = { code: "NOT_JSON", message: "The response is not JSON" };
      throw new ServerError(answer.status, answer.headers, problem);
    }
    if (member !== undefined) value = (value as Record<string, unknown>)[member];
    const etag = answer.headers.get("etag");
    if (etag && typeof value === "object" && value !== null) etags.set(value, etag);
    return value as T;
  }

  readonly #post = (path: string, body: Record<string, string>) => {
    const call = { method: "POST", path, body, authenticated: false, options: {} };
    return this.json<never>(call, "data");
  };

  async #attempt(call: Call, token: string | undefined): Promise<Answer> {
    const { fetch } = this.settings;
    const [url, init, timeout] = this.#request(call, token);
    const { signal } = call.options;
    const limit = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      const body = await response.arrayBuffer();
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.aborted) throw new ConnectionFailedError("timed out", true, error);
      const cause = (error as { cause?: { code?: string; message?: string } }).cause;
      const sent = !NOT_SENT.includes(cause?.code ?? "");
      throw new ConnectionFailedError(cause?.message || String(error), sent, error);
    }
  }

  #request(call: Call, token: string | undefined): [URL, RequestInit, number] {
    const url = new URL(this.settings.baseUrl + call.path);
    let wait = 0;
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value === undefined || value === null) continue;
      url.searchParams.set(name, String(value));
      // The feed waits for events.
      if (name === "wait") wait = Number(value) * 1000;
    }
    const { userAgent } = this.settings;
    const accept = call.accept ?? "application/json";
    const headers = new Headers({ Accept: accept, "User-Agent": userAgent });
    if (token) headers.set("Authorization", `Bearer ${token}`);
    if (call.key) headers.set("Idempotency-Key", call.key);
    if (call.options.ifMatch) headers.set("If-Match", call.options.ifMatch);
    let body: BodyInit | undefined;
    if (call.file) {
      body = new FormData();
      body.set(call.file.field, call.file.content, call.file.field);
    } else if (call.body !== undefined) {
      headers.set("Content-Type", "application/json");
      body = JSON.stringify(call.body);
    }
    const init: RequestInit = { method: call.method, headers, redirect: "manual" };
    if (body !== undefined) init.body = body;
    return [url, init, (call.options.timeout ?? this.settings.timeout) + wait];
  }

  /** How long to wait before the next attempt; `undefined` if there is none. */
  #wait(call: Call, answer: Answer, attempt: number): number | undefined {
    const { maxRetries, maxWait } = this.settings;
    const asked = retryAfter(answer.headers, Date.now());
    // The first request with this key still runs.
    const runs = answer.status === 409 && call.key !== undefined && asked !== undefined;
    if (attempt >= maxRetries || !(RETRIED.includes(answer.status) || runs)) return undefined;
    if (answer.status !== 429 && call.repeatable === false) return undefined;
    if (asked === undefined) return this.#backoff(attempt);
    return asked <= maxWait ? asked + this.#backoff(attempt) / 4 : undefined;
  }

  /** Between half of the time and all of it, so that clients do not return together. */
  #backoff(attempt: number): number {
    const whole = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
    return whole * (0.5 + this.settings.chance() / 2);
  }
}

/** The base of the generated resources. */
export class Resource {
  protected readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  protected async bytes(call: Call): Promise<Uint8Array> {
    return new Uint8Array((await this.core.send(call)).body);
  }

  protected async text(call: Call): Promise<string> {
    return new TextDecoder().decode((await this.core.send(call)).body);
  }

  protected async nothing(call: Call): Promise<void> {
    await this.core.send(call);
  }

  protected pages<T>(call: Call, member: string): Pages<T> {
    const query = (call.query ?? {}) as { page?: number };
    const fetch = async (page: number | undefined): Promise<Page<T>> => {
      type Body = { pagination: Pagination } & Record<string, T[]>;
      const body = await this.core.json<Body>({ ...call, query: { ...query, page } });
      return { items: body[member] ?? [], pagination: body.pagination };
    };
    return new Pages(fetch, query.page);
  }

  /** Reads, changes and writes a record; again if somebody else changed it meanwhile. */
  protected async modifying<R extends object, C>(
    read: () => Promise<R>,
    change: (record: R) => C | Promise<C>,
    write: (changes: C, etag: string | undefined) => Promise<R>,
    attempts: number,
  ): Promise<R> {
    for (;;) {
      const record = await read();
      attempts -= 1;
      try {
        return await write(await change(record), etagOf(record));
      } catch (error) {
        if (!(error instanceof PreconditionFailedError) || attempts <= 0) throw error;
      }
    }
  }
}

/** A new idempotency key. */
export function newKey(): string {
  return crypto.randomUUID();
}
