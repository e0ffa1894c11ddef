// The page: takes a record from a file, a drop or the clipboard, and shows the report.

import { listenToLog } from "./page_log.js";
import { checkLogProof, compareCheckpoints } from "./log.js";
import { cardName, cardSign, isRed } from "./cards.js";
import { hasCryptography } from "./secrets.js";
import { actionWords, effectWords, resultWords, seatNames, titleOf } from "./words.js";
import { MAX_RECORD_BYTES, verify } from "./verify.js";

/** How many events are shown at once. */
const EVENTS_SHOWN = 200;
const SVG = "http://www.w3.org/2000/svg";
/** Where the pips of each die lie, in a square of 3 by 3. */
const PIPS = [
  [],
  [[1, 1]],
  [[0, 0], [2, 2]],
  [[0, 0], [1, 1], [2, 2]],
  [[0, 0], [0, 2], [2, 0], [2, 2]],
  [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
];
const CHECKS = [
  ["Form", "canonical lines, exact members, a possible header"],
  ["Chain", "header hash, sequence, times, every event’s hash, seeds against promises"],
  ["Play", "who acts, what is legal, every die and card, every effect, the seeds due"],
  ["Proof", "commitment, key, every seed and promise, the result"],
];
const CLOCK_CHECKS = [
  ["Clock form", "canonical lines, exact members, a possible time control"],
  ["Clock chain", "every line’s hash, its place among the events, times in order"],
  ["Clock openings", "calendars and holidays against what the server was bound to"],
  ["Clock times", "what every seat had left at every event, and every time-out"],
];

/** The report on the record that was verified last. */
let lastReport = null;

const byId = (id) => document.getElementById(id);

/** An element with classes and children; texts are never read as markup. */
function element(name, classes, ...children) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

/** A sentence of a verifier: what stands between back-ticks is shown as code. */
function sentence(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));
}

function dieFace(number) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 30 30");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", String(number));
  for (const [row, column] of PIPS[number]) {
    const pip = document.createElementNS(SVG, "circle");
    pip.setAttribute("cx", String(6 + 9 * column));
    pip.setAttribute("cy", String(6 + 9 * row));
    pip.setAttribute("r", "3");
    svg.append(pip);
  }
  return svg;
}

function chipOf({ kind, result }, header) {
  if (kind === "die") return element("span", "chip", dieFace(result));
  if (kind === "player") return element("span", "chip", header.players[result].name);
  const chip = element("span", isRed(result) ? "chip red" : "chip", cardSign(result));
  chip.setAttribute("role", "img");
  chip.setAttribute("aria-label", cardName(result));
  return chip;
}

function drawItem(draw, header, nameOf) {
  const purpose = draw.kind === "player" ? draw.purpose : draw.purpose.replace(/seat (\d+)/, (_, seat) => nameOf(Number(seat)));
  const item = element("li", "", chipOf(draw, header), element("span", "purpose", purpose));
  for (const [index, { index: number, value }] of draw.words.entries()) {
    const text = `${number}: ${value.toString(16).padStart(8, "0")}`;
    const rejected = index < draw.words.length - 1;
    item.append(element("span", "word", rejected ? element("s", "", text) : text));
  }
  item.title = `word ${draw.words.at(-1).index} mod ${draw.sides}`;
  return item;
}

function eventRow(event, report, nameOf) {
  const { seq, at, seat, action, effects } = event;
  const when = element("span", "soft", `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`);
  const number = element("th", "", String(seq), when);
  number.scope = "row";
  number.setAttribute("role", "rowheader");
  const actor = action.type === "timeout" ? "The clock" : seat === null ? "The server" : nameOf(seat);
  const what = element("td", "", element("span", "who", actor), `: ${actionWords(report.header, action)}`);
  what.append(...leftOf(report, seq, nameOf));
  const followed = element("ul", "effects", ...effects.map((effect) => element("li", "", effectWords(report.header, effect, nameOf))));
  const draws = report.draws[seq] ?? [];
  const chance = element("td", "");
  if (draws.length > 0) chance.append(element("ul", "draws", ...draws.map((draw) => drawItem(draw, report.header, nameOf))));
  if (report.sealed.includes(seq)) chance.append(element("span", "soft", "dealt face down; the seed is published when the hand is over"));
  const row = element("tr", "", number, what, element("td", "", followed), chance);
  // Said aloud as a table also where a narrow window shows each row as a block.
  row.setAttribute("role", "row");
  for (const cell of row.querySelectorAll("td")) cell.setAttribute("role", "cell");
  const problem = failureOf(report);
  const failed = problem?.place.seq;
  if (failed === seq) {
    row.className = "fails";
    what.append(element("p", "problem", ...sentence(problem.why)));
  } else if (problem !== null && failed !== null && seq > failed) {
    row.className = "unread";
  }
  return row;
}

