// The part of the page about the log: compares two mails or checkpoints, and checks that the log has the record that was verified last.

import { checkLogProof, compareCheckpoints } from "./log.js";

/** The largest mail that is read, in bytes. */
const MAX_MAIL_BYTES = 16 * 2 ** 20;

const field = (id) => document.getElementById(id);
const valueOf = (id) => field(id).value;
const entries = (size) => (size === 1n ? "1 entry" : `${size} entries`);

function say(verdict, reason, isGood) {
  field("log-banner").className = isGood === null ? "banner" : isGood ? "banner accepted" : "banner refused";
  field("log-verdict").textContent = verdict;
  field("log-reason").textContent = reason;
  field("log-banner").hidden = false;
  field("log-verdict").focus();
}

/** Shows where the proof between two checkpoints can be had, which this page, that has no network, cannot fetch. */
function askForProof({ old, young }) {
  const link = field("between-link");
  link.href = `https://${young.origin}/consistency/${old.size}/${young.size}`;
  link.textContent = link.href;
  field("between").hidden = false;
}

const COMPARED = {
  same: ({ old }) => ["The same history", `Both say the same of ${entries(old.size)}.`, true],
  continues: ({ old, young }) => ["One continues the other", `The log went on from ${entries(old.size)} to ${young.size}, and took nothing back.`, true],
  unknown: ({ old, young }) => [
    "Different sizes: a proof is needed",
    `One is of ${entries(old.size)}, the other of ${young.size}. Put the proof between them into its field above, and compare again.`,
    null,
  ],
  unproved: () => [
    "The proof does not connect them",
    "Ask the server again. If it can give none that does, these contradict: keep both.",
    false,
  ],
  contradict: ({ old }) => [
    "These contradict: keep both",
    `The log has signed two histories of ${entries(old.size)}. Together the two texts prove it to everybody.`,
    false,
  ],
};

async function compareTexts() {
  const compared = await compareCheckpoints([valueOf("first-text"), valueOf("second-text")], valueOf("log-key"), valueOf("between-proof"));
  if (["unknown", "unproved"].includes(compared.verdict)) askForProof(compared);
  say(...COMPARED[compared.verdict](compared));
}

const dateOf = (time) => (time < 2n ** 38n ? new Date(Number(time) * 1000).toISOString().replace(/T(.{8}).*/, " $1 UTC") : `second ${time}`);

async function checkGivenProof(report) {
  const asked = { proof: valueOf("proof-text"), key: valueOf("log-key"), witnesses: valueOf("witness-keys"), needed: Number(valueOf("witnesses-needed")) };
  const { origin, size, index, seq, isWhole, seen } = await checkLogProof(report, asked);
  const what = isWhole ? "all of the record" : `the record up to event ${seq}`;
  const times = seen.map(({ name, time }) => ` ${name} saw it on ${dateOf(time)}.`).join("");
  say("The log has it", `${origin} has ${what}, as entry ${index} of ${size}.${times}`, true);
}

async function carefully(task) {
  field("log-banner").hidden = true;
  try {
    await task();
  } catch (error) {
    say("Refused", `${error.message}.`.replace("..", "."), false);
  }
}

/** Fills a field with a chosen file. */
function takeFile(input, id) {
  field(input).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (file === undefined) return;
    if (file.size > MAX_MAIL_BYTES) say("Refused", "That is too long for a mail: more than 16 MiB.", false);
    else field(id).value = await file.text();
  });
}

/** Lets people use the forms; `reportOf` gives the report on the record that was verified last, or null. */
export function listenToLog(reportOf) {
  field("compare").addEventListener("submit", (event) => {
    event.preventDefault();
    carefully(compareTexts);
  });
  field("log-proof").addEventListener("submit", (event) => {
    event.preventDefault();
    carefully(() => checkGivenProof(reportOf() ?? { header: null }));
  });
  takeFile("first-file", "first-text");
  takeFile("second-file", "second-text");
  takeFile("proof-file", "proof-text");
}
