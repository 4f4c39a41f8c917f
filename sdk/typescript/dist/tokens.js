/** Access tokens: exchanged once, renewed before they expire, shared by all calls. */
import { AuthenticationError, ConnectionFailedError, GrantorError, RateLimitError, ServerError, } from "./errors.js";
/** How many milliseconds before its end an access token is renewed. */
const RENEW_BEFORE = 300_000;
/** Provides a valid access token. */
export class TokenSource {
    #server;
    #key;
    #secret;
    #store;
    #clock;
    #tokens;
    #renewal;
    constructor(server, key, secret, store, clock = Date.now) {
        this.#server = server;
        this.#key = key;
        this.#secret = secret;
        this.#store = store;
        this.#clock = clock;
    }
    /** Returns an access token; renews it if necessary. Other calls wait for the same renewal. */
    async get(post) {
        if (this.#tokens && this.#clock() < this.#tokens.renewAt)
            return this.#tokens.accessToken;
        this.#renewal ??= this.#renewed(post).finally(() => {
            this.#renewal = undefined;
        });
        this.#tokens = await this.#renewal;
        return this.#tokens.accessToken;
    }
    /** The server rejected this access token: the next call renews it. */
    reject(accessToken) {
        if (this.#tokens?.accessToken === accessToken) {
            this.#tokens = { ...this.#tokens, renewAt: 0, expiresAt: 0 };
        }
    }
    async #renewed(post) {
        const now = this.#tokens;
        const saved = await this.#load();
        const isOther = saved?.accessToken !== now?.accessToken;
        // Another process has renewed them.
        if (saved && isOther && this.#clock() < saved.renewAt)
            return saved;
        let tokens;
        try {
            tokens = await this.#request(post, now ?? saved);
        }
        catch (error) {
            const isTemporary = error instanceof ConnectionFailedError ||
                error instanceof RateLimitError ||
                error instanceof ServerError;
            // The renewal starts early, so there is time to try again.
            if (isTemporary && now && this.#clock() < now.expiresAt)
                return now;
            throw error;
        }
        await this.#store?.save(JSON.stringify({ server: this.#server, apiKey: this.#key, tokens }));
        return tokens;
    }
    async #request(post, tokens) {
        if (tokens) {
            const body = { refresh_token: tokens.refreshToken };
            try {
                return this.#read({ ...body, ...(await post("/auth/token/refresh", body)) });
            }
            catch (error) {
                // Expired or revoked: the API key is exchanged again.
                if (!(error instanceof AuthenticationError))
                    throw error;
            }
        }
        if (!this.#key || !this.#secret) {
            throw new GrantorError("this call needs an API key and secret: pass apiKey and apiSecret");
        }
        return this.#read(await post("/auth/token", { api_key: this.#key, api_secret: this.#secret }));
    }
    #read(data) {
        const [now, life] = [this.#clock(), data.expires_in * 1000];
        return {
            accessToken: data.access_token,
            refreshToken: data.refresh_token ?? "",
            renewAt: now + life - Math.min(RENEW_BEFORE, life / 2),
            expiresAt: now + life,
        };
    }
    async #load() {
        const text = await this.#store?.load();
        if (!text)
            return undefined;
        try {
            const saved = JSON.parse(text);
            // Tokens of another server or key are not used.
            const isOwn = saved.server === this.#server && saved.apiKey === this.#key;
            return isOwn ? saved.tokens : undefined;
        }
        catch {
            // Written by another version: it is replaced.
            return undefined;
        }
    }
}
