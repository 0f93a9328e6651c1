import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldJournal } from "@bailiwick/core";
import type { AgentRuntime, JournalEvent, Keys, RunStore } from "@bailiwick/core";
import { sealer } from "@bailiwick/security";
import { driveDue } from "@bailiwick/worker";
import { bundled } from "../../../testing/src/bundled.test.helper.ts";
import type { ActingOrder } from "./act.fixture.ts";
import { failingStore } from "./failing-store.fixture.ts";
import type { Ground } from "./ground.fixture.ts";
import { checkRefusals, keysFor, readableIn, recordsOf } from "./protection.fixture.ts";
import type { Protection } from "./protection.fixture.ts";
import type { Upgrade } from "./upgrade.fixture.ts";
import { actingAgent, decide, driveToEnd, effectsIn, outerRun, quiet } from "./world.fixture.ts";
import type { Depth, EffectClass, Failpoint } from "./world.fixture.ts";

const ttlMs = 150;
/** Hundreds of processes start from the same sources. */
export const compileCache: string = join(tmpdir(), "bailiwick-compile-cache");

/** A child that drives a run; `ended` is its signal, or what it printed. */
export function actingProcess(
  { program }: Ground,
  order: ActingOrder,
): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const [bundle = ""] = bundled(program);
  const child = spawn(
    process.execPath,
    ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", bundle, JSON.stringify(order)],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    },
  );
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  const ended = new Promise<string>((resolve) =>
    child.on("close", (_code, signal) => resolve(signal ?? text.trim().split("\n").at(-1) ?? "")),
  );
  return { child, ended };
}

/** The result of one cell of the matrix. */
export interface CellResult {
  /** True if the process reached the failpoint: not every effect class has every boundary. */
  readonly reached: boolean;
  readonly executions: number;
  readonly distinct: number;
  /** True if a person was asked what happened. */
  readonly asked: boolean;
  /** The problems; empty if there are none. */
  readonly faults: readonly string[];
}

/** Kills a run at a failpoint, drives it to its end in this process, and checks journal and outside state. */
export async function crashCell(
  ground: Ground,
  effect: EffectClass,
  failpoint: Failpoint,
  protection: Protection = "plain",
  upgrade: Upgrade = "nothing",
  depth: Depth = 0,
): Promise<CellResult> {
  await using place = await ground.makePlace();
  const effects = join(place.path, "effects.log");
  const keys = keysFor[protection];
  const order = { place: place.place, effects, effect, failpoint, ttlMs, keys, depth } as const;
  let ended = await actingProcess(ground, { ...order, role: "start" }).ended;
  await using store = ground.open(place.place);
  if (ended === "ended" && effect === "approved") {
    await answerInbox(store, effects, keys, depth);
    ended = await actingProcess(ground, { ...order, role: "drive" }).ended;
  }
  const refused: string[] = keys === undefined ? [] : await checkRefusals(store, effect, effects, keys);
  const version = (changed: Upgrade): AgentRuntime =>
    actingAgent(failingStore(store, undefined, ttlMs), effect, effects, undefined, keys, changed, depth);
  const next = version(upgrade);
  const isGone = upgrade === "tool renamed" || upgrade === "tool renamed, with workers";
  if (upgrade === "tool renamed") refused.push(...(await refusesMissingTool(next, store)));
  else if (isGone) refused.push(...(await triesWithoutTool(next, store)));
  const output = await driveToEnd(isGone ? version("nothing") : next, store, effects);
  const run = await outerRun(store);
  const events = run === undefined ? [] : await recordsOf(store, run.id, keys);
  const faults = [...refused, ...checkJournal(events), ...checkEffects(effect, effectsIn(effects))];
  if (keys !== undefined) faults.push(...(await readableIn(place)));
  if (ended !== "SIGKILL" && ended !== "ended") faults.push(`the process said: ${ended}`);
  if (output.status !== "completed" || output.text !== "Done.")
    faults.push(`the run ended as ${output.status}: ${output.text}`);
  if (run?.state !== "completed") faults.push(`the run is ${run?.state}`);
  return {
    reached: ended === "SIGKILL",
    executions: effectsIn(effects).length,
    distinct: new Set(effectsIn(effects)).size,
    asked: events.some(asksWhatHappened),
    faults,
  };
}

