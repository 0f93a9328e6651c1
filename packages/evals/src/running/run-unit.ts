import {
  BailiwickError,
  isBusy,
  type AgentRuntime,
  type Decision,
  type RunOptions,
  type RunOutput,
} from "@bailiwick/core";
import { canonicalJson, errorCodes, errorFacts, randomIds } from "@bailiwick/core/extension";
import type { NamedCase } from "../case.ts";
import { fakesOf } from "./fakes-of.ts";
import { attackModel, inputsOf, unitKey, type EvaluationRun, type Unit } from "./unit.ts";

/** The runs of a unit, one for each message of a conversation, or the reason why it was not run. */
export type UnitResult = {
  /** Number of runs that this start began or continued. */
  readonly driven: number;
  /** The model refused requests because there were too many. */
  readonly limited: boolean;
} & (
  | { readonly outputs: readonly RunOutput[]; readonly notRun?: undefined }
  | { readonly outputs?: undefined; readonly notRun: string; readonly runId?: string | undefined }
);

/** New tries of one unit in one start. */
const mostTries = 3;
/** Tries that are looked for, of all starts. */
const mostStored = 1_000;
/** Rounds of questions in one run. */
const mostRounds = 100;

/**
 * Runs a case once. Ended runs of an earlier start answer from the store, and open ones are continued. A run that failed
 * because of the model's provider or the store proves nothing about the agent: it is tried again.
 */
export async function runUnit(evaluation: EvaluationRun, unit: Unit): Promise<UnitResult> {
  const key = unitKey(evaluation, unit);
  let tries = 0;
  let driven = 0;
  let failed: { readonly reason: string; readonly runId: string; readonly limited: boolean } | undefined;
  for (let attempt = 0; attempt < mostStored; attempt += 1) {
    const result = await runConversation(evaluation, unit, `${key}/${attempt}`);
    driven += result.driven;
    if (result.kind === "missing")
      return { notRun: failed?.reason ?? "no run of it is stored", driven, limited: false };
    if (result.kind === "ran") return { outputs: result.outputs, driven, limited: false };
    failed = result;
    if (result.driven > 0) tries += 1;
    if (tries >= mostTries) break;
  }
  return {
    notRun: failed?.reason ?? "it failed too often",
    runId: failed?.runId,
    driven,
    limited: failed?.limited ?? false,
  };
}

type ConversationResult =
  | { readonly kind: "ran"; readonly outputs: readonly RunOutput[]; readonly driven: number }
  | { readonly kind: "missing"; readonly driven: 0 }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly runId: string;
      readonly limited: boolean;
      readonly driven: number;
    };

async function runConversation(evaluation: EvaluationRun, unit: Unit, key: string): Promise<ConversationResult> {
  const { candidate, one } = unit;
  const inputs = inputsOf(one);
  const outputs: RunOutput[] = [];
  let driven = 0;
  for (const [index, { input, messages }] of inputs.entries()) {
    const idempotencyKey = `${key}/${index}`;
    const runId = `eval-${candidate.runtime.definition.hasher.sha256(idempotencyKey).slice(0, 32)}`;
    if (evaluation.rescore && (await evaluation.store.getRun(runId)) === undefined)
      return { kind: "missing", driven: 0 };
    const run = new CaseRun(evaluation, unit, runId, {
      idempotencyKey,
      ...(messages !== undefined && { messages }),
      ...(inputs.length > 1 && {
        sessionId: `eval-${key}`,
        session: candidate.runtime.definition.options.session ?? evaluation.store.sessions,
      }),
    });
    const output = await run.drive(input);
    if (run.wasDriven) driven += 1;
    const failure = await failureOfHost(candidate.runtime, output);
    if (failure !== undefined) return { kind: "failed", runId, driven, ...failure };
    outputs.push(output);
    if (output.status !== "completed") break;
  }
  return { kind: "ran", outputs, driven };
}

/** One run of a case: begun, continued after the end of its process, and continued with decisions. */
class CaseRun {
  /** True if this process began or continued the run. */
  wasDriven: boolean = false;
  readonly #evaluation: EvaluationRun;
  readonly #unit: Unit;
  readonly #runId: string;
  readonly #first: RunOptions;

  constructor(evaluation: EvaluationRun, unit: Unit, runId: string, first: RunOptions) {
    this.#evaluation = evaluation;
    this.#unit = unit;
    this.#runId = runId;
    this.#first = first;
  }

