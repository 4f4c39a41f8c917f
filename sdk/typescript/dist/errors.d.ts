/** What can go wrong. Every error of this package is a {@link GrantorError}. */
/** The base of all errors of this package. */
export declare class GrantorError extends Error {
    constructor(message: string, options?: ErrorOptions);
}
/** No response arrived: the connection failed, broke or timed out. */
export declare class ConnectionFailedError extends GrantorError {
    /** Whether the server may have received the request. */
    readonly sent: boolean;
    constructor(message: string, sent: boolean, cause?: unknown);
}
/** A webhook delivery is not authentic, or too old. */
export declare class WebhookVerificationError extends GrantorError {
}
/** The members of an error response. */
export interface ErrorBody {
    code?: string;
    message?: string;
    request_id?: string;
    details?: Record<string, string | number>;
}
/** The server refused a request. */
export declare class APIError extends GrantorError {
    /** The HTTP status. */
    readonly status: number;
    /** The machine-readable error code, such as `NOT_FOUND`. */
    readonly code: string;
    /** The request's ID, which the operator can look up in the server's log. */
    readonly requestId: string | undefined;
    /** Messages by field name, or `limit` and `used` if a plan limit is reached. */
    readonly details: Readonly<Record<string, string | number>>;
    /** The response headers. */
    readonly headers: Headers;
    constructor(status: number, headers: Headers, error: ErrorBody);
    /** The messages of a validation error, by field name. */
    get fields(): Record<string, string>;
    /** The milliseconds after which the server allows another attempt, if it says so. */
    get retryAfter(): number | undefined;
}
/** 400, 413 or 415: a value is missing or not valid. See `fields`. */
export declare class BadRequestError extends APIError {
}
/** 401: the API key, its secret or the access token is not valid. */
export declare class AuthenticationError extends APIError {
}
/** 403: the API client lacks a scope, or its tenant the permission. */
export declare class PermissionDeniedError extends APIError {
}
/** 404: there is no such record, or the caller must not know of it. */
export declare class NotFoundError extends APIError {
}
/** 409: the record exists already, or its state does not allow this. */
export declare class ConflictError extends APIError {
}
/** 412: the record has changed since it was read. */
export declare class PreconditionFailedError extends APIError {
}
/** 422: the idempotency key was already used for another request. */
export declare class IdempotencyError extends APIError {
}
/** 429: too many requests, or the monthly quota is used up. See `retryAfter`. */
export declare class RateLimitError extends APIError {
}
/** 5xx: the server failed or is not available. */
export declare class ServerError extends APIError {
}
/** The error of a response. Bodies of proxies, which are no JSON, count as empty. */
export declare function errorOf(status: number, headers: Headers, body: string): APIError;
/** The milliseconds of `Retry-After`, which is a number of seconds or a date. */
export declare function retryAfter(headers: Headers, now: number): number | undefined;
