import { CassetteError } from "./cassette-error.ts";

/** A recorded request, without data that identifies its sender. */
export interface RecordedCall {
  /** HTTP method. */
  readonly method: string;
  /** Address of the request. */
  readonly url: string;
  /** Headers without keys. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it was JSON, else text. Absent when there was none. */
  readonly body?: unknown;
}

/** A recorded answer. */
export interface RecordedAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Headers without cookies and keys. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON body. */
  readonly json?: unknown;
  /** A text body, such as an event stream, line by line. */
  readonly lines?: readonly string[] | undefined;
  /** A body that is neither JSON nor text. */
  readonly base64?: string | undefined;
}

/** One request with its answer. */
export interface Exchange {
  /** The request, with its secrets removed. */
  readonly request: RecordedCall;
  /** The answer that is played for the request. */
  readonly response: RecordedAnswer;
}

/** The format that the file declares. */
const format = 1;

/**
 * The text of a cassette's file.
 *
 * @param exchanges - In the order of their requests.
 */
export function writeCassette(exchanges: readonly Exchange[]): string {
  return `${JSON.stringify({ bailiwickCassette: format, exchanges }, null, 2)}\n`;
}

/**
 * Reads the text of a cassette's file.
 *
 * @param text - Content of the file.
 * @param path - Path of the file, for errors.
 * @throws CassetteError `CASSETTE_INVALID`
 */
export function readCassette(text: string, path: string): readonly Exchange[] {
  let file: { readonly bailiwickCassette?: unknown; readonly exchanges?: unknown } | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch (error) {
    throw invalid(path, `it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (file?.bailiwickCassette !== format || !Array.isArray(file.exchanges)) {
    throw invalid(path, `it is not in format ${format}`);
  }
  for (const [index, exchange] of (file.exchanges as readonly Partial<Exchange>[]).entries()) {
    if (typeof exchange.request?.url !== "string" || typeof exchange.response?.status !== "number") {
      throw invalid(path, `exchange ${index} has no request or no response`);
    }
  }
  return file.exchanges as readonly Exchange[];
}

function invalid(path: string, why: string): CassetteError {
  return new CassetteError("CASSETTE_INVALID", `The cassette ${path} cannot be read: ${why}. Record it again.`);
}
