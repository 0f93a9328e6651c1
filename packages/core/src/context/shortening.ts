// The part that loads when a conversation is shortened for the first time.
export { elidesFirst, findCut, lastSettledResult } from "./find-cut.ts";
export { summaryRequest } from "./summary-request.ts";
