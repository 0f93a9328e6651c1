import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { checkKnownNames, checkArgument } from "@bailiwick/core";
import { CassetteError } from "./cassette-error.ts";
import { readCassette, writeCassette, type Exchange } from "./cassette-file.ts";
import { differences, without, type Difference } from "./differences.ts";
import { keepAnswer, playAnswer, readCall, type Call } from "./exchange.ts";
import { createScrubber } from "./scrubber.ts";

/** Options of a cassette. */
export interface CassetteOptions {
  /** Its file, which belongs in version control. */
  readonly path: string;
  /** `replay`: answers come from the file and nothing is sent. `record`: requests are sent, and the file is rewritten. Default `replay`. */
  readonly mode?: "record" | "replay" | undefined;
  /** Sends requests while recording. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Secrets to remove from the recording, in addition to the keys that requests carry in headers and URLs. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Removes anything else that must not be kept, such as names of people: called with each text that is stored or
   * compared.
   */
  readonly scrub?: ((text: string) => string) | undefined;
  /** Paths of a request's body that may differ, such as `metadata.user_id`; `*` is any key or index. Default `["prompt_cache_key"]`. */
  readonly ignore?: readonly string[] | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const optionNames: { readonly [Name in keyof Required<CassetteOptions>]: true } = {
  path: true,
  mode: true,
  fetch: true,
  secrets: true,
  scrub: true,
  ignore: true,
};

/** A recorded conversation with a vendor. */
export interface Cassette extends AsyncDisposable {
  /** The `fetch` for a model or an agent. */
  readonly fetch: typeof globalThis.fetch;
  /** The recorded exchanges. */
  readonly exchanges: readonly Exchange[];
  /** While replaying: recorded requests that have not been sent yet. */
  readonly unused: readonly Exchange[];
  /**
   * Writes the file; leaving an `await using` block does it too. Nothing happens while replaying.
   *
   * @throws CassetteError `CASSETTE_SECRET` if a secret would be written.
   */
  save(): Promise<void>;
}

/** Maximum number of differences in an error. */
const mostDifferences = 8;

/**
 * Records the exchanges between an adapter and its vendor, and plays them again without a network or a key. Each
 * exchange is played once, to the first request that has its method, path and body; the host does not matter. Keys and
 * all headers that identify a person stay out of the file.
 *
 * @param options - The file, and whether it is written or played.
 * @throws ConfigurationError `UNKNOWN_OPTION`
 * @throws CassetteError `CASSETTE_MISSING` if there is nothing to replay, `CASSETTE_INVALID` for an invalid file. A
 *   request that was not recorded gets `CASSETTE_MISMATCH`, with its differences from the most similar one.
 * @example
 * ```ts
 * import { openai } from "@bailiwick/providers-openai";
 * import { cassette } from "@bailiwick/testing";
 *
 * export async function greet(record: boolean) {
 *   await using tape = await cassette({ path: "cassettes/greeting.json", mode: record ? "record" : "replay" });
 *   const model = openai("gpt-5.5", { fetch: tape.fetch, ...(record ? {} : { apiKey: "none" }) });
 *   return model.generate({ messages: [{ id: "1", role: "user", content: "Hello." }] });
 * }
 * ```
 */
export async function cassette(options: CassetteOptions): Promise<Cassette> {
  checkArgument(options, "object", "cassette({ path })");
  // With a misspelt name, secrets would be written into the file.
  checkKnownNames(options, Object.keys(optionNames), "cassette()");
  const { path, mode = "replay", ignore = ["prompt_cache_key"] } = options;
  if (mode !== "record" && mode !== "replay") {
    throw new CassetteError(
      "CASSETTE_UNSUPPORTED",
      `A cassette has no mode "${String(mode)}": use "record" or "replay".`,
    );
  }
  const scrubber = createScrubber(options.secrets ?? [], options.scrub ?? ((text) => text));
  const exchanges: (Exchange | undefined)[] = mode === "replay" ? [...(await load(path))] : [];
  const used = new Set<Exchange>();
  const recorded = (): readonly Exchange[] => exchanges.filter((exchange) => exchange !== undefined);
  const unused = (): readonly Exchange[] => (mode === "replay" ? recorded().filter((one) => !used.has(one)) : []);

  const record = async (call: Call, given: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const place = exchanges.push(undefined) - 1;
    const answer = await (options.fetch ?? globalThis.fetch)(...given);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    exchanges[place] = { request: call.kept, response: keepAnswer(answer, bytes, scrubber) };
    return playAnswer(exchanges[place].response, bytes);
  };

  const replay = (call: Call): Response => {
    let nearest: readonly Difference[] | undefined;
    for (const exchange of unused()) {
      const found = compare(exchange, call, ignore);
      if (found.length === 0) {
        used.add(exchange);
        return playAnswer(exchange.response);
      }
      if (nearest === undefined || sizeOf(found) < sizeOf(nearest)) nearest = found;
    }
    throw mismatch(path, call, nearest, exchanges.length);
  };

  const save = async (): Promise<void> => {
    if (mode === "replay") return;
    const text = writeCassette(recorded());
    if (scrubber.leaks(text)) {
      throw new CassetteError(
        "CASSETTE_SECRET",
        `The cassette ${path} was not written: it holds a secret in a form that is not removed. Remove it with "scrub".`,
      );
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };

  return {
    fetch: async (...given) => {
      const call = readCall(given, scrubber);
      call.signal?.throwIfAborted();
      return mode === "record" ? record(call, given) : replay(call);
    },
    get exchanges() {
      return recorded();
    },
    get unused() {
      return unused();
    },
    save,
    [Symbol.asyncDispose]: save,
  };
}

async function load(path: string): Promise<readonly Exchange[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    throw new CassetteError(
      "CASSETTE_MISSING",
      `There is no cassette at ${path}: record it once with mode "record" and the vendor's key.`,
    );
  }
  return readCassette(text, path);
}

/** The differences between a request and a recorded one; none if they are equal. */
function compare({ request }: Exchange, { kept }: Call, ignore: readonly string[]): readonly Difference[] {
  return differences(comparable(request, ignore), comparable(kept, ignore));
}

function comparable({ method, url, body }: Exchange["request"], ignore: readonly string[]): object {
  const { pathname, searchParams } = new URL(url);
  searchParams.sort();
  return { method, path: pathname, query: searchParams.toString(), body: without(body, ignore) };
}

function mismatch(
  path: string,
  { kept }: Call,
  nearest: readonly Difference[] | undefined,
  count: number,
): CassetteError {
  const what = `${kept.method} ${new URL(kept.url).pathname}`;
  const how =
    nearest === undefined
      ? count === 0
        ? "It is empty."
        : `All of its ${count} exchanges were played already.`
      : `The recorded request that is most like it differs:\n${linesOf(nearest)}`;
  return new CassetteError(
    "CASSETTE_MISMATCH",
    `The cassette ${path} has no answer to ${what}. ${how}\nCorrect the request, name what may differ in "ignore", or record again.`,
    nearest,
  );
}

/** Number of characters that differ, so that a changed word counts less than a missing message. */
function sizeOf(found: readonly Difference[]): number {
  return found.reduce((size, { recorded, sent }) => size + shownWhole(recorded).length + shownWhole(sent).length, 0);
}

function linesOf(found: readonly Difference[]): string {
  const lines = found.slice(0, mostDifferences).map(({ path, recorded, sent }) => {
    return `  ${path}: recorded ${shown(recorded)}, sent ${shown(sent)}`;
  });
  const more = found.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

function shownWhole(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function shown(value: unknown): string {
  const text = shownWhole(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