  async drive(input: Parameters<Unit["candidate"]["runtime"]["run"]>[0]): Promise<RunOutput> {
    const { candidate, one, repeat } = this.#unit;
    const { evaluation } = this.#evaluation;
    const ids = randomIds;
    const { from } = one;
    const begin: RunOptions = {
      ...this.#options(),
      ...this.#first,
      metadata: { evaluation: evaluation.name, case: one.id, candidate: candidate.name, repeat },
      ids: { next: (kind) => (kind === "run" ? this.#runId : ids.next(kind)) },
      ...(from?.tenantId !== undefined && { tenantId: from.tenantId }),
      ...(from?.userId !== undefined && { userId: from.userId }),
    };
    let output = await this.#settled(() => candidate.runtime.run(input, begin));
    for (let round = 0; output.status === "suspended" && round < mostRounds; round += 1) {
      const unknown = output.interruptions.some(({ kind }) => kind === "unknown_outcome");
      if (unknown) {
        // The process ended in a call without a key. Nothing happened outside, so the run begins again.
        await this.#evaluation.store.deleteRun(this.#runId);
        output = await this.#settled(() => candidate.runtime.run(input, begin));
        continue;
      }
      const decisions = await this.#decisions(output);
      if (decisions.length === 0) break;
      const { runId } = output;
      output = await this.#settled(() => candidate.runtime.resume(runId, decisions, this.#options()));
    }
    return output;
  }

  #options(): RunOptions {
    const { candidate, one } = this.#unit;
    const model = attackModel(one);
    return {
      ...candidate.options,
      ...(model !== undefined && { model }),
      fakes: fakesOf(this.#evaluation.evaluation, one),
      onStart: () => {
        this.wasDriven = true;
      },
    };
  }

  async #decisions(output: RunOutput): Promise<readonly Decision[]> {
    const { people } = this.#evaluation.evaluation;
    const { one } = this.#unit;
    if (people === undefined) return [];
    const found = await Promise.all(
      output.interruptions.map(async (question) =>
        people === "recorded" ? recordedDecision(question, one) : people(question, one),
      ),
    );
    return found.filter((decision): decision is Decision => decision !== undefined);
  }

  /** The output of a run, also of a failed one. Waits for the lease of a process that has ended. */
  async #settled(drive: () => Promise<RunOutput>): Promise<RunOutput> {
    const { runtime } = this.#unit.candidate;
    const until = runtime.clock.now() + 2 * runtime.leaseMs + 1_000;
    let told = false;
    for (;;) {
      try {
        return await drive();
      } catch (error) {
        const { output } = Object(error) as { readonly output?: RunOutput };
        if (isBusy(error) && runtime.clock.now() < until) {
          if (!told)
            this.#evaluation.progress(
              `Waiting up to ${Math.ceil((2 * runtime.leaseMs) / 1_000)} s for run ${this.#runId}: another process had it.`,
            );
          told = true;
          await new Promise((resolve) => void setTimeout(resolve, Math.min(1_000, runtime.leaseMs / 10)));
        } else if (output?.runId !== undefined) {
          this.wasDriven = true;
          return output;
        } else throw error;
      }
    }
  }
}

/** The decision of a person in the stored run of the case. */
function recordedDecision(question: RunOutput["interruptions"][number], { from }: NamedCase): Decision | undefined {
  const text = canonicalJson(question.args ?? null);
  const found = from?.decisions.find(
    ({ tool, args }) => tool === question.toolName && canonicalJson(args ?? null) === text,
  );
  if (found === undefined) return undefined;
  return {
    ...found.decision,
    id: question.id,
    ...(question.token !== undefined && { token: question.token }),
  } as Decision;
}

/** Codes of answers that say something about the agent, not about the provider. */
const ofAgent = new Set(["MODEL_TOOL_CALL_INVALID"]);

/** The reason if a run failed because of the model's provider or the host. */
async function failureOfHost(
  runtime: AgentRuntime,
  { status, runId }: RunOutput,
): Promise<{ readonly reason: string; readonly limited: boolean } | undefined> {
  if (status !== "failed") return undefined;
  const { events } = await runtime.inspect(runId);
  const { code = "", message = "" } = events.findLast((event) => event.type === "run.end")?.error ?? {};
  // The request of a model that throws has no answer.
  const asked = events.findLast((event) => event.type === "model.intent" || event.type === "model.result");
  const unanswered = asked?.type === "model.intent" || asked?.error !== undefined;
  const ofProvider = code.startsWith("MODEL_") ? !ofAgent.has(code) : unanswered && !(code in errorCodes);
  const ofHost = errorFacts(new BailiwickError(code, message)).origin === "host";
  return ofProvider || ofHost ? { reason: `${code}: ${message}`, limited: code === "MODEL_RATE_LIMITED" } : undefined;
}
