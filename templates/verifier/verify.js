// The four checks in order, each over the whole record before the next begins.

import { checkChain } from "./chain.js";
import { checkClock, split } from "./clock.js";
import { readRecord } from "./form.js";
import { checkProof } from "./proof.js";
import { replay } from "./replay.js";
import { SANDBOX_FORM } from "./secrets.js";

/** The longest record that is read, in bytes. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/**
 * Verifies a record (a Uint8Array). Gives a report:
 * - `failure`: null, or `{ check, place: { name, seq }, why }`, the first event that fails the first check that fails;
 * - `header`, `events`, `footer`: what could be read;
 * - `draws`: for each event that was replayed, its dice and cards with their words;
 * - `order`: the player in each seat, or null; `result`: how the game ended, or null;
 * - `sealed`: the events whose deal is still hidden; `proved`: whether a footer proves all of it;
 * - `clock`: null without a clock log after the record, or where the record fails, else its report (`checkClock`);
 * - `sandbox`: whether a player chose the chance: then nothing is proved.
 */
export async function verify(bytes) {
  const report = { failure: null, draws: [], order: null, result: null, sealed: [], proved: false, sandbox: false, clock: null };
  if (bytes.length > MAX_RECORD_BYTES) {
    const why = `the record has more than ${MAX_RECORD_BYTES} bytes`;
    const failure = { check: 1, place: { name: "header", seq: null }, why };
    return { ...report, failure, header: null, events: [], footer: null };
  }
  const { record, log } = split(bytes);
  const form = readRecord(record);
  Object.assign(report, form);
  report.sandbox = form.header?.record === SANDBOX_FORM;
  if (report.failure !== null) return report;
  const chain = await checkChain(form);
  report.failure = chain.failure;
  if (report.failure !== null) return report;
  Object.assign(report, replay(form, chain.seeds));
  if (report.failure !== null) return report;
  if (form.footer !== null) {
    report.failure = await checkProof(form, chain.salt, report.result);
    report.proved = report.failure === null && !report.sandbox;
  }
  if (log !== null && report.failure === null) report.clock = await checkClock(form, report.result !== null, report.asked, log);
  return report;
}
