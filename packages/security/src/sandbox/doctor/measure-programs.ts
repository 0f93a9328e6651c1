import type { FullSandboxPort } from "../sandbox-options.ts";
import { fs, os, path } from "../node.ts";
import { probeSource } from "./probe-source.ts";
import { probes } from "./probes.ts";
import type { Probe, ProbeOutcome } from "./probes.ts";
import type { ProbeWorld } from "./probe-world.ts";
import type { ProbeReport } from "./report.ts";

const longestMs = 60_000;
const mostProcesses = 64;
/** Node itself needs more than a module that is measured alone. */
const memoryMB = 192;

/** Probes of the frames and the time limit of a module, which a program does not have. */
const ofModules: ReadonlySet<string> = new Set(["forged results", "exit in mid-call", "CPU"]);

/** Runs one export of the probes, and prints its result as JSON. */
const runner = `
import * as probes from "./probes.mjs";
const [name, targets] = process.argv.slice(2);
const value = await probes[name](JSON.parse(targets));
process.stdout.write(JSON.stringify({ value: value ?? null }));
process.exit(0);
`;

/**
 * Runs the probes as programs, which may start others: as the commands of a workspace and stdio servers run.
 *
 * @param sandbox - The sandbox, which has the tier `os`.
 * @param world - The targets.
 */
export async function measurePrograms(
  { spawn }: Pick<FullSandboxPort, "spawn">,
  world: ProbeWorld,
): Promise<readonly ProbeReport[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bailiwick-doctor-"));
  fs.chmodSync(folder, 0o755);
  fs.writeFileSync(path.join(folder, "probes.mjs"), probeSource);
  fs.writeFileSync(path.join(folder, "run.mjs"), runner);
  const reports: ProbeReport[] = [];
  try {
    for (const probe of probes) {
      if (ofModules.has(probe.name)) continue;
      const reached = await judged(probe, await outcomeOf(spawn, folder, probe.export, world), world);
      reports.push({ probe: probe.name, held: reached.length === 0, reached });
    }
    return reports;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A program may start others, within its limit. */
async function judged(probe: Probe, outcome: ProbeOutcome, world: ProbeWorld): Promise<readonly string[]> {
  if (probe.export !== "forkBomb") return probe.judge(outcome, world);
  const { started } = ("value" in outcome ? outcome.value : {}) as { readonly started?: unknown };
  const isOver = typeof started === "number" && started >= mostProcesses;
  return [...(await world.reached(outcome)), ...(isOver ? [`it started ${started} processes`] : [])];
}

async function outcomeOf(
  spawn: FullSandboxPort["spawn"],
  folder: string,
  exported: string,
  world: ProbeWorld,
): Promise<ProbeOutcome> {
  const child = await spawn({
    command: "node",
    args: [
      "--disable-warning=ExperimentalWarning",
      path.join(folder, "run.mjs"),
      exported,
      JSON.stringify(world.targets),
    ],
    config: {
      tier: "os",
      allowFS: { readOnly: [folder] },
      allowNetwork: { loopback: true },
      maxMemoryMB: memoryMB,
      maxProcesses: mostProcesses,
    },
    trustClass: "first-party-user-defined",
    saidBy: "operator",
    signal: AbortSignal.timeout(longestMs),
  });
  child.closeInput();
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of child.output) text += decoder.decode(piece, { stream: true });
  const { code, limit } = await child.exited;
  try {
    return { value: (JSON.parse(text) as { readonly value: unknown }).value };
  } catch {
    return { code: "SANDBOX_ENDED", message: limit?.kind ?? `it ended with ${code}` };
  }
}
