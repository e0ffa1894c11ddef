// Records and receipts, checked without the server.

import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import type { GameResult, KeySet } from "./schema.js";
import { verify } from "./verifier/verify.js";

/** The record is not what a server that keeps the rules would have written. */
export class RecordRefused extends Error {
  override readonly name = "RecordRefused";

  constructor(
    /** The first part that fails: `header`, `event 7`, `footer`, `clock line 3` … */
    readonly place: string,
    readonly why: string,
  ) {
    super(`${place}: ${why}`);
  }
}

/** What a record says that was accepted. */
export interface Verified {
  game: string;
  rules: string;
  players: string[];
  /** The hashes of the events. */
  hashes: string[];
  /** How the game ended; null while it runs. */
  result: GameResult | null;
  /** Whether the game is over and its footer proves every die and card. */
  proved: boolean;
  /** Whether a player chose the chance, as in a sandbox: then nothing is proved. */
  sandbox: boolean;
}

/**
 * Checks a record, and the clock log after it, as `pippost verify` does: form, chain, every event by the rules of its game, all chance.
 * Throws {@link RecordRefused}.
 */
export async function verifyRecord(record: string | Uint8Array): Promise<Verified> {
  const bytes = typeof record === "string" ? new TextEncoder().encode(record) : record;
  const report = await verify(bytes);
  const failure = report.failure ?? report.clock?.failure ?? null;
  if (failure !== null) throw new RecordRefused(failure.place.name, failure.why);
  const { header, events, result, proved, sandbox } = report;
  return {
    game: header.id,
    rules: header.rules,
    players: header.players.map(({ name }) => name),
    hashes: events.map(({ hash }) => hash),
    result,
    proved,
    sandbox,
  };
}

/** What the server signed when it accepted a move. */
export interface Receipt {
  game: string;
  seq: number;
  hash: string;
}

/** The media type of receipts; other things are signed with the same keys. */
const RECEIPT_TYPE = "pippost-receipt+jws";

/** The claims of a receipt that one of the server's keys signed (`GET /.well-known/jwks.json`; keep them beside your receipts). */
export async function verifyReceipt(receipt: string, keys: KeySet): Promise<Receipt> {
  const set = createLocalJWKSet(keys as unknown as JSONWebKeySet);
  const { payload, protectedHeader } = await compactVerify(receipt, set, { algorithms: ["EdDSA", "Ed25519"] });
  if (protectedHeader.typ !== RECEIPT_TYPE) throw new errors.JWSInvalid("the token is no receipt");
  const { game, seq, hash } = JSON.parse(new TextDecoder().decode(payload)) as Receipt;
  return { game, seq, hash };
}

/** Whether a receipt and a verified record of its game together prove that the server broke its word. */
export function receiptContradicts({ game, seq, hash }: Receipt, record: Verified): boolean {
  if (game !== record.game) throw new TypeError("the receipt is of another game");
  // A record that was fetched before the move does not have it yet.
  const has = record.hashes[seq];
  return has === undefined ? record.result !== null : has !== hash;
}
