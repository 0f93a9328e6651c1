/**
 * A model server for tests: it speaks the protocols of OpenAI, Anthropic and Google over HTTP, answers from a script,
 * and refuses the requests that the vendor refuses.
 *
 * @module model-server
 */
export { modelServer, type ModelServer, type ModelServerVendor } from "./model-server.ts";
export type { ModelServerOptions } from "./model-server-options.ts";
export type { RecordedRequest } from "./recorded-request.ts";
export { refusals } from "./refusal-table.ts";
export type { ChatServer } from "./chat-server.ts";
export type { Refusal } from "./refusal.ts";
export type { ChatReasoningField } from "./wire.ts";
export type { ModelServerWire } from "./wire-name.ts";
export { recordedFrames, recordedServer, type RecordedServer, type Recording } from "./recorded-server.ts";
