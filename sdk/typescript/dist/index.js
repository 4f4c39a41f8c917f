/** A client of the Grantor licensing server. */
export { FollowedEvents, Grantor } from "./client.js";
export { etagOf } from "./core.js";
export { APIError, AuthenticationError, BadRequestError, ConflictError, ConnectionFailedError, GrantorError, IdempotencyError, NotFoundError, PermissionDeniedError, PreconditionFailedError, RateLimitError, ServerError, WebhookVerificationError, } from "./errors.js";
export { VERSION } from "./generated/version.js";
export { Pages } from "./pages.js";
export { verifyWebhook } from "./webhooks.js";
