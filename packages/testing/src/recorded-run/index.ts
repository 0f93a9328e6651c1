export { recordRun } from "./record-run.ts";
export type { RunDifference } from "./run-differences.ts";
export { replayRun, type ReplayOptions, type RunReplay } from "./replay-run.ts";
export type {
  RecordedDecision,
  RecordedModelAnswer,
  RecordedToolCall,
  RecordedToolResult,
  RunRecording,
} from "./run-recording.ts";
