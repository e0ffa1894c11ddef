// SHA-256, HMAC and HKDF, by the browser's own WebCrypto, and the formulas of the protocol made of them.

import { bytesOfUuid, concat, hexOf, u64, utf8 } from "./bytes.js";

/** The form of a record whose chance a player chose. */
export const SANDBOX_FORM = "pippost-sandbox/1";

/** Whether the browser lends its cryptography to this page: not over plain http. */
export function hasCryptography() {
  return globalThis.crypto?.subtle !== undefined;
}

/** The hash of bytes, as hex. */
export async function sha256(bytes) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** What the server committed to when it created the game. */
export function commitmentOf(id, master) {
  return sha256(concat(utf8("pippost/commit/1"), bytesOfUuid(id), master));
}

/**
 * The game's key, from which all its seeds come. `salt` is the header's hash, as bytes. Of a sandbox's record it depends on the master
 * alone.
 */
export async function keyOf({ id, record }, master, salt) {
  const material = await crypto.subtle.importKey("raw", master, "HKDF", false, ["deriveBits"]);
  const parts =
    record === SANDBOX_FORM
      ? { salt: new Uint8Array(), info: utf8("pippost/sandbox/1") }
      : { salt, info: concat(utf8("pippost/key/1"), bytesOfUuid(id)) };
  const bits = await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", ...parts }, material, 256);
  return crypto.subtle.importKey("raw", bits, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** The seed of event `seq`, as bytes. */
export async function seedOf(key, seq) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, concat(utf8("pippost/draw/1"), u64(seq))));
}
