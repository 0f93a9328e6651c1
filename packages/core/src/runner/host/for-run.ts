import type { RunOptions } from "../../contracts/run-options.ts";
import type { Agent, LiveRun } from "../run.ts";
import type { EffectiveSettings } from "../settings/run-settings.ts";
import { Patience, type Waiting } from "./patience.ts";
import { patientPorts, patientSession, PatientStore } from "./patient-store.ts";

/** An agent and its settings for one run. */
interface ForRun<Settings> {
  readonly agent: Agent;
  readonly settings: Settings;
}

/**
 * An agent as one run uses it: the calls of its store, its ledger and its session wait while the store is away. Runs that
 * are only in this process have nothing to wait for.
 *
 * @param storeMs - Replaces `timeouts.storeMs`.
 */
export function forRun<Settings extends Pick<EffectiveSettings, "timeouts" | "session" | "deadlineAt">>(
  agent: Agent,
  { runId, control }: LiveRun,
  settings: Settings,
  { signal }: Pick<RunOptions, "signal">,
  storeMs: number | undefined = settings.timeouts?.storeMs,
): ForRun<Settings> {
  if (agent.inMemory) return { agent, settings };
  const isMade = agent.store instanceof PatientStore && agent.store.patience.isOf(control);
  const { clock, logger, keeper } = agent;
  const waiting = { runId, clock, logger, leaseMs: keeper.leaseMs, control, signal };
  const own = isMade ? agent : withPatience(agent, waiting);
  const store = own.store as PatientStore;
  store.patience.limit(storeMs, settings.deadlineAt);
  const session = patientSession(settings.session, store);
  return { agent: own, settings: session === undefined ? settings : { ...settings, session } };
}

function withPatience(agent: Agent, waiting: Waiting): Agent {
  return { ...agent, ...patientPorts(agent, new Patience(waiting)) };
}
