import type { SandboxedChild } from "@bailiwick/core";

import type { SandboxedProgram } from "../driver.ts";
import { openEgressProxy } from "../proxy/egress-proxy.ts";
import type { EgressProxy } from "../proxy/egress-proxy.ts";
import { path } from "../node.ts";
import { dataLimit, limitArguments } from "../process/limit-arguments.ts";
import { SandboxSpawnFailedError, SandboxUnavailableError } from "../sandbox-errors.ts";
import { userOf } from "./sandbox-user.ts";
import type { SandboxUser } from "./sandbox-user.ts";
import { sandboxedChild } from "./sandboxed-child.ts";
import { endSandbox } from "./end-sandbox.ts";
import { defaultPath, findCommand } from "./find-command.ts";
import { grantedMounts } from "./granted-paths.ts";
import type { Mount } from "./granted-paths.ts";
import { machine } from "./machine.ts";
import { networkOf, programMounts, proxyMounts } from "./network-of.ts";
import { seccompFilter } from "./seccomp/filter.ts";
import { startSandbox } from "./start-sandbox.ts";
import { systemTree } from "./system-mounts.ts";
import type { SystemTree } from "./system-mounts.ts";
import { watchLimits } from "./watch-limits.ts";

/** Maximum number of processes and threads of a program and everything that it starts. */
const mostProcesses = 128;
const mostTemporaryMB = 256;
const mebibyte = 1024 * 1024;

/**
 * Starts a program that lives longer than a call, in one sandbox with all processes that it starts.
 *
 * @param program - The program, and its rights.
 * @throws SandboxUnavailableError if a granted path does not exist, or cannot be mounted.
 * @throws SandboxSpawnFailedError if there is no such program, or it does not start.
 */
export async function startProgram(program: SandboxedProgram): Promise<SandboxedChild> {
  program.signal?.throwIfAborted();
  const { users } = await machine();
  const { files, network, env } = program.rights;
  const command = findCommand(program.command, env["PATH"] ?? defaultPath());
  const tree = systemTree([process.execPath, command]);
  const mounts = files === "all" ? "whole" : [...tree.mounts, ...programMounts(network), ...grantedMounts(files)];
  const user = userOf(users, mounts === "whole" ? mounts : [...mounts, ...proxyMounts(network)]);
  const sandbox: ProgramSandbox = { program, command, mounts, links: files === "all" ? [] : tree.links, user };
  if (network === "none" || network === "all") return start(sandbox);
  const proxy = await openEgressProxy({ hosts: network, fetch: program.fetch ?? globalThis.fetch, user });
  try {
    const child = await start(sandbox, proxy);
    void child.exited.then(() => proxy.close());
    return child;
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

/** The sandbox of a program, before it is started. */
interface ProgramSandbox {
  readonly program: SandboxedProgram;
  readonly command: string;
  readonly mounts: readonly Mount[] | "whole";
  readonly links: SystemTree["links"];
  readonly user: SandboxUser;
}

async function start(
  { program, command, mounts, links, user }: ProgramSandbox,
  proxy?: EgressProxy,
): Promise<SandboxedChild> {
  const { rights, limits, signal } = program;
  const { memoryMB, processes = mostProcesses, temporaryMB = mostTemporaryMB, fileMB, diskMB } = limits;
  const found = await machine();
  const network = networkOf(rights, proxy);
  const sandbox = startSandbox({
    bubblewrap: found.bubblewrap,
    user,
    filter: seccompFilter(found.architecture, { network: network.filter, processes: true }),
    speaks: "input",
    command: [
      found.prlimit,
      ...limitArguments({ data: await dataLimit(memoryMB), processes, fileMB }),
      ...network.before,
      command,
      ...(program.args ?? []),
    ],
    plan: {
      mounts: mounts === "whole" ? mounts : [...mounts, ...network.mounts],
      links,
      sharesNetwork: network.filter === "all",
      hasProc: found.hasProc,
      env: { PATH: defaultPath(), HOME: "/tmp", TMPDIR: "/tmp", ...rights.env },
      folder: folderOf(program, mounts),
      temporaryBytes: temporaryMB * mebibyte,
    },
  });
  let excess: ReturnType<typeof watchLimits> = () => undefined;
  // Listens from the start, because it may end during the wait.
  const child = sandboxedChild(sandbox, () => excess());
  const first = await sandbox.inside;
  if (first === undefined) throw new SandboxSpawnFailedError("os", await complaintOf(child));
  const end = (): void => void endSandbox(sandbox);
  excess = watchLimits(sandbox, first, mounts, { temporaryMB, diskMB, together: { memoryMB, processes } });
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  void child.exited.then(() => signal?.removeEventListener("abort", end));
  return child;
}

/** Its working directory: the requested one, if it is granted. */
function folderOf({ cwd }: SandboxedProgram, mounts: readonly Mount[] | "whole"): string {
  if (cwd === undefined) return "/tmp";
  const folder = path.resolve(cwd);
  const isInside = ({ target }: Mount): boolean => folder === target || folder.startsWith(`${target}/`);
  if (path.isAbsolute(cwd) && (mounts === "whole" || folder === "/tmp" || mounts.some(isInside))) return folder;
  throw new SandboxUnavailableError(
    "os",
    `its cwd "${cwd}" is not among what it is granted`,
    `Name it in allowFS, as in { readOnly: ["${cwd}"] }.`,
  );
}

/** The error output of a sandbox that did not start. */
async function complaintOf({ exited, errors }: SandboxedChild): Promise<string> {
  const { code } = await exited;
  const decoder = new TextDecoder();
  let said = "";
  for await (const piece of errors) said += decoder.decode(piece, { stream: true });
  return said.trim().slice(0, 500) || `bubblewrap ended with code ${code}`;
}
