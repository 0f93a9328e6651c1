import type { Duplex } from "node:stream";

import { childLink } from "../../channel/child-link.ts";
import { programFile } from "../../channel/program-file.ts";
import { registerModule } from "../../channel/registered-module.ts";
import { runCall } from "../../channel/run-call.ts";
import type { SandboxJob, SandboxDriver, SandboxLimits } from "../../driver.ts";
import { childProcess, fs, os, path, url } from "../../node.ts";
import { heapArgument } from "../../process/limit-arguments.ts";
import { coverInherited } from "../../process/inherited-descriptors.ts";
import { unchangedModule } from "../../read-module.ts";
import type { SandboxRights } from "../../rights.ts";
import { SandboxUnavailableError } from "../../sandbox-errors.ts";
import { grantedMounts } from "../granted-paths.ts";
import { moduleMounts } from "../module-mounts.ts";
import { macosProfile } from "./macos-profile.ts";

const sandboxExec = "/usr/bin/sandbox-exec";

/**
 * The `os` tier on macOS, by a program that Apple has deprecated: files, network and processes are isolated,
 * JavaScript's memory is bounded, other memory is not. Only used if explicitly enabled.
 */
export function macosDriver(): SandboxDriver {
  return {
    tier: "os",
    check: async (rights, limits) => demandEnforceable(rights, limits),
    register: async (entry) => ({ moduleHash: await registerModule(entry) }),
    async run(job) {
      job.signal.throwIfAborted();
      demandEnforceable(job.rights, job.limits);
      await unchangedModule(job.entry, job.moduleHash);
      const temporary = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "bailiwick-sandbox-")));
      try {
        return await runCall("os", start(job, temporary), job);
      } finally {
        fs.rmSync(temporary, { recursive: true, force: true });
      }
    },
  };
}

function demandEnforceable(
  { files, network, loopback }: SandboxRights,
  { processes, fileMB, temporaryMB, diskMB }: SandboxLimits,
): void {
  if (process.platform !== "darwin" || !fs.existsSync(sandboxExec)) {
    throw new SandboxUnavailableError("os", `experimentalMacos is on and ${sandboxExec} is not here`, "Leave it off.");
  }
  if (files === "all") {
    throw new SandboxUnavailableError("os", "all files cannot be granted on macOS", "Name folders in allowFS.");
  }
  const refuse = (what: string, fix: string): never => {
    throw new SandboxUnavailableError("os", `${what} on macOS`, fix);
  };
  if (loopback && network !== "all") refuse("a loopback network cannot be made", "Leave loopback out.");
  if (files !== "none" && files.mounts.length > 0)
    refuse("a folder cannot have another path", "Name it in readOnly or readWrite.");
  if ([processes, fileMB, temporaryMB, diskMB].some((limit) => limit !== undefined))
    refuse("processes, files and disk cannot be limited", "Leave these limits out.");
  grantedMounts(files);
}

function start({ entry, rights, limits }: SandboxJob, temporary: string): ReturnType<typeof childLink> {
  const { file, folder } = programFile("sandboxed-tool");
  const node = fs.realpathSync(process.execPath);
  const network = rights.network === "all";
  const profile = macosProfile({
    node,
    mounts: [
      { source: folder, target: folder, writable: false },
      ...moduleMounts(url.fileURLToPath(entry.module)),
      ...(rights.files === "all" ? [] : grantedMounts(rights.files)),
    ],
    temporary,
    network,
  });
  const covered = coverInherited(["ignore", "pipe", "pipe", "pipe"] as const);
  const child = childProcess.spawn(
    sandboxExec,
    ["-p", profile, node, heapArgument(limits.memoryMB), file, network ? "fetch-in-sandbox" : "fetch-by-host"],
    { stdio: [...covered.stdio], env: { ...rights.env }, cwd: temporary, detached: true },
  );
  covered.close();
  return childLink(child, child.stdio[3] as unknown as Duplex, () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The process has died in the meantime.
    }
  });
}