function showEvents(report, nameOf) {
  const rows = byId("events");
  rows.replaceChildren();
  const more = byId("more");
  byId("happened").hidden = report.events.length === 0;
  const showUpTo = (end) => {
    const events = report.events.slice(rows.children.length, end);
    rows.append(...events.map((event) => eventRow(event, report, nameOf)));
    more.hidden = rows.children.length >= report.events.length;
  };
  more.onclick = () => showUpTo(rows.children.length + EVENTS_SHOWN);
  showUpTo(Math.max(EVENTS_SHOWN, (failureOf(report)?.place.seq ?? 0) + 1));
}

function showChecks({ failure, footer, sandbox, clock }) {
  const items = CHECKS.map(([name, what], index) => {
    const number = index + 1;
    const absent = number === 4 && (footer === null || (sandbox && failure === null));
    const reached = failure === null || number <= failure.check;
    const state = failure?.check === number ? "failed" : reached && !absent ? "passed" : "skipped";
    const note = { failed: "failed", passed: "passed", skipped: absent && failure === null ? (sandbox ? "nothing is proved" : "the game still runs") : "not reached" };
    return element("li", state, element("strong", "", `${name}: ${note[state]}`), ` – ${what}`);
  });
  byId("checks").replaceChildren(...items, ...(clock === null ? [] : clockItems(clock)));
}

function clockItems({ failure, times }) {
  return CLOCK_CHECKS.map(([name, what], index) => {
    const number = index + 1;
    const waits = number === 4 && times === null && failure === null;
    const state = failure?.check === number ? "failed" : waits || (failure !== null && number > failure.check) ? "skipped" : "passed";
    const note = { failed: "failed", passed: "passed", skipped: waits ? "calendars are sealed until the game is over" : "not reached" };
    return element("li", state, element("strong", "", `${name}: ${note[state]}`), ` – ${what}`);
  });
}

/** What fails, in the record or in the clock log after it. */
const failureOf = ({ failure, clock }) => failure ?? clock?.failure ?? null;

/** Microseconds as hours and minutes. */
const spanOf = (left) => `${left / 3_600_000_000n}:${String((left / 60_000_000n) % 60n).padStart(2, "0")} h`;

/** What the clock of an event had left, if the clock log says so. */
function leftOf({ clock }, seq, nameOf) {
  const taken = clock?.times?.[seq - 1];
  if (taken === undefined) return [];
  const parts = ["limit", "bank", "wait"].filter((part) => taken[part] !== null).map((part) => `${part} ${spanOf(taken[part])}`);
  return parts.length === 0 ? [] : [element("p", "soft", `${nameOf(taken.seat)} had left: ${parts.join(", ")}`)];
}

function showFacts(report, nameOf) {
  const { header, events, order, result } = report;
  const facts = [];
  if (header !== null) {
    facts.push(["Game", titleOf(header.rules)], ["Id", element("code", "", header.id)]);
    const seats = (order ?? []).map((_, seat) => nameOf(seat));
    facts.push(order === null ? ["Players", header.players.map(({ name }) => name).join(", ")] : ["Players by seat", seats.join(", ")]);
  }
  facts.push(["Events", String(events.length)]);
  if (report.clock !== null) facts.push(["Clock log", `${report.clock.lines} ${report.clock.lines === 1 ? "line" : "lines"}`]);
  if (result !== null) facts.push(["Result", resultWords(result, nameOf)]);
  if (header !== null) facts.push(["Commitment", element("code", "", header.commitment)]);
  byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]));
}

