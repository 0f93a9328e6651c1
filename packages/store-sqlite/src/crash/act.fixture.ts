import { driveDue } from "@bailiwick/worker";
import { flushCompileCache } from "node:module";
import { failingStore } from "./failing-store.fixture.ts";
import type { Ground } from "./ground.fixture.ts";
import { actingAgent, driveToEnd, outerRun } from "./world.fixture.ts";
import type { Depth, EffectClass, Failpoint } from "./world.fixture.ts";

/** Message to a child process. */
export interface ActingOrder {
  readonly place: string;
  readonly effects: string;
  readonly effect: EffectClass;
  readonly failpoint?: Failpoint | undefined;
  readonly ttlMs: number;
  readonly depth?: Depth | undefined;
  readonly keys?: { readonly seal: string; readonly sign: string } | undefined;
  /**
   * `start`: a new run, until it ends or waits. `drive`: resumes the existing run, until it ends or waits. `end`: to
   * its end. `recover`: runs without an owner.
   */
  readonly role: "start" | "drive" | "end" | "recover";
}

/** Executes its arguments, and prints the outcome. */
export async function act(open: Ground["open"]): Promise<void> {
  // A process that is killed would not leave it to the next one.
  flushCompileCache();
  const order = JSON.parse(process.argv[2] ?? "{}") as ActingOrder;
  const store = open(order.place);
  const failing = failingStore(store, order.failpoint, order.ttlMs);
  const { effect, effects, failpoint, keys, depth } = order;
  const agent = actingAgent(failing, effect, effects, failpoint, keys, "nothing", depth);
  process.stdout.write("ready\n");
  try {
    if (order.role === "start") await agent.run("Act on order 1042.");
    else if (order.role === "end") await driveToEnd(agent, failing, order.effects);
    else if (order.role === "recover") await driveDue({ agents: [agent], store: failing, retry: { attempts: 0 } });
    else {
      const run = await outerRun(store);
      if (run !== undefined) await agent.resume(run.id);
    }
    process.stdout.write("ended\n");
  } catch (error) {
    process.stdout.write(`failed ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}\n`);
  }
  await store.close();
}
