import type { ContentPart } from "../../contracts/content-part.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { judgeMedia } from "../../history/media-rules.ts";
import type { toBase64, typeOfBytes } from "../../providers/media.ts";
import type { DrivenRun } from "../driven-run.ts";

// This file loads with the first conversation that holds media. It imports no value of the initial bundle.

/** Functions of the initial bundle. */
interface Shared {
  readonly judgeMedia: typeof judgeMedia;
  readonly toBase64: typeof toBase64;
  readonly typeOfBytes: typeof typeOfBytes;
}

/** Longest file, in bytes. */
const maxBytes = 20_000_000;
/** Longest wait for one file, in milliseconds. */
const maxMs = 30_000;
/** Most files of one turn. */
const maxFiles = 20;
/** Files that are downloaded at the same time. */
const atOnce = 4;
const maxRedirects = 3;

/** A file to download. */
interface Wanted {
  readonly url: string;
  readonly part: ContentPart;
}

type Downloaded = { readonly data: string; readonly mimeType: string } | { readonly problem: string };

/**
 * Downloads each file that the server does not fetch, and journals it: resumed, forked and rebuilt runs send the same
 * bytes. A file that is refused or fails stays an address, which the history compiler replaces by a text.
 *
 * @returns true if a file was downloaded.
 */
export async function downloadAll(
  run: DrivenRun,
  model: ModelProvider,
  turn: number,
  shared: Shared,
): Promise<boolean> {
  const wanted = wantedFiles(run, model, shared);
  let downloaded = false;
  for (let first = 0; first < wanted.length; first += atOnce) {
    const files = wanted.slice(first, first + atOnce);
    const results = await Promise.all(files.map((file) => download(run, file, shared)));
    // A stopped run journals no failure that only its stop caused.
    if (run.control.ending !== undefined) return downloaded;
    for (const [index, result] of results.entries()) {
      const url = files[index]?.url ?? "";
      run.journal.record({ type: "media.fetched", turn, url, ...result });
      if ("data" in result) downloaded = true;
      else warn(run, url, result.problem);
    }
  }
  return downloaded;
}

/** The files to download, each address once. */
function wantedFiles(run: DrivenRun, { capabilities }: ModelProvider, { judgeMedia }: Shared): readonly Wanted[] {
  const { messages, unfetched } = run.journal.state;
  const wanted = new Map<string, Wanted>();
  for (const { role, content } of messages) {
    if ((role !== "user" && role !== "tool") || typeof content === "string") continue;
    const place = role === "tool" && capabilities.toolResultMedia === "native" ? "toolResult" : "user";
    for (const part of content) {
      const url = part.type === "text" ? undefined : judgeMedia(part, capabilities, place).download;
      if (url === undefined) continue;
      const known = unfetched.get(url);
      if (known !== undefined) warn(run, url, known);
      else if (!mayBeRequested(run, role, part)) warn(run, url, foreignAddress);
      else wanted.set(url, { url, part });
    }
  }
  return [...wanted.values()].slice(0, maxFiles);
}

const foreignAddress =
  "untrusted text may have chosen the address, and a request to it could carry private data away. Return the file's bytes from the tool, or let the user give the address";

/**
 * True if the user named the address, or a tool did in a run that has read nothing untrusted: the request itself is an
 * outward effect.
 */
function mayBeRequested(run: DrivenRun, role: "user" | "tool", part: ContentPart): boolean {
  if (part.untrusted === true) return false;
  return role === "user" || run.flow === undefined || run.flow.controlLabel().integrity !== "untrusted";
}

function warn(run: DrivenRun, url: string, problem: string): void {
  run.warn({
    code: "media_not_downloaded",
    message: `The file at ${url} was not downloaded for the model: ${problem}.`,
    subject: url,
  });
}

async function download(run: DrivenRun, { url, part }: Wanted, shared: Shared): Promise<Downloaded> {
  const { fetchPublic } = run.definition;
  if (fetchPublic === undefined)
    return { problem: "this agent has no guarded fetch, which needs Node and @bailiwick/agent. Pass the file's bytes" };
  const controller = new AbortController();
  const forget = run.control.onStop(() => controller.abort());
  const timer = run.timers.after(maxMs, () => controller.abort(new Error(`it took longer than ${maxMs} ms`)));
  try {
    const response = await request(url, fetchPublic, controller.signal);
    if (!response.ok) {
      await response.body?.cancel();
      return { problem: `the server answered ${response.status}` };
    }
    const bytes = await readAll(response);
    if (bytes === undefined) return { problem: `it is longer than ${maxBytes / 1_000_000} MB` };
    return checked(part, shared.toBase64(bytes), response, shared);
  } catch (error) {
    return { problem: reasonOf(error) };
  } finally {
    timer.cancel();
    forget();
  }
}

/** Follows redirects here, because each hop must use https. */
async function request(url: string, fetchPublic: typeof fetch, signal: AbortSignal): Promise<Response> {
  let at = new URL(url);
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    if (at.protocol !== "https:") throw new Error(`${at.origin} does not use https`);
    const response = await fetchPublic(at, { redirect: "manual", credentials: "omit", signal });
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (next === null) return response;
    await response.body?.cancel();
    at = new URL(next, at);
  }
  throw new Error(`it was redirected more than ${maxRedirects} times`);
}

/** The body, or `undefined` if it is too long: the rest is not read. */
async function readAll({ headers, body }: Response): Promise<Uint8Array | undefined> {
  if (Number(headers.get("content-length")) > maxBytes) {
    await body?.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = body?.getReader(); reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The file under the type of its bytes. A page in place of an image, or another type than the declared one, is refused. */
function checked(part: ContentPart, data: string, { headers }: Response, { typeOfBytes }: Shared): Downloaded {
  if (data === "") return { problem: "it is empty" };
  const said = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const found = typeOfBytes(data);
  if (part.type === "image")
    return found?.startsWith("image/") === true
      ? { data, mimeType: found }
      : { problem: `it is not an image${said === undefined ? "" : ` but ${said}`}` };
  const declared = (part as Exclude<ContentPart, { type: "text" | "image" }>).mimeType.toLowerCase();
  if ((found ?? said) === declared) return { data, mimeType: declared };
  return { problem: `it is ${found ?? said ?? "of an unknown type"}, not ${declared}` };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: unknown };
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  return `${typeof message === "string" ? message.replace(/\.$/, "") : String(error)}${inner}`;
}
