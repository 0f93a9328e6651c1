import { modelServer, type ModelServerOptions, type RecordedRequest } from "./index.ts";
import { type ScriptStep } from "../index.ts";

/** A request that a vendor refuses, and what it answers. Test support, not exported. */
export interface RefusalCase {
  /** The refusal's id. */
  readonly id: string;
  /** The error's message. */
  readonly says: string;
  readonly status?: number | undefined;
  /** The body, derived from the first answer of the server. */
  readonly body: (first: Json) => Json;
  /** Headers that replace the usual ones; an empty value leaves one out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly options?: ModelServerOptions | undefined;
  readonly path?: string | undefined;
}

/** A JSON object of a test. */
export type Json = Record<string, unknown>;

/** The request of an API. */
export interface RefusalBench {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A body that is accepted. */
  readonly good: Json;
  /** The text of the first answer. */
  readonly step: ScriptStep;
}

/** The response. */
export interface RefusedError {
  readonly status: number;
  readonly message: string;
  readonly request: RecordedRequest | undefined;
}

/** Sends the valid body, then the body of the case, and returns the second answer. */
export async function askRefused(
  bench: RefusalBench,
  { body, headers, options, path }: RefusalCase,
): Promise<RefusedError> {
  await using plain = await modelServer(() => bench.step, { seed: 7 });
  const first = await post(plain.url, bench.path, bench.headers, bench.good);
  if (first.status !== 200) throw new Error(`The good body was refused: ${JSON.stringify(first.json)}`);
  await using server = await modelServer(() => bench.step, { seed: 7, ...options });
  // The same seed gives the same ids, so this server issued the ids of the first answer.
  await post(server.url, bench.path, bench.headers, bench.good);
  const { status, json } = await post(
    server.url,
    path ?? bench.path,
    { ...bench.headers, ...headers },
    body(first.json),
  );
  // Ollama's error is a text.
  const error = json["error"] as { message?: string } | string | undefined;
  return { status, message: typeof error === "string" ? error : (error?.message ?? ""), request: server.requests[1] };
}

async function post(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Json,
): Promise<{ status: number; json: Json }> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
  const answer = await fetch(`${url}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
  return { status: answer.status, json: (await answer.json()) as Json };
}
