import type { ChildProcess, StdioOptions } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import { childProcess, fs } from "../node.ts";
import { coverInherited } from "../process/inherited-descriptors.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import type { SandboxPlan } from "./bubblewrap-arguments.ts";
import type { SandboxUser } from "./sandbox-user.ts";

/** Parameters of a sandbox to start. */
export interface SandboxStart {
  /** The program, absolute. */
  readonly bubblewrap: string;
  readonly user: SandboxUser;
  readonly plan: SandboxPlan;
  readonly filter: Uint8Array;
  readonly command: readonly string[];
  /** True if the code inside reads from us: on its standard input, or on the channel of frames. */
  readonly speaks: "input" | "frames";
}

/** A started sandbox. */
export interface StartedSandbox {
  readonly child: ChildProcess;
  /** Descriptor 3 inside, if there are frames. */
  readonly frames: (Readable & Writable) | undefined;
  /** Process number of the first process inside, once it is known. */
  readonly inside: Promise<number | undefined>;
}

/** Opens a file or folder as a location only: neither to read nor to write. */
const pathOnly = 0o10000000;

/**
 * Starts bubblewrap. Arguments and filter are passed in descriptors, because other users can see the arguments of a
 * process.
 *
 * @param start - The program, its user and its content.
 */
export function startSandbox(start: SandboxStart): StartedSandbox {
  const { plan, user } = start;
  const opened: number[] = [];
  const stdio: (number | "ignore" | "pipe")[] = [
    start.speaks === "input" ? "pipe" : "ignore",
    "pipe",
    "pipe",
    start.speaks === "frames" ? "pipe" : "ignore",
  ];
  const [argumentsAt, filterAt, newsAt] = [stdio.push("pipe") - 1, stdio.push("pipe") - 1, stdio.push("pipe") - 1];
  try {
    const places = bubblewrapArguments(plan, (source) => {
      const descriptor = fs.openSync(source, pathOnly);
      opened.push(descriptor);
      return stdio.push(descriptor) - 1;
    });
    const covered = coverInherited(stdio);
    const { uid, gid } = user;
    const child = childProcess.spawn(
      start.bubblewrap,
      [
        "--args",
        String(argumentsAt),
        "--seccomp",
        String(filterAt),
        "--info-fd",
        String(newsAt),
        "--",
        ...start.command,
      ],
      {
        stdio: covered.stdio as StdioOptions,
        env: {},
        cwd: "/",
        // Its own process group: a terminal's signals are for this process.
        detached: true,
        ...(uid !== undefined && { uid, gid: gid ?? uid }),
      },
    );
    covered.close();
    // The "error" event reports a sandbox that could not be started; an error of a later write adds nothing.
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    sendAll(child.stdio[argumentsAt], new TextEncoder().encode(places.map((part) => `${part}\0`).join("")));
    sendAll(child.stdio[filterAt], start.filter);
    return {
      child,
      frames: start.speaks === "frames" ? (child.stdio[3] as (Readable & Writable) | undefined) : undefined,
      inside: firstProcess(child.stdio[newsAt] as Readable | null | undefined),
    };
  } finally {
    for (const descriptor of opened) fs.closeSync(descriptor);
  }
}

function sendAll(stream: Readable | Writable | null | undefined, bytes: Uint8Array): void {
  (stream as Writable | null | undefined)?.end(bytes);
}

/** Reads the id of the process that bubblewrap started. */
function firstProcess(stream: Readable | null | undefined): Promise<number | undefined> {
  return new Promise((resolve) => {
    if (stream === null || stream === undefined) {
      resolve(undefined);
      return;
    }
    let text = "";
    stream.setEncoding("utf8");
    stream.on("data", (piece: string) => {
      text += piece;
      const found = /"child-pid":\s*(\d+)/u.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    stream.on("close", () => resolve(undefined));
  });
}
