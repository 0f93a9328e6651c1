import type { ChildProcess } from "node:child_process";

import { dataLimit, limitArguments } from "../process/limit-arguments.ts";
import type { SandboxUser } from "./sandbox-user.ts";
import type { Machine } from "./machine-facts.ts";
import { seccompFilter } from "./seccomp/filter.ts";
import { startSandbox } from "./start-sandbox.ts";
import type { SandboxStart } from "./start-sandbox.ts";
import { runtimeMounts } from "./runtime-mounts.ts";

/** Reports the properties of a sandbox, from inside. */
const question = `
const tried = (what) => { try { what(); return "done"; } catch (error) { return String(error.code); } };
const { readdirSync } = require("node:fs");
const socket = require("node:net").createServer();
socket.on("error", (error) => say(error.code)).listen(0, "127.0.0.1", () => say("done"));
const say = (listening) => console.log(JSON.stringify({
  listening,
  user: process.getuid(),
  home: tried(() => readdirSync("/home")),
  write: tried(() => require("node:fs").mkdirSync("/made")),
}));`;

/**
 * Starts a sandbox that reports its properties.
 *
 * @param machine - Programs to start it with.
 * @param user - User to run it as.
 * @returns `undefined` if it is isolated as required, else the problem.
 */
export async function trySandbox(machine: Machine, user: SandboxUser): Promise<string | undefined> {
  let child: ChildProcess;
  try {
    ({ child } = startSandbox(trialOf(machine, user, await dataLimit(64))));
  } catch (error) {
    // Node throws if the process cannot take this user's number, such as in a user namespace that does not map it.
    return error instanceof Error ? error.message : String(error);
  }
  child.stdin?.end();
  return new Promise((resolve) => {
    let said = "";
    let complaint = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve("it did not start within 60 s");
    }, 60_000);
    child.stdout?.on("data", (piece: Buffer) => {
      said += piece.toString();
    });
    child.stderr?.on("data", (piece: Buffer) => {
      complaint = (complaint + piece.toString()).slice(0, 500);
    });
    child.on("error", (error) => {
      complaint = error.message;
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      const isAnswered = code === 0 && said !== "";
      resolve(isAnswered ? wrongWith(said) : complaint.trim() || `it ended with code ${code}`);
    });
  });
}

function trialOf(machine: Machine, user: SandboxUser, data: number): SandboxStart {
  return {
    bubblewrap: machine.bubblewrap,
    user,
    filter: seccompFilter(machine.architecture, { network: "none", processes: false }),
    speaks: "input",
    command: [
      machine.prlimit,
      ...limitArguments({ data, processes: 64, cpuSeconds: 30 }),
      process.execPath,
      "-e",
      question,
    ],
    plan: {
      mounts: runtimeMounts(machine),
      links: [],
      sharesNetwork: false,
      hasProc: machine.hasProc,
      env: {},
      folder: "/tmp",
      temporaryBytes: 1_048_576,
    },
  };
}

/** The accesses in a report that should have been blocked. */
function wrongWith(said: string): string | undefined {
  const { listening, user, home, write } = JSON.parse(said) as Readonly<Record<string, unknown>>;
  if (listening !== "EPERM") return `a socket could be made in it (${String(listening)})`;
  if (user !== 65534) return `it runs as user ${String(user)}`;
  if (home !== "ENOENT") return `it sees /home (${String(home)})`;
  if (write !== "EROFS") return `its tree can be written (${String(write)})`;
  return undefined;
}
