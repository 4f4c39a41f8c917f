/** Access tokens: exchanged once, renewed before they expire, shared by all calls. */

import {
  AuthenticationError,
  ConnectionFailedError,
  GrantorError,
  RateLimitError,
  ServerError,
} from "./errors.js";

/** How many milliseconds before its end an access token is renewed. */
const RENEW_BEFORE = 300_000;

/**
 * Keeps tokens between processes, since a server allows 10 exchanges per hour and API key. What it
 * keeps is a secret. `load` returns what `save` got last.
 */
export interface TokenStore {
  load(): Promise<string | null | undefined> | string | null | undefined;
  save(text: string): Promise<void> | void;
}

/** Sends a JSON body to a path without authentication and returns the `data` of the response. */
export type Post = (path: string, body: Record<string, string>) => Promise<TokenData>;

interface TokenData {
  access_token: string;
  refresh_token?: string;
  expires_in: number;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
  renewAt: number;
  expiresAt: number;
}

/** Provides a valid access token. */
export class TokenSource {
  readonly #server: string;
  readonly #key: string | undefined;
  readonly #secret: string | undefined;
  readonly #store: TokenStore | undefined;
  readonly #clock: () => number;
  #tokens: Tokens | undefined;
  #renewal: Promise<Tokens> | undefined;

  constructor(
    server: string,
    key: string | undefined,
    secret: string | undefined,
    store: TokenStore | undefined,
    clock: () => number = Date.now,
  ) {
    this.#server = server;
    this.#key = key;
    this.#secret = secret;
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns an access token; renews it if necessary. Other calls wait for the same renewal. */
  async get(post: Post): Promise<string> {
    if (this.#tokens && this.#clock() < this.#tokens.renewAt) return this.#tokens.accessToken;
    this.#renewal ??= this.#renewed(post).finally(() => {
      this.#renewal = undefined;
    });
    this.#tokens = await this.#renewal;
    return this.#tokens.accessToken;
  }

  /** The server rejected this access token: the next call renews it. */
  reject(accessToken: string): void {
    if (this.#tokens?.accessToken === accessToken) {
      this.#tokens = { ...this.#tokens, renewAt: 0, expiresAt: 0 };
    }
  }

  async #renewed(post: Post): Promise<Tokens> {
    const now = this.#tokens;
    const saved = await this.#load();
    const isOther = saved?.accessToken !== now?.accessToken;
    // Another process has renewed them.
    if (saved && isOther && this.#clock() < saved.renewAt) return saved;
    let tokens: Tokens;
    try {
      tokens = await this.#request(post, now ?? saved);
    } catch (error) {
      const isTemporary =
        error instanceof ConnectionFailedError ||
        error instanceof RateLimitError ||
        error instanceof ServerError;
      // The renewal starts early, so there is time to try again.
      if (isTemporary && now && this.#clock() < now.expiresAt) return now;
      throw error;
    }
    await this.#store?.save(JSON.stringify({ server: this.#server, apiKey: this.#key, tokens }));
    return tokens;
  }

  async #request(post: Post, tokens: Tokens | undefined): Promise<Tokens> {
    if (tokens) {
      const body = { refresh_token: tokens.refreshToken };
      try {
        return this.#read({ ...body, ...(await post("/auth/token/refresh", body)) });
      } catch (error) {
        // Expired or revoked: the API key is exchanged again.
        if (!(error instanceof AuthenticationError)) throw error;
      }
    }
    if (!this.#key || !this.#secret) {
      throw new GrantorError("this call needs an API key and secret: pass apiKey and apiSecret");
    }
    return this.#read(await post("/auth/token", { api_key: this.#key, api_secret: this.#secret }));
  }

  #read(data: TokenData): Tokens {
    const [now, life] = [this.#clock(), data.expires_in * 1000];
    return {
      accessToken: data.access_token,
      refreshToken: data.refresh_token ?? "",
      renewAt: now + life - Math.min(RENEW_BEFORE, life / 2),
      expiresAt: now + life,
    };
  }

  async #load(): Promise<Tokens | undefined> {
    const text = await this.#store?.load();
    if (!text) return undefined;
    try {
      const saved = JSON.parse(text) as { server: string; apiKey?: string; tokens: Tokens };
      // Tokens of another server or key are not used.
      const isOwn = saved.server === this.#server && saved.apiKey === this.#key;
      return isOwn ? saved.tokens : undefined;
    } catch {
      // Written by another version: it is replaced.
      return undefined;
    }
  }
}
