// Check 2: the header's hash, sequence, times, the hash chain, and every revealed seed against its `next`.

import { bytesOfHex, utf8 } from "./bytes.js";
import { canonical } from "./json.js";
import { sha256 } from "./secrets.js";

/**
 * Checks event by event. Gives the revealed seeds by event (as bytes), the header's hash, and a failure or null.
 */
export async function checkChain({ header, events }) {
  const salt = await sha256(utf8(canonical(header)));
  const hashes = await Promise.all(events.map((event) => sha256(utf8(canonical(unhashed(event))))));
  const revealed = events.flatMap((event) => event.seeds);
  const seedHashes = new Map(
    await Promise.all(revealed.map(async ({ seed }) => [seed, await sha256(bytesOfHex(seed))])),
  );
  const seeds = new Map();
  for (const [index, event] of events.entries()) {
    const why = faultOf(event, index, events, index === 0 ? salt : events[index - 1].hash, hashes[index], seedHashes);
    if (why !== null) {
      return { salt, seeds, failure: { check: 2, place: { name: `event ${index}`, seq: index }, why } };
    }
    for (const { seq, seed } of event.seeds) seeds.set(seq, bytesOfHex(seed));
  }
  return { salt, seeds, failure: null };
}

function unhashed(event) {
  const { hash: _, ...rest } = event;
  return rest;
}

function faultOf(event, index, events, prev, hash, seedHashes) {
  if (event.seq !== index) return "`seq` does not count from 0 without gaps";
  // Times have one form and one length, so they compare as texts.
  if (index > 0 && event.at < events[index - 1].at) return "the time is earlier than that of the event before";
  if (event.prev !== prev) {
    return index === 0
      ? "`prev` is not the hash of the header: the header was changed"
      : "`prev` is not the hash of the event before: an event is missing, or one was changed";
  }
  if (event.hash !== hash) return "`hash` is not the hash of the event: the event was changed";
  for (const { seq, seed } of event.seeds) {
    // Seed 0 has no `next` before it: the master proves it.
    const promised = events[seq - 1]?.next;
    if (promised !== undefined && promised !== seedHashes.get(seed)) {
      return `the seed of event ${seq} is not the one that event ${seq - 1} promised`;
    }
  }
  return null;
}
