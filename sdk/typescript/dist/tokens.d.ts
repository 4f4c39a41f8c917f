/** Access tokens: exchanged once, renewed before they expire, shared by all calls. */
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
/** Provides a valid access token. */
export declare class TokenSource {
    #private;
    constructor(server: string, key: string | undefined, secret: string | undefined, store: TokenStore | undefined, clock?: () => number);
    /** Returns an access token; renews it if necessary. Other calls wait for the same renewal. */
    get(post: Post): Promise<string>;
    /** The server rejected this access token: the next call renews it. */
    reject(accessToken: string): void;
}
export {};
