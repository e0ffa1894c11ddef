// Bytes, hexadecimal and text.

const utf8Encoder = new TextEncoder();

/** The UTF-8 bytes of a text. */
export function utf8(text) {
  return utf8Encoder.encode(text);
}

/** All byte strings, one after the other: the `‖` of the protocol. */
export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Lower-case hexadecimal digits to bytes; the caller has checked the digits. */
export function bytesOfHex(hex) {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}

/** Bytes to lower-case hexadecimal digits. */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The 16 bytes of a UUID. */
export function bytesOfUuid(id) {
  return bytesOfHex(id.replaceAll("-", ""));
}

/** `u64_be(n)`, for whole numbers that a double holds. */
export function u64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** `u32_be(n)`. */
export function u32(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** The bytes of a text in canonical base64; null if it is none. */
export function bytesOfBase64(text) {
  try {
    const bytes = atob(text);
    return btoa(bytes) === text ? Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}
