export type { LabelWords } from "./label-words.ts";
export type { RecordWords } from "./describe-record.ts";
export { runTimeline, type TimelineRow } from "./timeline.ts";
