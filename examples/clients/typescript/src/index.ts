// A client of pippost servers. Types and paths come from the OpenAPI document, what stands beside this file is written by hand.

export { Player, anyAction, type Credentials, type Settings } from "./player.js";
export { NotAllowed, type FeedEvent } from "./feed.js";
export { Refused, Unreachable, type Problem } from "./errors.js";
export { RecordRefused, receiptContradicts, verifyReceipt, verifyRecord, type Receipt, type Verified } from "./record.js";
export { WebhookRefused, challengeOf, verifyWebhook } from "./webhook.js";
export type * from "./schema.js";
