/** A client of the Grantor licensing server. */

export { FollowedEvents, Grantor, type GrantorOptions } from "./client.js";
export { type CallOptions, type ChangeOptions, etagOf, type UpdateOptions } from "./core.js";
export {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionFailedError,
  GrantorError,
  IdempotencyError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  WebhookVerificationError,
} from "./errors.js";
export type * as models from "./generated/models.js";
export type * from "./generated/resources.js";
export { VERSION } from "./generated/version.js";
export { type Page, Pages } from "./pages.js";
export type { TokenStore } from "./tokens.js";
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from "./webhooks.js";
