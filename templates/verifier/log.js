// The log over all games of a server: whether it has a record (c2sp.org/tlog-proof), and what two of its checkpoints say of each other.

import { bytesOfBase64, bytesOfHex, bytesOfUuid, concat, hexOf, u32, utf8 } from "./bytes.js";
import { canonical } from "./json.js";
import { cosignedAt, findCheckpoint, hashOf, isWitness, numberOf, openCheckpoint, readKey, readNote } from "./notes.js";
import { Refused, must } from "./refused.js";
import { sha256 } from "./secrets.js";
import { isContinued, isIncluded, leafHash } from "./tree.js";

const FIRST_LINE = "c2sp.org/tlog-proof@v1";

/** A proof: which entry it is about, if it says so, the place, the hashes, and the note. Refuses what is none. */
function readProof(text) {
  const [head, ...after] = `${text.replaceAll("\r\n", "\n").trimEnd()}\n`.split("\n\n");
  const [first, ...lines] = head.split("\n");
  const isRight = first === FIRST_LINE && after.length > 0;
  const extra = lines[0]?.startsWith("extra ") ? lines.shift().slice("extra ".length) : null;
  const index = numberOf(/^index (.*)$/.exec(lines.shift() ?? "")?.[1]);
  const [hashes, note] = [lines.map(hashOf), readNote(after.join("\n\n"))];
  must(isRight && index !== null && note !== null && !hashes.includes(null), `this is no proof of a log (${FIRST_LINE})`);
  return { seq: seqOf(extra), index, hashes, note };
}

/** The number of the entry, which only says where to look in the record; null if the proof does not tell. */
function seqOf(extra) {
  try {
    const { seq } = JSON.parse(new TextDecoder().decode(bytesOfBase64(extra)));
    return Number.isSafeInteger(seq) && seq >= 0 ? seq : null;
  } catch {
    return null;
  }
}

/** The entry of the log for an event of a record that was accepted, or for its footer, which has the number after the last event. */
async function entryOf({ header, events, footer }, seq) {
  const isFooter = seq === events.length && footer !== null;
  must(seq < events.length || isFooter, `the record has no line ${seq} after its header`);
  const hash = isFooter ? await sha256(utf8(canonical(footer))) : events[seq].hash;
  const game = await sha256(concat(utf8("pippost/log/1"), bytesOfUuid(header.id)));
  return concat(bytesOfHex(game), u32(seq), bytesOfHex(hash));
}

/**
 * Checks that a log has a record, which was verified before (`report` as `verify` gives it). `asked` has the texts `proof`, `key` and
 * `witnesses`, and how many witnesses are `needed`. Gives what it shows; refuses a proof that shows less.
 */
export async function checkLogProof(report, asked) {
  must(report.header !== null && report.failure === null && !report.sandbox, "a record that is accepted is needed first");
  const key = await readKey(asked.key);
  const proof = readProof(asked.proof);
  const newest = report.events.length - (report.footer === null ? 1 : 0);
  const seq = proof.seq ?? newest;
  const leaf = await leafHash(await entryOf(report, seq));
  const checkpoint = await openCheckpoint(proof.note, key);
  must(await isIncluded(leaf, proof.index, checkpoint, proof.hashes), "the log does not have this record at that place");
  const seen = [];
  for (const text of asked.witnesses.split(/[\s,]+/).filter((text) => text !== "")) {
    const witness = await readKey(text);
    must(isWitness(witness), `the key of ${witness.name} is no witness’s`);
    const time = await cosignedAt(proof.note, witness);
    if (time !== null && !seen.some(({ name }) => name === witness.name)) seen.push({ name: witness.name, time });
  }
  must(seen.length >= asked.needed, `${seen.length} of the ${asked.needed} witnesses that you ask for have signed its checkpoint`);
  return { ...checkpoint, index: proof.index, seq, isWhole: seq === newest, seen };
}

/**
 * Compares two texts with checkpoints, which may be mails with their headers. `proof` are the hashes that show that one continues the
 * other, in base64, a line each; it may be empty. Gives `verdict` ("same", "continues", "unknown" or "contradict") and both checkpoints.
 */
export async function compareCheckpoints(texts, keyText, proof) {
  const key = await readKey(keyText);
  const found = [];
  for (const [number, text] of texts.entries()) {
    try {
      found.push((await findCheckpoint(text, key)).checkpoint);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new Refused(`${number === 0 ? "The first" : "The second"} text: ${error.message}`);
    }
  }
  const [old, young] = found[0].size <= found[1].size ? found : [found[1], found[0]];
  return { verdict: await verdictOn(old, young, proof), old, young };
}

async function verdictOn(old, young, proof) {
  if (old.size === young.size) return hexOf(old.root) === hexOf(young.root) ? "same" : "contradict";
  if (old.size === 0n) return "continues";
  const hashes = proof.split(/\s+/).filter((line) => line !== "").map(hashOf);
  must(!hashes.includes(null), "The proof between them is damaged: it has one hash in base64 a line.");
  if (hashes.length === 0) return "unknown";
  return (await isContinued(old, young, hashes)) ? "continues" : "unproved";
}