/** The verdict in a few words, and a sentence of reasons. */
function verdictOf(report, source) {
  const { header, events, proved } = report;
  const failure = failureOf(report);
  if (failure !== null) {
    const where = { header: "the header", footer: "the last line" }[failure.place.name] ?? failure.place.name;
    return [`Refused: ${where} is wrong`, `${source}: ${failure.why}.`];
  }
  const draws = report.draws.flat();
  const dice = draws.filter(({ kind }) => kind === "die").length;
  const cards = draws.filter(({ kind }) => kind === "card").length;
  if (report.sandbox) {
    return ["Sandbox: this proves nothing", `${source}: the seed was chosen by a player; this game proves nothing. Its ${events.length} events are as the rules say.`];
  }
  const clock = report.clock?.times == null ? "" : ", and everybody’s times";
  const warning = report.clock?.warning ? ` But ${report.clock.warning}.` : "";
  const counted = `${events.length} events, ${dice} dice and ${cards} cards of ${titleOf(header.rules)}${clock}`;
  if (proved) return ["Accepted, and proved", `${source}: ${counted}, all from the secret that the server committed to before any player added to it.${warning}`];
  const sealed = report.sealed.length > 0 ? " One deal is still hidden: it can be checked when its hand is over." : "";
  return ["Accepted so far", `${source}: ${counted}. The game still runs; its last line will prove the rest.${sealed}`];
}

function show(report, source) {
  const nameOf = seatNames(report.header, report.order);
  const [verdict, reason] = verdictOf(report, source);
  byId("banner").className = failureOf(report) === null && !report.sandbox ? "banner accepted" : "banner refused";
  byId("verdict").textContent = verdict;
  byId("reason").replaceChildren(...sentence(reason));
  showFacts(report, nameOf);
  showChecks(report);
  showEvents(report, nameOf);
  byId("report").hidden = false;
  byId("verdict").focus();
}

async function check(read, source, size) {
  byId("refused-input").textContent = "";
  byId("report").hidden = true;
  lastReport = null;
  if (size > MAX_RECORD_BYTES) {
    byId("refused-input").textContent = `That is too long for a record: more than ${MAX_RECORD_BYTES / 2 ** 20} MiB.`;
    return;
  }
  byId("progress").textContent = "Playing it again …";
  try {
    lastReport = await verify(await read());
    show(lastReport, source);
  } catch (error) {
    byId("refused-input").textContent = `The record could not be read: ${error.message}`;
  }
  byId("progress").textContent = "";
}

const checkFile = (file) => check(async () => new Uint8Array(await file.arrayBuffer()), file.name, file.size);

function listen() {
  const form = byId("input");
  const file = byId("file");
  file.addEventListener("change", () => {
    if (file.files.length > 0) checkFile(file.files[0]);
    // The same file can be chosen again after it was changed.
    file.value = "";
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("pasted").value;
    // What is copied from a page often lacks the last line feed.
    const bytes = new TextEncoder().encode(text.endsWith("\n") ? text : `${text}\n`);
    check(() => bytes, "What you pasted", bytes.length);
  });
  const over = (is) => (event) => {
    event.preventDefault();
    form.classList.toggle("over", is);
  };
  form.addEventListener("dragover", over(true));
  form.addEventListener("dragleave", over(false));
  // A file that misses the zone must not replace the page.
  for (const type of ["dragover", "drop"]) document.addEventListener(type, (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    form.classList.remove("over");
    if (event.dataTransfer.files.length > 0) checkFile(event.dataTransfer.files[0]);
  });
}

/** Checks the record that the server has put into the page, if it has. */
function checkGiven() {
  const given = byId("given");
  if (!given?.dataset) return;
  const bytes = new TextEncoder().encode(given.value);
  check(() => bytes, given.dataset.name, bytes.length);
}

function begin() {
  // For those who would rather ask in the console: `await pippost.verify(bytes)` gives the whole report.
  globalThis.pippost = { verify, checkLogProof, compareCheckpoints };
  const served = location.protocol !== "file:";
  for (const part of document.querySelectorAll(".served")) part.hidden = !served;
  for (const part of document.querySelectorAll(".saved")) part.hidden = served;
  if (hasCryptography()) {
    listen();
    listenToLog(() => lastReport);
    checkGiven();
  } else {
    byId("no-cryptography").hidden = false;
    byId("input").hidden = true;
    byId("log").hidden = true;
  }
}

begin();
