// Plays, follows, receives and verifies at a sandbox behind a network with faults, and prints what it has seen as JSON.
//
//     node drill.js URL FOLDER_OF_RECORDS

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import {
  Player, RecordRefused, Refused, WebhookRefused, anyAction, challengeOf, receiptContradicts, verifyReceipt, verifyRecord, verifyWebhook,
  type GameView,
} from "pippost";

const [url = "", records = ""] = process.argv.slice(2);
const SETTINGS = { firstWaitSeconds: 0.02, longestWaitSeconds: 5 };
const CHANGES = 25;
const TOKEN_LIFETIME_SECONDS = 600;

/** What only a sandbox has is no part of the document of all servers. */
async function sandbox(player: Player, method: "GET" | "POST", path: string, body?: unknown): Promise<any> {
  const ask = player.api.request as (...given: unknown[]) => Promise<{ data?: unknown; error?: unknown }>;
  const answer = await ask(method.toLowerCase(), `/api/v1/sandbox/${path}`, { body });
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function confirmed(handle: string): Promise<Player> {
  const account = { handle, email: `${handle}@example.org`, password: `a long password of ${handle}` };
  const player = await Player.register(url, account, SETTINGS);
  const { mails } = await sandbox(player, "GET", "mails");
  const { token } = mails[0].links.find((link: { token?: string }) => link.token);
  await player.api.POST("/api/v1/email/confirm", { body: { token } });
  return player;
}

async function play(begun: GameView, players: [Player, Player]): Promise<string[]> {
  const receipts: string[] = [];
  for (let game = begun; game.to_act !== null; ) {
    const player = game.to_act === 0 ? players[0] : players[1];
    const legal = await player.actions(game.id);
    const moved = await player.move(game.id, [anyAction(legal)], legal.seq);
    game = moved.game;
    receipts.push(...moved.receipts);
    // All access tokens expire.
    if (receipts.length === 4) await sandbox(player, "POST", "clock", { advance_seconds: TOKEN_LIFETIME_SECONDS + 1 });
  }
  return receipts;
}

async function checkReceipts(player: Player, id: string, receipts: string[]): Promise<void> {
  const [keys, record] = [await player.keys(), await verifyRecord(await player.record(id))];
  for (const receipt of receipts) assert(!receiptContradicts(await verifyReceipt(receipt, keys), record));
  const [first = "", second = ""] = receipts;
  const honest = await verifyReceipt(first, keys);
  assert(receiptContradicts({ ...honest, hash: "0".repeat(64) }, record));
  const [head, , signature] = first.split(".");
  await assert.rejects(verifyReceipt(`${head}.${second.split(".")[1]}.${signature}`, keys));
  await assert.rejects(verifyReceipt(first, { keys: [] }));
}

/** The secret of a webhook that is active: its challenge was met. */
async function webhook(player: Player): Promise<string> {
  const { data } = await player.api.POST("/api/v1/me/webhooks", { body: { url: "https://receiver.invalid/", kinds: ["event"] } });
  assert(data !== undefined);
  const params = { path: { id: data.id } };
  await player.api.POST("/api/v1/me/webhooks/{id}/challenge", { params });
  const { headers, body } = (await sandbox(player, "GET", "deliveries")).deliveries[0];
  const challenge = challengeOf(await verifyWebhook(data.secret, headers, body)) ?? "";
  const met = await player.api.POST("/api/v1/me/webhooks/{id}/verify", { params, body: { challenge } });
  assert.equal(met.data?.state, "active");
  return data.secret;
}

async function checkWebhooks(player: Player, secret: string): Promise<number> {
  type Delivery = { headers: Record<string, string>; body: string };
  const sent: Delivery[] = (await sandbox(player, "GET", "deliveries?limit=100")).deliveries;
  for (const { headers, body } of sent) {
    assert.deepEqual(await verifyWebhook(secret, headers, body), JSON.parse(body));
    assert.deepEqual(await verifyWebhook(secret, new Headers(headers), new TextEncoder().encode(body)), JSON.parse(body));
  }
  const [one] = sent;
  assert(one !== undefined && challengeOf(await verifyWebhook(secret, one.headers, one.body)) === undefined);
  const { headers, body } = one;
  const forgeries: [string, Record<string, string>, string][] = [
    [secret, headers, `${body} `],
    ["whsec_bm90IHRoZSBzZWNyZXQ=", headers, body],
    [secret, { ...headers, "webhook-id": "another" }, body],
    [secret, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }, body],
    [secret, { ...headers, "webhook-timestamp": "0" }, body],
    [secret, { ...headers, "webhook-signature": "v1,AAAA" }, body],
    [secret, {}, body],
  ];
  for (const forgery of forgeries) await assert.rejects(verifyWebhook(...forgery), WebhookRefused);
  await assert.rejects(verifyWebhook(secret, headers, body, new Date(0)), WebhookRefused);
  return sent.length;
}

/** Records of the protocol are taken, and none with a changed byte. */
async function checkRecords(): Promise<number> {
  const files = readdirSync(records).filter((name) => name.endsWith(".ndjson"));
  for (const file of files) {
    const record = readFileSync(`${records}/${file}`);
    const { proved } = await verifyRecord(record);
    assert.equal(proved, record.toString().trimEnd().split("\n").at(-1)?.includes('"master"'), file);
    const step = Math.floor(record.length / CHANGES);
    for (let at = 0; at < record.length; at += step) {
      const changed = Uint8Array.from(record, (byte, index) => (index === at ? byte ^ 1 : byte));
      await assert.rejects(verifyRecord(changed), RecordRefused);
    }
    await assert.rejects(verifyRecord(record.subarray(0, -1)), RecordRefused);
  }
  for (const nothing of ["", "\n", "[]\n", "{}\n"]) await assert.rejects(verifyRecord(nothing), RecordRefused);
  return files.length;
}

const [ann, bob] = [await confirmed("ts-ann"), await confirmed("ts-bob")];
const secret = await webhook(ann);
const game = await bob.join((await ann.createGame({ rules: "pip-pip", seating: "joined" })).id);
const followed: string[] = [];
const follower = (async () => {
  for await (const { id } of bob.follow(game.id)) followed.push(id);
})();
const receipts = await play(game, [ann, bob]);
await follower;
await checkReceipts(ann, game.id, receipts);
await assert.rejects(ann.move(game.id, "store", 0), Refused);
const webhooks = await checkWebhooks(ann, secret);
console.log(JSON.stringify({ game: game.id, followed, webhooks, records: await checkRecords() }));
