import type { Message } from "../../contracts/message.ts";
import type { ModelRequest, ModelProvider } from "../../contracts/model-provider.ts";
import type { Warning } from "../../contracts/model-response.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { eventBus } from "../../events/event-bus.ts";
import { JournalWriter } from "../../journal/journal-writer.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import { restoreState } from "../../journal/open-journal.ts";
import { compileRequest, planMessages, planTurn } from "../model/model-request.ts";
import { requestHash } from "../model/request-hash.ts";
import { keeping } from "../settings/kept-part.ts";
import { otherModels } from "../settings/merge-rules.ts";
import { runSettings, type EffectiveSettings } from "../settings/run-settings.ts";
import { assembleRun } from "../start/begin-run.ts";
import { beginFlow, restoreReferences } from "../start/flow-run.ts";
import { createLiveRun } from "../start/live-run.ts";
import type { JournalEvent, JournalEventOf } from "../../contracts/journal-event.ts";
import { loadRun, type LoadedRun } from "../start/load-run.ts";
import { buildCatalogue } from "../start/run-catalogue.ts";
import type { Agent, Run } from "../run.ts";

/** The request to a model, rebuilt from the journal and today's code. */
export interface RebuiltRequest {
  /** Hash that was recorded when the request was sent. */
  readonly recordedHash: string;
  /** Hash of `request`. Equal to `recordedHash` if this is exactly the request that was sent. */
  readonly hash: string;
  /** The request, without keys and without known secrets. */
  readonly request: Omit<ModelRequest, "apiKey" | "signal" | "fetch">;
  /** Messages before they were compiled for the model. */
  readonly given: readonly Message[];
  /** Changes that the compiler made for the model. */
  readonly warnings: readonly Warning[];
  /**
   * Parts that are known to have changed since: `instructions or model`, names of tools, and `messages edited by a fork`
   * for a call that was made before the fork edited its messages.
   */
  readonly changed: readonly string[];
}

const editedMessages = "messages edited by a fork";

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Rebuilds the request of a model call: the journal up to the call, compiled by the code that drives runs. No model is
 * called, no tool runs and nothing is written. Functions that make a request are called: `instructions`, `prepareStep`,
 * `beforeLLMCall`, and lists of tools.
 *
 * @throws RunNotFoundError if the store does not have the run.
 * @throws ConfigurationError `INVALID_OPTION` if the record is not the intent of a call of the conversation.
 */
export async function rebuildRequest(agent: Agent, runId: string, seq: number): Promise<RebuiltRequest> {
  const loaded = await loadRun(agent, runId);
  const intent = loaded.events[seq - 1];
  if (intent?.type !== "model.intent" || (intent.purpose ?? "turn") !== "turn") {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `Record ${seq} of run "${runId}" is not a model call of its conversation. Give the "seq" of a "model.intent" record without a purpose.`,
    );
  }
  const events = loaded.events.slice(0, seq - 1);
  const run = await standIn(agent, loaded, events);
  try {
    await agent.secrets?.ready();
    run.catalogue = await buildCatalogue(run, run.journal.state.messages);
    run.flow = await beginFlow(run);
    for (const event of events) run.flow?.observe(event);
    await restoreReferences(run);
    const plan = await planTurn(run, intent.turn);
    const model = modelOf(run, plan.model, intent);
    const given = await planMessages(run, { ...plan, model: unasked(plan.model) });
    const { request, messages } = compileRequest(run, plan, given, model);
    const { warnings } = run.compile(given, model);
    const edited = seq <= (loaded.fork?.editedTo ?? 0) ? [editedMessages] : [];
    const hash = requestHash(run, request, messages);
    const { apiKey: _key, signal: _signal, fetch: _fetch, ...shown } = request;
    const scrub = <Value>(value: Value): Value => agent.secrets?.scrub(value) ?? value;
    return {
      recordedHash: intent.requestHash,
      hash,
      request: scrub(shown),
      given: scrub(given),
      warnings,
      changed: hash === intent.requestHash ? [] : [...edited, ...changedParts(run, intent)],
    };
  } finally {
    run.close();
  }
}

/** A run around a part of a journal. Its records are discarded, it has no limits, and it cannot change its session. */
async function standIn(agent: Agent, { run: stored }: LoadedRun, events: readonly JournalEvent[]): Promise<Run> {
  const { id: runId } = stored;
  const state = restoreState(runId, events);
  // A call that a fork copied was made in another session.
  const copied = state.start?.copied?.find(({ atSeq }) => atSeq > events.length);
  const journal = new JournalWriter({
    store: memoryStore({ hasher: agent.hasher }),
    lease: { runId, owner: "", epoch: 0, head: stored.head, expiresAt: 0 },
    clock: agent.clock,
    state,
    secrets: agent.secrets,
  });
  const kept = state.start?.options;
  const options = kept === undefined ? {} : await keeping(({ restoredOptions }) => restoredOptions(kept, {}));
  return assembleRun(agent, createLiveRun(runId, silent), {
    settings: {
      ...unlimited(runSettings(agent.options, {}, undefined, agent.role, options)),
      session: undefined,
      logger: silent,
      eventBus: eventBus({ logger: silent }),
    },
    options,
    kept,
    opened: { journal, events: [] },
    sessionId: (copied ?? stored).sessionId,
    before: { run: stored, events, state, queued: {} },
  });
}

/** Settings without budget and time limits, and without summaries. */
function unlimited({ contextCompactor, ...settings }: EffectiveSettings): EffectiveSettings {
  const { summarizeModel } = contextCompactor ?? {};
  return {
    ...settings,
    budget: undefined,
    timeouts: undefined,
    contextCompactor: contextCompactor && {
      ...contextCompactor,
      summarizeModel: summarizeModel && unasked(summarizeModel),
    },
  };
}

/** A model that has capabilities and cannot be called. */
function unasked({ provider, api, modelId, capabilities }: ModelProvider): ModelProvider {
  const refuse = (): never => {
    throw new Error("The request is only made again: no model is asked.");
  };
  return { provider, api, modelId, capabilities, generate: async () => refuse(), stream: refuse };
}

/** The model of the original call, if the agent still has it. */
function modelOf(run: Run, planned: ModelProvider, intent: JournalEventOf<"model.intent">): ModelProvider {
  const { agent, settings } = run;
  const known = [planned, ...otherModels(settings), agent.model]
    .map((spec) => agent.resolveModel(spec))
    .find(({ provider, modelId }) => provider === intent.modelProvider && modelId === intent.model);
  if (known !== undefined || agent.options.models === undefined) return known ?? planned;
  try {
    return agent.options.models.resolve(`${intent.modelProvider}/${intent.model}`);
  } catch {
    return planned;
  }
}

/** Parts of the agent that differ from those of the recorded call. */
function changedParts(run: Run, intent: JournalEventOf<"model.intent">): readonly string[] {
  const { state } = run.journal;
  const before = state.start?.tools ?? {};
  const now = Object.fromEntries(run.catalogue.tools.map((tool) => [tool.name, tool.__definitionHash]));
  const tools = [...new Set([...Object.keys(before), ...Object.keys(now), ...intent.tools])].filter(
    (name) => before[name] !== now[name],
  );
  const isOther = state.definitionHash !== run.agent.definitionHash;
  return isOther && tools.length === 0 ? ["instructions or model"] : tools;
}
