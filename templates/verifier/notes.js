// Signed notes of a log (c2sp.org/signed-note), checkpoints, and cosignatures of witnesses, by the browser's own Ed25519.

import { bytesOfBase64, concat, hexOf, u64, utf8 } from "./bytes.js";
import { must } from "./refused.js";
import { sha256 } from "./secrets.js";

/** What keys sign, by the byte before them. */
const LOG = 1;
const WITNESS = 4;
/** The longest note and name that are read, in characters, and the most signatures. */
const MAX_NOTE = 64 * 1024;
const MAX_NAME = 255;
const MAX_SIGNATURES = 64;
/** The largest size and time: they fit 63 bits. */
const MAX_NUMBER = 2n ** 63n - 1n;
/** The root of a log without entries: SHA-256 of nothing. */
const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const NAME = /^[^\s+\p{Cc}]+$/u;
/** The header of a mail that holds the checkpoint, and the lines that it goes on in. */
const HEADER = /^Pippost-Checkpoint:(.*(?:\r?\n[ \t].*)*)/gim;

/** A number without sign or leading zeroes; null if it is none. */
export function numberOf(text) {
  const number = /^(?:0|[1-9]\d{0,18})$/.test(text ?? "") ? BigInt(text) : null;
  return number !== null && number <= MAX_NUMBER ? number : null;
}

/** The 32 bytes of a hash in base64; null if it is none. */
export function hashOf(text) {
  const bytes = bytesOfBase64(text ?? "");
  return bytes?.length === 32 ? bytes : null;
}

/** The public key of a log or a witness, `name+id+key`. Refuses what is none. */
export async function readKey(text) {
  const [, name, id, encoded] = /^([^+]*)\+([0-9a-f]{8})\+(\S*)$/i.exec(text.trim()) ?? [];
  const bytes = bytesOfBase64(encoded ?? "");
  must(NAME.test(name ?? "") && name.length <= MAX_NAME && bytes?.length === 33, "a key is like name+12345678+base64");
  const kind = bytes[0];
  const ours = (await sha256(concat(utf8(`${name}\n`), bytes))).slice(0, 8);
  must(ours === id.toLowerCase() && [LOG, WITNESS].includes(kind), "the key is damaged, or of a kind that this page does not know");
  const key = await crypto.subtle.importKey("raw", bytes.slice(1), { name: "Ed25519" }, false, ["verify"]);
  return { name, id: ours, kind, key };
}

export const isWitness = ({ kind }) => kind === WITNESS;

/** A note: its text with the last line feed, and its signatures; null if it is none. */
export function readNote(note) {
  const end = note.lastIndexOf("\n\n");
  if (note.length > MAX_NOTE || end < 0 || !note.endsWith("\n")) return null;
  const signatures = note.slice(end + 2, -1).split("\n").map(signatureOf);
  if (signatures.length > MAX_SIGNATURES || signatures.includes(null)) return null;
  return { text: note.slice(0, end + 1), signatures };
}

function signatureOf(line) {
  const [, name, encoded] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = bytesOfBase64(encoded ?? "");
  return bytes === null || bytes.length < 5 ? null : { name, id: hexOf(bytes.slice(0, 4)), bytes: bytes.slice(4) };
}

const isOf = (key) => ({ name, id }) => name === key.name && id === key.id;
const verifies = ({ key }, bytes, message) => crypto.subtle.verify({ name: "Ed25519" }, key, bytes, message);

/** The checkpoint of a note that the log of that key has signed: `origin`, `size`, `root`. Refuses any other. */
export async function openCheckpoint(note, key) {
  const [origin, size, root, ...more] = note.text.slice(0, -1).split("\n");
  const checkpoint = { origin, size: numberOf(size), root: hashOf(root) };
  const isForm = checkpoint.size !== null && checkpoint.root !== null && more.every((line) => line !== "");
  const isEmpty = isForm && checkpoint.size === 0n;
  must(isForm && (!isEmpty || hexOf(checkpoint.root) === EMPTY_ROOT) && origin === key.name && key.kind === LOG, "it is no checkpoint of the log with that key");
  const own = note.signatures.filter(isOf(key));
  must(own.length > 0, "the log with that key has not signed it");
  for (const { bytes } of own) must(await verifies(key, bytes, utf8(note.text)), "its signature is wrong");
  return checkpoint;
}

/** When a witness signed a note first, in seconds since 1970; null if it did not. Refuses a wrong signature in its name. */
export async function cosignedAt(note, key) {
  let first = null;
  for (const { bytes } of note.signatures.filter(isOf(key))) {
    const time = bytes.length > 8 ? new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) : 0n;
    const message = utf8(`cosignature/v1\ntime ${time}\n${note.text}`);
    const isRight = time > 0n && time <= MAX_NUMBER && (await verifies(key, bytes.slice(8), message));
    must(isRight, `the signature of the witness ${key.name} is wrong`);
    if (first === null || time < first) first = time;
  }
  return first;
}

/** The signed checkpoint in a text: in the header of a mail, or as it is. Refuses a text that has none of the log with that key. */
export async function findCheckpoint(text, key) {
  let why = "it has no checkpoint of the log with that key; a mail needs its headers (“show original” in most programs)";
  for (const note of notesIn(text.replaceAll("\r\n", "\n"), key)) {
    try {
      return { note, checkpoint: await openCheckpoint(note, key) };
    } catch (refused) {
      why = refused.message;
    }
  }
  must(false, why);
}

function* notesIn(text, { name }) {
  for (const [, words] of text.matchAll(HEADER)) {
    const bytes = bytesOfBase64(words.replace(/\s/g, ""));
    const note = bytes === null ? null : readNote(new TextDecoder().decode(bytes));
    if (note !== null) yield note;
  }
  const lines = text.split("\n");
  for (const [first, line] of lines.entries()) {
    if (line !== name) continue;
    const blank = lines.indexOf("", first);
    const after = blank < 0 ? [] : lines.slice(blank + 1);
    const end = after.findIndex((line) => !line.startsWith("\u2014 "));
    const signed = end < 0 ? after : after.slice(0, end);
    const note = readNote(`${lines.slice(first, blank).join("\n")}\n\n${signed.join("\n")}\n`);
    if (note !== null) yield note;
  }
}
