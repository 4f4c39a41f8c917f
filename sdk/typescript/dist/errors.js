/** What can go wrong. Every error of this package is a {@link GrantorError}. */
/** The base of all errors of this package. */
export class GrantorError extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = new.target.name;
    }
}
/** No response arrived: the connection failed, broke or timed out. */
export class ConnectionFailedError extends GrantorError {
    /** Whether the server may have received the request. */
    sent;
    constructor(message, sent, cause) {
        super(message, { cause });
        this.sent = sent;
    }
}
/** A webhook delivery is not authentic, or too old. */
export class WebhookVerificationError extends GrantorError {
}
/** The server refused a request. */
export class APIError extends GrantorError {
    /** The HTTP status. */
    status;
    /** The machine-readable error code, such as `NOT_FOUND`. */
    code;
    /** The request's ID, which the operator can look up in the server's log. */
    requestId;
    /** Messages by field name, or `limit` and `used` if a plan limit is reached. */
    details;
    /** The response headers. */
    headers;
    constructor(status, headers, error) {
        const code = error.code || `HTTP_${status}`;
        const requestId = error.request_id || headers.get("x-request-id") || undefined;
        const details = error.details ?? {};
        const about = Object.entries(details).map(([name, text]) => `${name}: ${text}`);
        const message = error.message || "The response has no error message";
        super(`${status} ${code}: ${message}` +
            (about.length > 0 ? ` (${about.join(", ")})` : "") +
            (requestId ? ` [request ${requestId}]` : ""));
        this.status = status;
        this.code = code;
        this.requestId = requestId;
        this.details = details;
        this.headers = headers;
    }
    /** The messages of a validation error, by field name. */
    get fields() {
        const texts = Object.entries(this.details).filter(([, text]) => typeof text === "string");
        return Object.fromEntries(texts);
    }
    /** The milliseconds after which the server allows another attempt, if it says so. */
    get retryAfter() {
        return retryAfter(this.headers, Date.now());
    }
}
/** 400, 413 or 415: a value is missing or not valid. See `fields`. */
export class BadRequestError extends APIError {
}
/** 401: the API key, its secret or the access token is not valid. */
export class AuthenticationError extends APIError {
}
/** 403: the API client lacks a scope, or its tenant the permission. */
export class PermissionDeniedError extends APIError {
}
/** 404: there is no such record, or the caller must not know of it. */
export class NotFoundError extends APIError {
}
/** 409: the record exists already, or its state does not allow this. */
export class ConflictError extends APIError {
}
/** 412: the record has changed since it was read. */
export class PreconditionFailedError extends APIError {
}
/** 422: the idempotency key was already used for another request. */
export class IdempotencyError extends APIError {
}
/** 429: too many requests, or the monthly quota is used up. See `retryAfter`. */
export class RateLimitError extends APIError {
}
/** 5xx: the server failed or is not available. */
export class ServerError extends APIError {
}
const BY_STATUS = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: BadRequestError,
    415: BadRequestError,
    422: IdempotencyError,
    429: RateLimitError,
};
/** The error of a response. Bodies of proxies, which are no JSON, count as empty. */
export function errorOf(status, headers, body) {
    let error;
    try {
        error = JSON.parse(body)?.error;
    }
    catch {
        error = undefined;
    }
    const kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : APIError);
    return new kind(status, headers, typeof error === "object" && error !== null ? error : {});
}
/** The milliseconds of `Retry-After`, which is a number of seconds or a date. */
export function retryAfter(headers, now) {
    const value = headers.get("retry-after")?.trim() ?? "";
    if (/^\d+$/.test(value))
        return Number(value) * 1000;
    const at = Date.parse(value);
    return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
