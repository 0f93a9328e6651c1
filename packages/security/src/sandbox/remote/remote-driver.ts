import { checkArgument } from "@bailiwick/core";
import type { SandboxEnd, SandboxLink } from "../channel/sandbox-link.ts";
import type { SandboxLimits, SandboxDriver } from "../driver.ts";
import type { SandboxRights } from "../rights.ts";
import { SandboxSpawnFailedError } from "../sandbox-errors.ts";

/** The request of one call to a remote sandbox. */
export interface RemoteRequest {
  /** The registered text of the module. */
  readonly source: string;
  /** The module's file name, such as `tool.mjs`. */
  readonly fileName: string;
  /**
   * Rights that the remote sandbox must enforce exactly. Requests to named hosts are made here, through the channel.
   */
  readonly rights: SandboxRights;
  /** Time, memory and output that the code may use. The remote sandbox must enforce them. */
  readonly limits: SandboxLimits;
  /** Aborts when the call is cancelled or its time is over: end the sandbox then. */
  readonly signal: AbortSignal;
}

/** A remote sandbox, in which the runner waits for its call. */
export interface RemoteSandbox {
  /** Path of the module in the remote sandbox. */
  readonly module: URL;
  /**
   * Writes a line to the runner's descriptor 3.
   *
   * @param line - One line of text, without a line feed.
   */
  send(line: string): void;
  /** Output of the runner on descriptor 3; it can be read once. */
  readonly frames: AsyncIterable<Uint8Array>;
  /** Settles when every process of it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Ends it at once. */
  kill(): void;
}

/** A provider of sandboxes: containers of a cluster, or machines of a host. */
export interface RemotePlace {
  /**
   * Checks that it can enforce these rights and limits.
   *
   * @param rights - Files, hosts and environment that the code may use.
   * @param limits - Largest time, memory and output.
   * @throws SandboxUnavailableError if it cannot.
   */
  check(rights: SandboxRights, limits: SandboxLimits): Promise<void>;
  /**
   * Starts a fresh sandbox for one call. It runs `remoteRunner()` with a channel at descriptor 3.
   *
   * @param request - The rights and limits of the sandbox, and functions that receive its output.
   */
  open(request: RemoteRequest): Promise<RemoteSandbox>;
}

/**
 * The `remote` tier, over your own place: `createSandbox({ drivers: { remote: remoteDriver(place) } })`. The call uses
 * the same frames as in the other tiers: every end settles it, and only its runner can send a result.
 *
 * @param place - The provider of sandboxes.
 * @example
 * ```ts
 * import { createSandbox, remoteDriver } from "@bailiwick/security/sandbox";
 * import type { RemotePlace } from "@bailiwick/security/sandbox";
 *
 * export const sandboxFor = (place: RemotePlace) => createSandbox({ drivers: { remote: remoteDriver(place) } });
 * ```
 */
export function remoteDriver(place: RemotePlace): SandboxDriver {
  checkArgument(place, "open", "remoteDriver({ check, open })");
  return {
    tier: "remote",
    check: (rights, limits) => place.check(rights, limits),
    async register(entry) {
      const { registerModule } = await import("../channel/registered-module.ts");
      return { moduleHash: await registerModule(entry) };
    },
    async run(job) {
      job.signal.throwIfAborted();
      const { entry, rights, limits, signal } = job;
      const [{ unchangedModule }, { runCall }] = await Promise.all([
        import("../read-module.ts"),
        import("../channel/run-call.ts"),
      ]);
      const { source } = await unchangedModule(entry, job.moduleHash);
      const fileName = entry.module.pathname.split("/").at(-1) ?? "tool.mjs";
      let sandbox: RemoteSandbox;
      try {
        sandbox = await place.open({ source, fileName, rights, limits, signal });
      } catch (cause) {
        if ((cause as { readonly code?: unknown }).code === "SANDBOX_UNAVAILABLE") throw cause;
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new SandboxSpawnFailedError("remote", reason, { cause });
      }
      return runCall("remote", linkOf(sandbox), { ...job, entry: { ...entry, module: sandbox.module } });
    },
  };
}

function linkOf(sandbox: RemoteSandbox): SandboxLink {
  const end = (code: number | null, signal: string | null, lastWords: string): SandboxEnd => ({
    code,
    signal,
    lastWords,
  });
  let drained: Promise<void> = Promise.resolve();
  return {
    send: (line) => sandbox.send(line),
    onFrames: (listener) => {
      drained = (async () => {
        for await (const piece of sandbox.frames) listener(piece);
      })().catch(() => sandbox.kill());
    },
    // Printed output stays there.
    onPrinted: () => undefined,
    ended: sandbox.ended.then(
      async ({ code, signal }) => {
        // Messages that were sent before the end are delivered before it.
        await drained;
        return end(code, signal, "");
      },
      (error: unknown) => end(null, null, String(error)),
    ),
    kill: () => sandbox.kill(),
  };
}

/**
 * The program that a remote sandbox runs with Node, with a channel at descriptor 3 and `fetch-by-host` as its argument;
 * it imports the files next to it.
 *
 * @returns URL of its file.
 * @throws BailiwickError `NODE_ONLY` outside Node.
 * @example
 * ```ts
 * import { remoteRunner } from "@bailiwick/security/sandbox";
 *
 * console.log((await remoteRunner()).pathname);
 * ```
 */
export async function remoteRunner(): Promise<URL> {
  const [{ programFile }, { url }] = await Promise.all([import("../channel/program-file.ts"), import("../node.ts")]);
  return url.pathToFileURL(programFile("sandboxed-tool").file);
}
