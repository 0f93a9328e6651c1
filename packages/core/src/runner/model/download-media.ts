import type { ContentPart } from "../../contracts/content-part.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { judgeMedia } from "../../history/media-rules.ts";
import type { DownloadedFile } from "../../contracts/ports/security.ts";
import type { typeOfBytes } from "../../providers/media.ts";
import type { toBase64 } from "../../json/base64.ts";
import type { Run } from "../run.ts";

// This file loads with the first conversation that holds media. It imports no value of the initial bundle.

/** Functions of the initial bundle. */
interface Shared {
  readonly judgeMedia: typeof judgeMedia;
  readonly toBase64: typeof toBase64;
  readonly typeOfBytes: typeof typeOfBytes;
}

/** Maximum wait for one file, in milliseconds. */
const maxMs = 30_000;
/** Maximum number of files in one turn. */
const maxFiles = 20;
/** Number of files that are downloaded at the same time. */
const atOnce = 4;

/** A file to download. */
interface Wanted {
  readonly url: string;
  readonly part: ContentPart;
}

type Downloaded = { readonly data: string; readonly mimeType: string } | { readonly problem: string };

/**
 * Downloads each file that the server does not fetch, and journals it: resumed, forked and rebuilt runs send the same
 * bytes. A refused or failed file stays an address, which the history compiler replaces with a text.
 *
 * @returns true if a file was downloaded.
 */
export async function downloadAll(run: Run, model: ModelProvider, turn: number, agent: Shared): Promise<boolean> {
  const wanted = wantedFiles(run, model, agent);
  let downloaded = false;
  for (let first = 0; first < wanted.length; first += atOnce) {
    const files = wanted.slice(first, first + atOnce);
    const results = await Promise.all(files.map((file) => download(run, file, agent)));
    // A stopped run does not journal failures that only its stop caused.
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
function wantedFiles(run: Run, { capabilities }: ModelProvider, { judgeMedia }: Shared): readonly Wanted[] {
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
 * True if the user named the address, or a tool did so in a run that has read nothing untrusted: the request itself is
 * an outward effect.
 */
function mayBeRequested(run: Run, role: "user" | "tool", part: ContentPart): boolean {
  if (part.untrusted === true) return false;
  return role === "user" || run.flow === undefined || run.flow.controlLabel().integrity !== "untrusted";
}

function warn(run: Run, url: string, problem: string): void {
  run.warn({
    code: "media_not_downloaded",
    message: `The file at ${url} was not downloaded for the model: ${problem}.`,
    subject: url,
  });
}

async function download(run: Run, { url, part }: Wanted, agent: Shared): Promise<Downloaded> {
  const send = run.agent.download;
  if (send === undefined)
    return {
      problem: "this agent cannot check addresses, which needs Node and @bailiwick/agent. Pass the file's bytes",
    };
  const controller = new AbortController();
  const forget = run.control.onStop(() => controller.abort());
  const timer = run.timers.after(maxMs, () => controller.abort(new Error(`it took longer than ${maxMs} ms`)));
  try {
    return checked(part, await send(url, controller.signal), agent);
  } catch (error) {
    return { problem: reasonOf(error) };
  } finally {
    timer.cancel();
    forget();
  }
}

/**
 * The file under the type of its bytes. A page instead of an image, or another type than the declared one, is refused.
 */
function checked(
  part: ContentPart,
  { bytes, type: said }: DownloadedFile,
  { toBase64, typeOfBytes }: Shared,
): Downloaded {
  if (bytes.length === 0) return { problem: "it is empty" };
  const data = toBase64(bytes);
  const found = typeOfBytes(data);
  const type = found ?? said;
  const wanted = part.type === "image" ? "image/" : (part as { readonly mimeType: string }).mimeType.toLowerCase();
  if (part.type === "image" ? found?.startsWith(wanted) === true : type === wanted)
    return { data, mimeType: type ?? "" };
  return { problem: `it is not ${part.type === "image" ? "an image" : wanted} but ${type ?? "of an unknown type"}` };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: unknown };
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  return `${typeof message === "string" ? message.replace(/\.$/, "") : String(error)}${inner}`;
}
