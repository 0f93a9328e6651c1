import { fileURLToPath } from "node:url";
import { DeskError } from "./desk-error.ts";

/** The model: the embedded one, OpenAI's, or one on a server with OpenAI's API. */
export type ModelSettings =
  | {
      readonly kind: "demo";
      /** Pause before each event of its stream, in milliseconds. */
      readonly paceMs: number;
    }
  | { readonly kind: "openai"; readonly modelId: string; readonly apiKey: string }
  | {
      readonly kind: "compatible";
      readonly modelId: string;
      readonly baseURL: string;
      readonly apiKey: string | undefined;
    };

/** Settings of this desk from the environment. */
export interface Settings {
  readonly model: ModelSettings;
  /** Folder of the data files. */
  readonly dataFolder: string;
  /** The requested port, or `null` if any port near the usual one is accepted. */
  readonly port: number | null;
  /** Refunds above this many euro wait for a person. */
  readonly approvalLimit: number;
  /** Another process starts the server again when it dies, so the page may kill it. */
  readonly restarts: boolean;
}

/** The default port of the desk. */
export const usualPort = 4310;

/**
 * Reads the desk's settings.
 *
 * @param env - `PORT`, `DESK_DATA`, `DESK_APPROVAL_LIMIT`, `DESK_DEMO_PACE`, `DESK_RESTARTS`, `OPENAI_API_KEY`, `BAILIWICK_BASE_URL`, `BAILIWICK_MODEL`.
 * @throws DeskError - `INVALID_SETTING`, naming the variable and its valid values.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const portText = value(env.PORT);
  const limitText = value(env.DESK_APPROVAL_LIMIT);
  return {
    model: readModel(env),
    dataFolder: value(env.DESK_DATA) ?? fileURLToPath(new URL("../data", import.meta.url)),
    port: portText === undefined ? null : wholeNumber("PORT", portText, 0, 65_535),
    approvalLimit: limitText === undefined ? 100 : wholeNumber("DESK_APPROVAL_LIMIT", limitText, 0, 1_000_000),
    restarts: value(env.DESK_RESTARTS) === "1",
  };
}

function readModel(env: Readonly<Record<string, string | undefined>>): ModelSettings {
  const apiKey = value(env.OPENAI_API_KEY);
  const baseURL = value(env.BAILIWICK_BASE_URL);
  const modelId = value(env.BAILIWICK_MODEL);
  if (baseURL !== undefined) {
    if (modelId === undefined)
      throw invalid("BAILIWICK_BASE_URL is set, BAILIWICK_MODEL is not. Name the model that the server should use.");
    if (!URL.canParse(baseURL))
      throw invalid(`BAILIWICK_BASE_URL is not a URL: ${baseURL}. It looks like http://127.0.0.1:11434/v1.`);
    return { kind: "compatible", modelId, baseURL, apiKey };
  }
  if (modelId !== undefined && apiKey === undefined) {
    throw invalid("BAILIWICK_MODEL is set, but neither BAILIWICK_BASE_URL nor OPENAI_API_KEY. Say where the model is.");
  }
  if (apiKey !== undefined) return { kind: "openai", modelId: modelId ?? "gpt-5.5", apiKey };
  const pace = value(env.DESK_DEMO_PACE);
  return { kind: "demo", paceMs: pace === undefined ? 15 : wholeNumber("DESK_DEMO_PACE", pace, 0, 1_000) };
}

function wholeNumber(name: string, text: string, from: number, to: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < from || number > to) {
    throw invalid(`${name} is ${JSON.stringify(text)}; it takes a whole number from ${from} to ${to}.`);
  }
  return number;
}

/** An empty variable counts as none. */
function value(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

function invalid(message: string): DeskError {
  return new DeskError("INVALID_SETTING", message);
}
