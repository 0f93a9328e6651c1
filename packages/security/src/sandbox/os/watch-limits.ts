import type { SandboxExcess } from "@bailiwick/core/extension";
import type { SandboxLimits } from "../driver.ts";
import type { Mount } from "./granted-paths.ts";
import { endSandbox } from "./end-sandbox.ts";
import type { StartedSandbox } from "./start-sandbox.ts";
import { watchDisk } from "./watch-disk.ts";
import { watchFiles } from "./watch-files.ts";
import { watchSandbox } from "./watch-sandbox.ts";

const mebibyte = 1024 * 1024;

/** Limits of a sandbox, with the defaults of its kind. */
export interface WatchedLimits {
  readonly temporaryMB: number;
  readonly diskMB?: SandboxLimits["diskMB"];
  /** Limits of all processes of a program; the kernel limits a single process by itself. */
  readonly together?: { readonly memoryMB: number; readonly processes: number } | undefined;
}

/**
 * Watches the limits that the kernel does not enforce, until the sandbox ends.
 *
 * @param sandbox - Just started.
 * @param first - Its first process.
 * @param mounts - Its content.
 * @param limits - Limits of all processes together.
 * @returns The limit for which the sandbox was ended, once there is one.
 */
export function watchLimits(
  sandbox: StartedSandbox,
  first: number,
  mounts: readonly Mount[] | "whole",
  { temporaryMB, diskMB, together }: WatchedLimits,
): () => SandboxExcess | undefined {
  let excess: SandboxExcess | undefined;
  const end = (kind: SandboxExcess["kind"], most: number): void => {
    excess ??= { kind, most };
    void endSandbox(sandbox);
  };
  const watches: (() => void)[] = [];
  if (together !== undefined) {
    const { memoryMB, processes } = together;
    watches.push(
      watchSandbox(first, { bytes: memoryMB * mebibyte, processes }, (kind) =>
        end(kind, kind === "memory" ? memoryMB : processes),
      ),
    );
  }
  // The sandbox cannot fill the host's `/tmp`, so the host's free space is irrelevant.
  if (mounts !== "whole") {
    watches.push(watchFiles(first, temporaryMB * mebibyte, () => end("temporary", temporaryMB)));
    const writable = mounts.filter((mount) => mount.writable).map(({ source }) => source);
    if (diskMB !== undefined && writable.length > 0)
      watches.push(watchDisk(writable, diskMB * mebibyte, () => end("disk", diskMB)));
  }
  sandbox.child.once("exit", () => {
    for (const stop of watches) stop();
  });
  return () => excess;
}
