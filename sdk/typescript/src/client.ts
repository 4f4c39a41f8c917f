/** The client. */

import { type CallOptions, Core, type Settings } from "./core.js";
import type * as models from "./generated/models.js";
import { Events, Resources } from "./generated/resources.js";
import { VERSION } from "./generated/version.js";
import { TokenSource, type TokenStore } from "./tokens.js";

/** Options of a client. Times are in milliseconds. */
export interface GrantorOptions {
  /** The server's URL, such as `https://grantor.example`. */
  baseUrl: string;
  /** The API key, `gk_…`. By default `GRANTOR_API_KEY` of the environment. */
  apiKey?: string;
  /** Its secret, `gs_…`. By default `GRANTOR_API_SECRET` of the environment. */
  apiSecret?: string;
  /** The time for each attempt; 30 seconds by default. */
  timeout?: number;
  /** How often a call is repeated after a temporary failure; 3 by default. */
  maxRetries?: number;
  /** The longest `Retry-After` that is waited for, 60 seconds by default. Longer ones are errors. */
  maxWait?: number;
  /** Keeps tokens between processes. */
  tokenStore?: TokenStore;
  /** Sends the requests, in place of the global `fetch`. */
  fetch?: typeof fetch;
  /** The name and version of your program, which are added to `User-Agent`. */
  app?: string;
  /** Allows plain HTTP to other machines. Everybody on the way sees the secret. */
  allowHttp?: boolean;
}

/** The event feed. */
export class FollowedEvents extends Events {
  /**
   * Events as they happen, without an end. To continue later, save the `sequence` of each event
   * that you have processed, and pass the last one as `after`. Without it, the oldest available
   * event comes first. `wait` is how many seconds a request may wait for events, up to 30.
   */
  async *follow(
    { after, wait = 30 }: { after?: number; wait?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<models.Event, never, undefined> {
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
  override readonly events: FollowedEvents;
  readonly #settings: Settings;

  constructor(options: GrantorOptions | Settings) {
    const settings = "tokens" in options ? options : settingsOf(options);
    const core = new Core(settings);
    super(core);
    this.#settings = settings;
    this.events = new FollowedEvents(core);
  }

  /** The same client with other options. Both share their tokens. */
  withOptions(options: Pick<GrantorOptions, "timeout" | "maxRetries" | "maxWait">): Grantor {
    return new Grantor({ ...this.#settings, ...options });
  }
}

function settingsOf(options: GrantorOptions): Settings {
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
function checkedUrl(text: string, allowHttp: boolean): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
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

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
