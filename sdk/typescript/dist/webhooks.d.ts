/** Verifies webhook deliveries by Standard Webhooks (https://www.standardwebhooks.com). */
import type { Event } from "./generated/models.js";
/** The headers of a request, of the Fetch API or of Node.js. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
    /** How old a delivery may be, in milliseconds; 5 minutes by default. */
    tolerance?: number;
    /** The current time in Unix milliseconds, for tests. */
    now?: number;
}
/**
 * Returns the event of a delivery, or throws a {@link WebhookVerificationError}.
 *
 * @param body The body as it was received. Parsing and serializing it would change it.
 * @param headers The headers of the request.
 * @param secret The webhook's secret, `whsec_…`, or several of which one must match.
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], { tolerance, now }?: VerifyOptions): Promise<Event>;
