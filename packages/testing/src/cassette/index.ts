export { cassette, type Cassette, type CassetteOptions } from "./cassette.ts";
export { CassetteError, type CassetteErrorCode } from "./cassette-error.ts";
export type { Exchange, RecordedAnswer, RecordedCall } from "./cassette-file.ts";
export type { Difference } from "./differences.ts";