/** True for the question about an unknown outcome, of the run itself or of a run inside it. */
function asksWhatHappened(event: JournalEvent): boolean {
  if (event.type === "tool.approval.requested") return event.interruption.kind === "unknown_outcome";
  return event.type === "child.suspended" && event.interruptions.some(({ kind }) => kind === "unknown_outcome");
}

/**
 * Defects of a run that a version without the tool resumed: it must fail with an error and stay for the version that
 * has the tool.
 */
async function refusesMissingTool(agent: AgentRuntime, store: RunStore): Promise<string[]> {
  const until = performance.now() + 200_000;
  while (performance.now() < until) {
    const run = await outerRun(store);
    const said = await agent.resume(run?.id ?? "").then(
      ({ status }) => status,
      (error: { readonly code?: string }) => error.code,
    );
    if (said === "TOOL_MISSING") return [];
    if (said !== "RUN_BUSY") return [`a version without the tool received ${said}`];
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return ["a version without the tool never got the run"];
}

/** Number of times that workers without the tool try to continue a run here. */
const vainTries = 3;

/**
 * Defects of workers without the tool: they report its absence each time that they try, and neither end the run
 * nor give it up, so that workers with the tool continue it.
 */
async function triesWithoutTool(agent: AgentRuntime, store: RunStore): Promise<string[]> {
  const codes: (string | undefined)[] = [];
  const until = performance.now() + 200_000;
  while (codes.length < vainTries && performance.now() < until) {
    await driveDue({
      agents: [agent],
      store: agent.definition.store,
      logger: quiet,
      retry: { firstMs: 1, longestMs: 1 },
      onRun: ({ error }) => void codes.push((error as { readonly code?: string } | undefined)?.code),
    });
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const run = await outerRun(store);
  const faults = codes.slice(0, vainTries).join() === "TOOL_MISSING,TOOL_MISSING,TOOL_MISSING" ? [] : [codes.join()];
  // Its last lease may still be held: it is queued or driven, and neither ended nor given up.
  const isOpen = run?.state === "queued" || run?.state === "running";
  return isOpen ? faults : [...faults, `workers without the tool left the run as ${run?.state}`];
}

/** Leaves the decisions in the inbox, as another process would. */
async function answerInbox(store: RunStore, effects: string, keys: Keys | undefined, depth: Depth): Promise<void> {
  const run = await outerRun(store);
  if (run === undefined) return;
  const agent = actingAgent(store, "approved", effects, undefined, keys, "nothing", depth);
  const seal = keys?.seal;
  for (const interruption of await agent.interruptions(run.id)) {
    const id = `d-${interruption.id}`;
    const given = decide(interruption, effects);
    const payload = seal === undefined ? given : await sealer(seal).seal(given, JSON.stringify(["signal", run.id, id]));
    await store.signal(run.id, { name: "decision", id, payload });
  }
}

/** Each result once, the end once and last, and a fold that agrees. */
export function checkJournal(events: readonly JournalEvent[]): string[] {
  const faults: string[] = [];
  const count = (type: JournalEvent["type"]): number => events.filter((event) => event.type === type).length;
  if (events.some((event, index) => event.seq !== index + 1)) faults.push("the journal has a gap");
  if (new Set(events.map(({ key }) => key)).size !== events.length) faults.push("a key is there twice");
  if (count("tool.result") !== 1) faults.push(`${count("tool.result")} results are recorded`);
  if (count("tool.outcome") !== 1) faults.push(`${count("tool.outcome")} outcomes are recorded`);
  const answers = events.filter((event) => event.type === "model.result").length;
  if (answers !== 2) faults.push(`${answers} answers are recorded`);
  const state = foldJournal(events);
  if (state.end?.status !== "completed") faults.push(`the fold ends as ${state.end?.status}`);
  return faults;
}

/** Numbers of outside effects that each class may have. */
export function checkEffects(effect: EffectClass, lines: readonly string[]): string[] {
  const distinct = new Set(lines).size;
  if (effect === "reader") return lines.length >= 1 ? [] : ["it never ran"];
  if (effect === "idempotent") return distinct === 1 ? [] : [`${distinct} keys were used`];
  return lines.length === 1 ? [] : [`the effect happened ${lines.length} times`];
}
