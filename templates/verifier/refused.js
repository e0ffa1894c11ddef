// Why something in a record cannot be.

/** Thrown where an event is not what it must be; the message says so in words a player understands. */
export class Refused extends Error {}

/** Refuses unless the condition holds. */
export function must(condition, why) {
  if (!condition) throw new Refused(why);
}
