import type { SandboxedChild, SandboxExcess } from "@bailiwick/core/extension";
import { WorkspaceError } from "../workspace-error.ts";

/** Longest line that is accepted from a sandbox. */
const longestLine = 24 * 1024 * 1024;

/** A connection to the runner inside a sandbox. Its answers are data of an untrusted process. */
export interface RunnerClient {
  /**
   * Sends a request.
   *
   * @param op - Name of the operation.
   * @param fields - Its parameters.
   * @param id - Id of the request, for `stop`.
   * @throws WorkspaceError `WORKSPACE_SANDBOX_ENDED` if the sandbox ends before the answer.
   */
  ask(op: string, fields: object, id?: string): Promise<unknown>;
  /** True once the sandbox has ended. */
  readonly isOver: boolean;
  /** Ends the sandbox. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

let requests = 0;

/** An id that no other request of this process has. */
export function requestId(): string {
  requests += 1;
  return `r${requests}`;
}

/** Talks with a runner that was just started. */
export function runnerClient(child: SandboxedChild): RunnerClient {
  const waiting = new Map<string, Waiting>();
  let isOver = false;
  const encoder = new TextEncoder();
  void readLines(child.output, (line) => take(line, waiting)).catch(() => undefined);
  const ended = child.exited.then(({ limit, code, signal }) => {
    isOver = true;
    const reason = limit === undefined ? `it ended (${signal ?? code})` : excessText(limit);
    for (const { reject } of waiting.values())
      reject(new WorkspaceError("WORKSPACE_SANDBOX_ENDED", `The sandbox was ended: ${reason}.`));
    waiting.clear();
  });
  return {
    ask: (op, fields, id = requestId()) =>
      new Promise((resolve, reject) => {
        if (isOver) {
          reject(new WorkspaceError("WORKSPACE_SANDBOX_ENDED", "The sandbox has ended."));
          return;
        }
        waiting.set(id, { resolve, reject });
        // The end of the sandbox rejects it too.
        child.write(encoder.encode(`${JSON.stringify({ ...fields, id, op })}\n`)).catch(() => undefined);
      }),
    get isOver() {
      return isOver;
    },
    async close() {
      await child.kill();
      await ended;
    },
  };
}

/** The sentence that the model reads about an exceeded limit. */
function excessText({ kind, most }: SandboxExcess): string {
  const shown = most.toLocaleString("en");
  if (kind === "processes") return `it had more than ${shown} processes`;
  if (kind === "memory") return `it used more than ${shown} MB of memory`;
  return `it wrote more than ${shown} MB ${kind === "disk" ? "to the copy" : "to /tmp"}`;
}

function take(line: string, waiting: Map<string, Waiting>): void {
  const answer = parsed(line);
  const { id, value, error } = answer;
  if (typeof id !== "string") return;
  const request = waiting.get(id);
  if (request === undefined) return;
  waiting.delete(id);
  if (error === undefined) request.resolve(value);
  else {
    const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
    request.reject(new WorkspaceError("WORKSPACE_FILE", String(message).slice(0, 500), { cause: code }));
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

async function readLines(stream: AsyncIterable<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of stream) {
    let text = decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      onLine(pieces.join("") + text.slice(0, end));
      pieces = [];
      length = 0;
      text = text.slice(end + 1);
    }
    length += text.length;
    // The rest of a line without an end is dropped: it belongs to no request.
    if (length <= longestLine) pieces.push(text);
  }
}
