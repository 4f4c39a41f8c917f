/** The client. */
import { type CallOptions, type Settings } from "./core.js";
import type * as models from "./generated/models.js";
import { Events, Resources } from "./generated/resources.js";
import { type TokenStore } from "./tokens.js";
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
export declare class FollowedEvents extends Events {
    /**
     * Events as they happen, without an end. To continue later, save the `sequence` of each event
     * that you have processed, and pass the last one as `after`. Without it, the oldest available
     * event comes first. `wait` is how many seconds a request may wait for events, up to 30.
     */
    follow({ after, wait }?: {
        after?: number;
        wait?: number;
    }, options?: CallOptions): AsyncGenerator<models.Event, never, undefined>;
}
/** A client of a Grantor server. Without an API key, it can call only what is public. */
export declare class Grantor extends Resources {
    #private;
    readonly events: FollowedEvents;
    constructor(options: GrantorOptions | Settings);
    /** The same client with other options. Both share their tokens. */
    withOptions(options: Pick<GrantorOptions, "timeout" | "maxRetries" | "maxWait">): Grantor;
}
