import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import type { SandboxEnd, SandboxLink } from "./sandbox-link.ts";

/** Characters of a sandbox's error stream that are kept. */
const longestLastWords = 2_000;

/**
 * A child process with a channel of frames, as a sandbox that waits for a call. Until it has one, it does not keep the
 * host's process alive.
 *
 * @param child - Just started.
 * @param frames - Its channel.
 * @param kill - Ends it, and everything that it has started.
 */
export function childLink(
  child: ChildProcess,
  frames: (Readable & Writable) | undefined,
  kill: () => void,
): SandboxLink & { ref(): void; unref(): void } {
  let lastWords = "";
  let onPrinted: (count: number) => void = () => undefined;
  const ended = new Promise<SandboxEnd>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, lastWords: error.message }));
    // Emitted when every process has closed the other end of its streams.
    child.once("close", (code, signal) => resolve({ code, signal, lastWords }));
  });
  child.stdout?.on("data", (piece: Buffer) => onPrinted(piece.length));
  child.stderr?.on("data", (piece: Buffer) => {
    lastWords = (lastWords + piece.toString("utf8")).slice(-longestLastWords);
    onPrinted(piece.length);
  });
  const streams = [...child.stdio, child.stdout, child.stderr] as readonly (
    | Partial<Record<"ref" | "unref", () => void>>
    | null
    | undefined
  )[];
  // `ended` reports its end; errors of its streams are ignored.
  for (const stream of child.stdio) stream?.on("error", () => undefined);
  const each = (what: "ref" | "unref") => (): void => {
    child[what]();
    for (const stream of streams) stream?.[what]?.();
  };
  return {
    send: (line) => void frames?.write(line),
    onFrames: (listener) => void frames?.on("data", listener),
    onPrinted: (listener) => {
      onPrinted = listener;
    },
    ended,
    kill,
    ref: each("ref"),
    unref: each("unref"),
  };
}
