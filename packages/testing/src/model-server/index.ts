export { modelServer, type ModelServer, type ModelServerOptions, type ModelServerVendor } from "./model-server.ts";
export type { RecordedRequest } from "./recorded-request.ts";
export { refusals } from "./refusal-table.ts";
export type { Refusal } from "./refusal.ts";
export type { ChatReasoningField, ModelServerWire } from "./wire.ts";
export { recordedFrames, recordedServer, type RecordedServer, type Recording } from "./recorded-server.ts";
