import { Socket } from "node:net";

import type { SandboxFrame, HostFrame } from "../frames.ts";

/** The number of the descriptor that the host gives to a runner. */
const channelDescriptor = 3;

type StartFrame = Extract<HostFrame, { readonly kind: "start" }>;

/** The channel from a sandbox to its host. */
export interface HostChannel {
  /** The call to make; sent once. */
  readonly start: Promise<StartFrame>;
  /** Calls a function of the host. */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  /** Reports the outcome of the call. The first report counts. */
  settle(frame: Exclude<SandboxFrame, { readonly kind: "call" }>): void;
}

/**
 * Opens the channel. It copies the globals that it needs before the tool's module is loaded, because the module may
 * replace them.
 */
export function openChannel(): HostChannel {
  const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  const write = socket.write.bind(socket);
  const { parse, stringify } = JSON;
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nonce = "";
  let calls = 0;
  let rest = "";
  let started: (frame: StartFrame) => void = () => undefined;
  const start = new Promise<StartFrame>((resolve) => {
    started = resolve;
  });
  const take = (frame: HostFrame): void => {
    if (frame.kind === "start") {
      ({ nonce } = frame);
      // Stops keeping the process alive: a promise that never settles then ends the process, and the call.
      socket.unref();
      started(frame);
      return;
    }
    const call = waiting.get(frame.id);
    waiting.delete(frame.id);
    if (waiting.size === 0) socket.unref();
    if (frame.kind === "answer") call?.resolve(frame.value);
    else call?.reject(new Error(frame.message));
  };
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(parse(line) as HostFrame);
  });
  // The runner exits when the host closes the channel.
  socket.on("end", () => process.exit(1));
  socket.on("error", () => process.exit(1));
  // Signals that the runner has started. A sandbox that ends before this has run no code.
  write("\n");
  const send = (frame: SandboxFrame): void => void write(`${stringify({ nonce, frame })}\n`);
  return {
    start,
    call: (name, args) =>
      new Promise((resolve, reject) => {
        const id = (calls += 1);
        waiting.set(id, { resolve, reject });
        socket.ref();
        send({ kind: "call", id, name, args });
      }),
    settle: (frame) => send(frame),
  };
}
