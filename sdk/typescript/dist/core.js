/** Sends calls: authentication, retries and errors. The resources are built on it. */
import { ConnectionFailedError, errorOf, PreconditionFailedError, retryAfter, ServerError, } from "./errors.js";
import { Pages } from "./pages.js";
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
const etags = new WeakMap();
/** The entity tag of a record that was read alone, for `ifMatch`; lists have none. */
export function etagOf(record) {
    return etags.get(record);
}
/** A part of a path. An empty one would address another operation. */
export function part(value) {
    const text = String(value);
    if (["", ".", ".."].includes(text))
        throw new TypeError(`"${text}" is not an ID`);
    return encodeURIComponent(text);
}
/** Sends calls. */
export class Core {
    settings;
    constructor(settings) {
        this.settings = settings;
    }
    /** Sends a call and returns its successful response. */
    async send(call) {
        const { tokens, maxRetries, sleep } = this.settings;
        let mayRenew = call.authenticated !== false;
        let inDoubt = false;
        for (let attempt = 0;;) {
            const token = call.authenticated === false ? undefined : await tokens.get(this.#post);
            let wait;
            try {
                const answer = await this.#attempt(call, token);
                if (answer.status < 300)
                    return answer;
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
            }
            catch (error) {
                if (!(error instanceof ConnectionFailedError))
                    throw error;
                const isFinal = error.sent && call.repeatable === false;
                if (attempt >= maxRetries || isFinal)
                    throw error;
                inDoubt ||= error.sent;
                wait = this.#backoff(attempt);
            }
            await sleep(wait, call.options.signal);
            attempt += 1;
        }
    }
    /** Sends a call and returns the JSON of its response, or one member of it. */
    async json(call, member) {
        const answer = await this.send(call);
        let value;
        try {
            value = JSON.parse(new TextDecoder().decode(answer.body));
        }
        catch {
            const problem = { code: "NOT_JSON", message: "The response is not JSON" };
            throw new ServerError(answer.status, answer.headers, problem);
        }
        if (member !== undefined)
            value = value[member];
        const etag = answer.headers.get("etag");
        if (etag && typeof value === "object" && value !== null)
            etags.set(value, etag);
        return value;
    }
    #post = (path, body) => {
        const call = { method: "POST", path, body, authenticated: false, options: {} };
        return this.json(call, "data");
    };
    async #attempt(call, token) {
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
        }
        catch (error) {
            signal?.throwIfAborted();
            if (limit.aborted)
                throw new ConnectionFailedError("timed out", true, error);
            const cause = error.cause;
            const sent = !NOT_SENT.includes(cause?.code ?? "");
            throw new ConnectionFailedError(cause?.message || String(error), sent, error);
        }
    }
    #request(call, token) {
        const url = new URL(this.settings.baseUrl + call.path);
        let wait = 0;
        for (const [name, value] of Object.entries(call.query ?? {})) {
            if (value === undefined || value === null)
                continue;
            url.searchParams.set(name, String(value));
            // The feed waits for events.
            if (name === "wait")
                wait = Number(value) * 1000;
        }
        const { userAgent } = this.settings;
        const accept = call.accept ?? "application/json";
        const headers = new Headers({ Accept: accept, "User-Agent": userAgent });
        if (token)
            headers.set("Authorization", `Bearer ${token}`);
        if (call.key)
            headers.set("Idempotency-Key", call.key);
        if (call.options.ifMatch)
            headers.set("If-Match", call.options.ifMatch);
        let body;
        if (call.file) {
            body = new FormData();
            body.set(call.file.field, call.file.content, call.file.field);
        }
        else if (call.body !== undefined) {
            headers.set("Content-Type", "application/json");
            body = JSON.stringify(call.body);
        }
        const init = { method: call.method, headers, redirect: "manual" };
        if (body !== undefined)
            init.body = body;
        return [url, init, (call.options.timeout ?? this.settings.timeout) + wait];
    }
    /** How long to wait before the next attempt; `undefined` if there is none. */
    #wait(call, answer, attempt) {
        const { maxRetries, maxWait } = this.settings;
        const asked = retryAfter(answer.headers, Date.now());
        // The first request with this key still runs.
        const runs = answer.status === 409 && call.key !== undefined && asked !== undefined;
        if (attempt >= maxRetries || !(RETRIED.includes(answer.status) || runs))
            return undefined;
        if (answer.status !== 429 && call.repeatable === false)
            return undefined;
        if (asked === undefined)
            return this.#backoff(attempt);
        return asked <= maxWait ? asked + this.#backoff(attempt) / 4 : undefined;
    }
    /** Between half of the time and all of it, so that clients do not return together. */
    #backoff(attempt) {
        const whole = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
        return whole * (0.5 + this.settings.chance() / 2);
    }
}
/** The base of the generated resources. */
export class Resource {
    core;
    constructor(core) {
        this.core = core;
    }
    async bytes(call) {
        return new Uint8Array((await this.core.send(call)).body);
    }
    async text(call) {
        return new TextDecoder().decode((await this.core.send(call)).body);
    }
    async nothing(call) {
        await this.core.send(call);
    }
    pages(call, member) {
        const query = (call.query ?? {});
        const fetch = async (page) => {
            const body = await this.core.json({ ...call, query: { ...query, page } });
            return { items: body[member] ?? [], pagination: body.pagination };
        };
        return new Pages(fetch, query.page);
    }
    /** Reads, changes and writes a record; again if somebody else changed it meanwhile. */
    async modifying(read, change, write, attempts) {
        for (;;) {
            const record = await read();
            attempts -= 1;
            try {
                return await write(await change(record), etagOf(record));
            }
            catch (error) {
                if (!(error instanceof PreconditionFailedError) || attempts <= 0)
                    throw error;
            }
        }
    }
}
/** A new idempotency key. */
export function newKey() {
    return crypto.randomUUID();
}
