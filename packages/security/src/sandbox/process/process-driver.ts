import type { ChildProcess, StdioOptions } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import { childLink } from "../channel/child-link.ts";
import { programFile } from "../channel/program-file.ts";
import { registerModule } from "../channel/registered-module.ts";
import { unchangedModule } from "../read-module.ts";
import { runCall } from "../channel/run-call.ts";
import type { SandboxJob, SandboxDriver } from "../driver.ts";
import { childProcess } from "../node.ts";
import type { SandboxRights } from "../rights.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";
import { findSystemProgram } from "./find-program.ts";
import { coverInherited } from "./inherited-descriptors.ts";
import { dataLimit, heapArgument, limitArguments } from "./limit-arguments.ts";

/**
 * The tier that contains crashes of first-party modules: a process with limits and its own environment. It stops neither
 * network nor files.
 */
export function processDriver(): SandboxDriver {
  return {
    tier: "process",
    check: async (rights) => {
      demandPrlimit();
      demandUnbounded(rights);
    },
    register: async (entry) => ({ moduleHash: await registerModule(entry) }),
    async run(job) {
      job.signal.throwIfAborted();
      demandUnbounded(job.rights);
      await unchangedModule(job.entry, job.moduleHash);
      const child = await start(demandPrlimit(), job);
      return runCall(
        "process",
        childLink(child, child.stdio[3] as Readable & Writable, () => killGroup(child)),
        job,
      );
    },
  };
}

function demandPrlimit(): string {
  const prlimit = process.platform === "linux" ? findSystemProgram("prlimit") : undefined;
  if (prlimit !== undefined) return prlimit;
  throw new SandboxUnavailableError(
    "process",
    process.platform === "linux" ? "prlimit is not installed" : `limits cannot be set on ${process.platform}`,
    "Run on Linux with util-linux, or use wasm.",
  );
}

/** The tier cannot restrict rights. */
function demandUnbounded({ network, files }: SandboxRights): void {
  if (network === "all" && files === "all") return;
  throw new SandboxUnavailableError(
    "process",
    "it stops neither network nor files, and less than all of them is granted",
    `Use "os", or grant both with allowNetwork: true and allowFS: true.`,
  );
}

/** Node's permission model: no other process, no thread, no native code. All other rights pass. */
function permissionArguments(): readonly string[] {
  const more = process.allowedNodeEnvironmentFlags.has("--allow-net") ? ["--allow-net"] : [];
  return ["--permission", "--allow-fs-read=*", "--allow-fs-write=*", ...more];
}

async function start(prlimit: string, { limits, rights }: SandboxJob): Promise<ChildProcess> {
  const data = await dataLimit(limits.memoryMB);
  const covered = coverInherited(["ignore", "pipe", "pipe", "pipe"] as const);
  try {
    return childProcess.spawn(
      prlimit,
      [
        ...limitArguments({ data, cpuSeconds: Math.ceil(limits.timeoutMs / 1000) * 2 + 5 }),
        process.execPath,
        ...permissionArguments(),
        heapArgument(limits.memoryMB),
        "--disable-warning=ExperimentalWarning",
        programFile("sandboxed-tool").file,
        "fetch-in-sandbox",
      ],
      { stdio: covered.stdio as unknown as StdioOptions, env: { ...rights.env }, detached: true },
    );
  } finally {
    covered.close();
  }
}

/** Ends the child and its descendants: it has its own group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process has died in the meantime.
  }
}
