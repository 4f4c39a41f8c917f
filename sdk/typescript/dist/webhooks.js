/** Verifies webhook deliveries by Standard Webhooks (https://www.standardwebhooks.com). */
import { WebhookVerificationError } from "./errors.js";
/**
 * Returns the event of a delivery, or throws a {@link WebhookVerificationError}.
 *
 * @param body The body as it was received. Parsing and serializing it would change it.
 * @param headers The headers of the request.
 * @param secret The webhook's secret, `whsec_…`, or several of which one must match.
 */
export async function verifyWebhook(body, headers, secret, { tolerance = 300_000, now = Date.now() } = {}) {
    const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const [id, sentAt, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
    if (!id || !sentAt || !signatures) {
        throw new WebhookVerificationError("the headers of a webhook delivery are missing");
    }
    checkTime(sentAt, now, tolerance);
    const head = new TextEncoder().encode(`${id}.${sentAt}.`);
    const signed = new Uint8Array(head.length + content.length);
    signed.set(head);
    signed.set(content, head.length);
    const secrets = typeof secret === "string" ? [secret] : secret;
    if (!(await isSigned(signed, signatures, secrets))) {
        throw new WebhookVerificationError("no signature matches the secret");
    }
    let payload;
    try {
        payload = JSON.parse(new TextDecoder().decode(content));
    }
    catch {
        throw new WebhookVerificationError("the body is not JSON");
    }
    if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
        throw new WebhookVerificationError("the body is not an event");
    }
    return { id, ...payload };
}
function header(headers, name) {
    if (headers instanceof Headers)
        return headers.get(name) ?? "";
    const found = Object.entries(headers).find(([it]) => it.toLowerCase() === name)?.[1];
    return (Array.isArray(found) ? found[0] : found) ?? "";
}
function checkTime(sentAt, now, tolerance) {
    if (!/^\d+$/.test(sentAt)) {
        throw new WebhookVerificationError("webhook-timestamp is not a number");
    }
    const age = now - Number(sentAt) * 1000;
    if (Math.abs(age) > tolerance) {
        const when = age > 0 ? "too old" : "in the future";
        throw new WebhookVerificationError(`the delivery is ${when}: is this machine's clock right?`);
    }
}
async function isSigned(signed, signatures, secrets) {
    const given = signatures.split(" ").filter((it) => it.startsWith("v1,"));
    const hmac = { name: "HMAC", hash: "SHA-256" };
    let matches = false;
    for (const secret of secrets) {
        const bytes = decode(secret.replace(/^whsec_/, ""));
        if (!bytes?.length) {
            throw new WebhookVerificationError("the secret is not one of a webhook: whsec_…");
        }
        const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["verify"]);
        for (const signature of given) {
            const mac = decode(signature.slice("v1,".length));
            // Compares in constant time. Every pair is compared.
            if (mac && (await crypto.subtle.verify("HMAC", key, mac, signed)))
                matches = true;
        }
    }
    return matches;
}
function decode(text) {
    try {
        return Uint8Array.from(atob(text), (it) => it.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
