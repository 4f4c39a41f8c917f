/** Sends calls: authentication, retries and errors. The resources are built on it. */
import { Pages } from "./pages.js";
import type { TokenSource } from "./tokens.js";
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
    file?: {
        field: string;
        content: Blob;
    };
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
/** The entity tag of a record that was read alone, for `ifMatch`; lists have none. */
export declare function etagOf(record: object): string | undefined;
/** A part of a path. An empty one would address another operation. */
export declare function part(value: string | number): string;
/** Sends calls. */
export declare class Core {
    #private;
    readonly settings: Settings;
    constructor(settings: Settings);
    /** Sends a call and returns its successful response. */
    send(call: Call): Promise<Answer>;
    /** Sends a call and returns the JSON of its response, or one member of it. */
    json<T>(call: Call, member?: string): Promise<T>;
}
/** The base of the generated resources. */
export declare class Resource {
    protected readonly core: Core;
    constructor(core: Core);
    protected bytes(call: Call): Promise<Uint8Array>;
    protected text(call: Call): Promise<string>;
    protected nothing(call: Call): Promise<void>;
    protected pages<T>(call: Call, member: string): Pages<T>;
    /** Reads, changes and writes a record; again if somebody else changed it meanwhile. */
    protected modifying<R extends object, C>(read: () => Promise<R>, change: (record: R) => C | Promise<C>, write: (changes: C, etag: string | undefined) => Promise<R>, attempts: number): Promise<R>;
}
/** A new idempotency key. */
export declare function newKey(): string;
export {};
