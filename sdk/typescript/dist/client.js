/** The client. */
import { Core } from "./core.js";
import { Events, Resources } from "./generated/resources.js";
import { VERSION } from "./generated/version.js";
import { TokenSource } from "./tokens.js";
/** The event feed. */
export class FollowedEvents extends Events {
    /**
     * Events as they happen, without an end. To continue later, save the `sequence` of each event
     * that you have processed, and pass the last one as `after`. Without it, the oldest available
     * event comes first. `wait` is how many seconds a request may wait for events, up to 30.
     */
    async *follow({ after, wait = 30 } = {}, options = {}) {
        for (;;) {
            const from = after === undefined ? {} : { after };
            const feed = await this.list({ ...from, limit: 100, wait }, options);
            yield* feed.data;
            after = Number(feed.next_cursor);
        }
    }
}
/** A client of a Grantor server. Without an API key, it can call only what is public. */
export class Grantor extends Resources {
    events;
    #settings;
    constructor(options) {
        const settings = "tokens" in options ? options : settingsOf(options);
        const core = new Core(settings);
        super(core);
        this.#settings = settings;
        this.events = new FollowedEvents(core);
    }
    /** The same client with other options. Both share their tokens. */
    withOptions(options) {
        return new Grantor({ ...this.#settings, ...options });
    }
}
function settingsOf(options) {
    const key = options.apiKey ?? environment("GRANTOR_API_KEY");
    const secret = options.apiSecret ?? environment("GRANTOR_API_SECRET");
    const agent = `grantor-typescript/${VERSION}`;
    const baseUrl = checkedUrl(options.baseUrl, options.allowHttp ?? false);
    return {
        baseUrl,
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
        tokens: new TokenSource(baseUrl, key, secret, options.tokenStore),
        timeout: options.timeout ?? 30_000,
        maxRetries: options.maxRetries ?? 3,
        maxWait: options.maxWait ?? 60_000,
        userAgent: options.app ? `${options.app} ${agent}` : agent,
        sleep,
        chance: Math.random,
    };
}
/** Checks the server's URL. Errors do not repeat it: it may contain a password. */
function checkedUrl(text, allowHttp) {
    let url;
    try {
        url = new URL(text);
    }
    catch {
        throw new TypeError("baseUrl must be a URL such as https://grantor.example");
    }
    if (url.protocol !== "https:" && url.protocol !== "http:") {
        throw new TypeError("baseUrl must be a URL such as https://grantor.example");
    }
    if (url.username || url.password) {
        throw new TypeError("baseUrl must not contain a user name or password");
    }
    const isLocal = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
    if (url.protocol === "http:" && !isLocal && !allowHttp) {
        throw new TypeError("baseUrl must be https, because the API secret is sent there");
    }
    return url.origin + url.pathname.replace(/\/+$/, "");
}
function environment(name) {
    const { process } = globalThis;
    return process?.env?.[name];
}
function sleep(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        if (signal?.aborted)
            stop();
        else
            signal?.addEventListener("abort", stop, { once: true });
    });
}
