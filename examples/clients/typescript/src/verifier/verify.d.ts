// What record.ts takes from the verifier, whose modules are those of the page /verifier.

import type { GameResult } from "../schema.js";

interface Failure {
  check: number;
  place: { name: string; seq: number | null };
  why: string;
}

export interface Report {
  failure: Failure | null;
  header: { id: string; rules: string; players: { name: string }[] };
  events: { hash: string }[];
  result: GameResult | null;
  proved: boolean;
  sandbox: boolean;
  clock: { failure: Failure | null } | null;
}

export function verify(bytes: Uint8Array): Promise<Report>;
