export { answeringFetch, type AnsweringFetch, type Arrival, type FetchedRequest } from "./answering-fetch.ts";
export { collectChunks, finishedResponse, type CollectedChunks } from "./collect-chunks.ts";
export { jsonAt } from "./json-at.ts";
