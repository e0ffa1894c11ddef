// Check 4, with a footer: commitment, key, every seed and `next`, the head and the result.

import { bytesOfHex, hexOf } from "./bytes.js";
import { same } from "./json.js";
import { commitmentOf, keyOf, seedOf, sha256 } from "./secrets.js";

/** Checks the record against its master. Gives a failure or null. */
export async function checkProof({ header, events, footer }, salt, result) {
  const inFooter = (why) => ({ check: 4, place: { name: "footer", seq: null }, why });
  const master = bytesOfHex(footer.master);
  // The commitment comes first: without the right master every event would seem wrong, and none is.
  if ((await commitmentOf(header.id, master)) !== header.commitment) {
    return inFooter("`master` is not what the server committed to when the game was created");
  }
  const key = await keyOf(header, master, bytesOfHex(salt));
  const seeds = await Promise.all(Array.from({ length: events.length + 1 }, (_, seq) => seedOf(key, seq)));
  const nexts = await Promise.all(seeds.slice(1).map((seed) => sha256(seed)));
  for (const [seq, event] of events.entries()) {
    const at = (why) => ({ check: 4, place: { name: `event ${seq}`, seq }, why });
    if (event.seeds.some((revealed) => hexOf(seeds[revealed.seq]) !== revealed.seed)) {
      return at("a seed does not follow from `master`");
    }
    if (event.next !== nexts[seq]) return at("`next` does not follow from `master`");
  }
  if (result === null) return inFooter("the game is not over, so it has no footer");
  if (footer.head !== events.at(-1).hash) return inFooter("`head` is not the hash of the last event");
  if (!same(footer.result, result)) return inFooter("`result` is not how the game ended");
  return null;
}
