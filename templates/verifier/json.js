// Canonical JSON (RFC 8785) of the values that a record may hold: integers only, well-formed Unicode.

/** How many lists and objects may lie in each other. A record needs five; what else an action holds is for the replay to refuse. */
const MAX_DEPTH = 127;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The canonical text of a value that lies in `depth` others. Throws where a record may not hold it. */
export function canonical(value, depth = 0) {
  switch (typeof value) {
    case "number":
      if (!Number.isSafeInteger(value)) throw new Error("a number is not an integer of at most 2^53 - 1");
      return JSON.stringify(value);
    case "string":
      if (LONE_SURROGATE.test(value)) throw new Error("a text is not well-formed Unicode");
      return JSON.stringify(value);
    case "boolean":
      return String(value);
    default:
      if (value === null) return "null";
      if (depth >= MAX_DEPTH) throw new Error("values lie too deep in each other");
      if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join(",")}]`;
      return `{${membersOf(value, depth)}}`;
  }
}

// Members are sorted by UTF-16 code units, which is how JavaScript sorts texts.
function membersOf(object, depth) {
  const member = (name) => `${canonical(name)}:${canonical(object[name], depth + 1)}`;
  return Object.keys(object).sort().map(member).join(",");
}

/**
 * Reads a line of a record. It must be exactly the canonical form of what it says, which also rules out white
 * space, members given twice, other spellings of numbers, and escapes that are not needed.
 */
export function readCanonical(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("the line is no JSON");
  }
  if (!isObject(value)) throw new Error("the line is no object");
  if (canonical(value) !== text) throw new Error("the line is not in canonical form (RFC 8785)");
  return value;
}

/** Whether a value is a JSON object. */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has just these members. */
export function hasExactly(object, names) {
  const own = Object.keys(object);
  return own.length === names.length && names.every((name) => Object.hasOwn(object, name));
}

/** Whether two values are the same in every member. */
export function same(one, other) {
  return canonical(one) === canonical(other);
}
