export { uiEncoder, type UiEncoder, type UiEncoderOptions } from "./ui-encoder.ts";
export type { InterruptionPart, NestedActivity, RunMetadata, UiChunk, UsageView } from "./ui-chunk.ts";
