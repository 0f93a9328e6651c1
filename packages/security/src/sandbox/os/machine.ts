import { childProcess } from "../node.ts";
import { findSystemProgram } from "../process/find-program.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";
import { possibleUsers } from "./sandbox-user.ts";
import type { SandboxUser } from "./sandbox-user.ts";
import type { Machine } from "./machine-facts.ts";
import type { FilteredMachine } from "./seccomp/system-calls.ts";
import { trySandbox } from "./try-sandbox.ts";

let found: Promise<Machine> | undefined;

/**
 * Support for sandboxes on this machine. Tested once; a failure is tested again.
 *
 * @throws SandboxUnavailableError with the reason and the fix.
 */
export function machine(): Promise<Machine> {
  found ??= lookUp();
  found.catch(() => {
    found = undefined;
  });
  return found;
}

async function lookUp(): Promise<Machine> {
  const bubblewrap = demandBubblewrap(await demandLinux());
  const prlimit = findSystemProgram("prlimit");
  if (prlimit === undefined) {
    throw new SandboxUnavailableError(
      "os",
      "prlimit is not installed",
      "Install util-linux (Debian: apt-get install util-linux).",
    );
  }
  await demandDescriptors(bubblewrap);
  const libraries = await librariesOf([process.execPath, prlimit]);
  const base = { bubblewrap, prlimit, architecture: process.arch as FilteredMachine, libraries };
  let problem = "";
  for (const hasProc of [true, false]) {
    const users: SandboxUser[] = [];
    for (const user of possibleUsers()) {
      const wrong = await trySandbox({ ...base, users: [user], hasProc }, user);
      if (wrong === undefined) users.push(user);
      else if (problem === "") problem = wrong;
    }
    if (users.length > 0) return { ...base, users, hasProc };
  }
  throw new SandboxUnavailableError(
    "os",
    `bubblewrap cannot make a sandbox here: ${problem}`,
    "Allow user namespaces to this user (sysctl kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns; in a container, a seccomp profile that allows them).",
  );
}

async function demandLinux(): Promise<string | undefined> {
  if (process.platform !== "linux") {
    throw new SandboxUnavailableError(
      "os",
      `this machine is ${process.platform}`,
      process.platform === "darwin"
        ? "Run on Linux with bubblewrap, or pass createSandbox({ experimentalMacos: true }) as the agent's port `sandbox`."
        : "Run on Linux with bubblewrap.",
    );
  }
  if (process.arch !== "x64" && process.arch !== "arm64") {
    throw new SandboxUnavailableError(
      "os",
      `there is no filter of system calls for ${process.arch}`,
      "Run on x64 or arm64, or use a remote sandbox.",
    );
  }
  return findSystemProgram("bwrap");
}

function demandBubblewrap(bubblewrap: string | undefined): string {
  if (bubblewrap !== undefined) return bubblewrap;
  throw new SandboxUnavailableError(
    "os",
    "bubblewrap is not installed",
    "Install it (Debian: apt-get install bubblewrap).",
  );
}

/** Older versions resolve names again, and could then find another file. */
async function demandDescriptors(bubblewrap: string): Promise<void> {
  const help = await new Promise<string>((resolve) => {
    childProcess.execFile(bubblewrap, ["--help"], { timeout: 20_000, env: {} }, (_error, stdout) => resolve(stdout));
  });
  if (help.includes("--ro-bind-fd") && help.includes("--size")) return;
  throw new SandboxUnavailableError(
    "os",
    "this bubblewrap takes no descriptors of folders",
    "Install bubblewrap 0.8 or later.",
  );
}

/**
 * The shared libraries that programs are linked with, the loader included, as absolute paths.
 *
 * @param programs - Absolute paths of trusted programs: the loader resolves their libraries, which partly starts them.
 */
async function librariesOf(programs: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const program of programs) {
    for (const [library] of (await linked(program)).matchAll(/(?<=\s)\/\S+/gu)) found.add(library);
  }
  return [...found].toSorted();
}

function linked(program: string): Promise<string> {
  return new Promise((resolve) => {
    childProcess.execFile("ldd", [program], { timeout: 20_000, env: {} }, (_error, stdout) =>
      // `ldd` reports a statically linked program as an error; it needs no libraries.
      resolve(stdout),
    );
  });
}
