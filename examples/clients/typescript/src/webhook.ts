// Webhooks, signed as Standard Webhooks says (https://www.standardwebhooks.com).

import type { WebhookChallenge, WebhookMessage, WebhookSaid } from "./schema.js";

/** Whoever sent it does not have the secret, or sent it long ago. Answer with 401 and believe nothing of it. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

/** How old a message may be, and how far ahead a sender's clock, in seconds. */
const TOLERANCE_SECONDS = 300;

const PREFIX = "whsec_";

type Headers = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

function headerOf(headers: Headers, name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== "string") throw new WebhookRefused(`${name} is missing`);
  return value;
}

/** The bytes of base64, or none where it is something else. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What to answer as `{"challenge": …}`, so that the webhook becomes active; undefined of other messages. */
export function challengeOf(message: WebhookMessage | WebhookSaid | WebhookChallenge): string | undefined {
  return message.type === "challenge" ? (message as WebhookChallenge).data.challenge : undefined;
}

/**
 * The message in a request to your receiver, if the server that has the webhook's `secret` sent it. `body` is what came, byte for byte;
 * `headers` are those of `fetch`, or of Node.js (names in lower case).
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers,
  body: string | Uint8Array,
  now: Date = new Date(),
): Promise<WebhookMessage | WebhookSaid | WebhookChallenge> {
  const raw = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (raw === undefined || raw.length === 0) throw new TypeError("the secret is none of a webhook");
  const [id, sent] = [headerOf(headers, "webhook-id"), headerOf(headers, "webhook-timestamp")];
  if (!/^\d{1,12}$/.test(sent) || Math.abs(now.getTime() / 1000 - Number(sent)) > TOLERANCE_SECONDS) {
    throw new WebhookRefused("webhook-timestamp is not of now");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const begin = new TextEncoder().encode(`${id}.${sent}.`);
  const signed = new Uint8Array(begin.length + bytes.length);
  signed.set(begin);
  signed.set(bytes, begin.length);
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  // During a rotation there are two signatures.
  for (const part of headerOf(headers, "webhook-signature").split(" ")) {
    const signature = part.startsWith("v1,") ? bytesOf(part.slice("v1,".length)) : undefined;
    if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage | WebhookSaid | WebhookChallenge;
    }
  }
  throw new WebhookRefused("no signature fits the secret");
}
