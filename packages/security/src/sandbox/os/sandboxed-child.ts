import type { SandboxedChild, SandboxExit } from "@bailiwick/core";
import type { SandboxExcess } from "@bailiwick/core/extension";

import { os } from "../node.ts";
import { lastBytes } from "./last-bytes.ts";
import { endSandbox } from "./end-sandbox.ts";
import type { StartedSandbox } from "./start-sandbox.ts";

/** Maximum number of unread bytes of a program's error stream. */
const unreadErrors = 256 * 1024;

/**
 * A started sandbox as a program with standard streams.
 *
 * @param sandbox - Just started.
 * @param excess - The limit for which the sandbox was ended, if one was exceeded.
 */
export function sandboxedChild(
  sandbox: StartedSandbox,
  excess: () => SandboxExcess | undefined = () => undefined,
): SandboxedChild {
  const { child } = sandbox;
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new TypeError("A program has standard streams.");
  const errors = lastBytes(stderr, unreadErrors);
  const exited = new Promise<SandboxExit>((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("exit", (code, signal) => {
      const limit = excess();
      resolve({ ...exitOf(code, signal), ...(limit !== undefined && { limit }) });
    });
  });
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stdin.write(bytes, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      }),
    closeInput: () => void stdin.end(),
    output: stdout as AsyncIterable<Uint8Array>,
    errors,
    exited,
    async kill() {
      await endSandbox(sandbox);
      return exited;
    },
  };
}

/** bubblewrap reports a signal as 128 plus its number. */
function exitOf(code: number | null, signal: string | null): SandboxExit {
  if (code === null || code <= 128) return { code, signal };
  const name = Object.entries(os.constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}
