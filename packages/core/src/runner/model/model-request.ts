import type { Message, SystemMessage } from "../../contracts/message.ts";
import type {
  HostedTool,
  ModelProvider,
  ModelRequest,
  ModelSpec,
  ToolChoice,
  ToolDefinition,
} from "../../contracts/model-provider.ts";
import type { StepSettings } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { fittedConversation } from "./fit-conversation.ts";
import { placeRecalled, recalledContext } from "./recalled-context.ts";
import { expected } from "../hooks/hook-failures.ts";
import { demand } from "../hooks/hooks-runner.ts";
import { framedParts } from "./framed-parts.ts";
import { finalAnswerTool, planOutput, type OutputPlan } from "../answer/structured-output.ts";
import { sentView, sentViews } from "../../user-code/sent-views.ts";
import type { Run } from "../run.ts";

/** A turn's request before it is compiled for a model. */
export interface TurnPlan {
  readonly turn: number;
  readonly model: ModelProvider;
  readonly instructions: SystemMessage | undefined;
  readonly step: StepSettings;
}

/** A request for one model, compiled. */
export interface CompiledRequest {
  /** The list of messages is the model's own: it may change it. */
  readonly request: ModelRequest;
  /** The same messages in a list that only the run has. */
  readonly messages: readonly Message[];
  readonly output: OutputPlan | undefined;
  /** Offered hosted tools that can write. */
  readonly hostedWriters: readonly string[];
  /** Names of the offered function tools. */
  readonly toolNames: readonly string[];
  /** Names of the tools that the client runs. */
  readonly clientTools: readonly string[];
  /** Estimated tokens of the whole request; only counted if a budget needs it. */
  readonly inputTokens: () => number;
}

/**
 * Chooses the model and settings of a turn: `prepareStep`, then a tool's `preferredModel`, then the run's.
 *
 * @throws RunStoppedError if `prepareStep` or `instructions` fail: they decide, so they fail closed.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION` for an invalid result of `prepareStep`.
 */
export async function planTurn(run: Run, turn: number): Promise<TurnPlan> {
  let step: StepSettings = {};
  for (const part of run.points.prepare) step = { ...step, ...(await part.prepare(run, turn)) };
  const preferred = run.nextModel;
  run.nextModel = undefined;
  const spec: ModelSpec = step.model ?? preferred ?? run.settings.model ?? run.agent.options.model;
  return { turn, model: run.agent.resolveModel(spec), instructions: await instructionsOf(run, step), step };
}

async function instructionsOf(run: Run, step: StepSettings): Promise<SystemMessage | undefined> {
  const given = step.instructions ?? run.settings.instructions;
  const text =
    typeof given === "function"
      ? await demand<string>(
          run,
          "instructions",
          () => given(run.context),
          (answer) => expected("instructions", "a text", typeof answer === "string", answer),
        )
      : given;
  if (text === undefined || text === "") return undefined;
  const known = run.view[0];
  // The same object for the same text, so that it is compiled and counted once.
  return known?.role === "system" && known.id === "instructions" && known.content === text
    ? known
    : { id: "instructions", role: "system", content: text };
}

/**
 * Makes the messages of a turn: instructions, the view of the conversation, memory, and the changes of `beforeLLMCall`.
 *
 * @throws RunStoppedError if `beforeLLMCall` fails.
 */
export async function planMessages(run: Run, plan: TurnPlan): Promise<readonly Message[]> {
  await recalledContext(run, plan.turn);
  const view = await fittedConversation(run, () => fixedTokens(run, plan), plan.model);
  // The memories that fit.
  const recalled = await recalledContext(run, plan.turn);
  let messages = placeRecalled(view, plan.instructions, recalled, run.view[0]);
  for (const part of run.points.beforeModel) messages = await part.beforeModel(run, plan.turn, messages);
  return framedParts(run, messages);
}

/** Estimated tokens of the instructions and the tool definitions, which are never cut. */
export function fixedTokens(run: Run, plan: TurnPlan): number {
  const instructions = plan.instructions === undefined ? 0 : run.estimate.message(plan.instructions);
  return instructions + run.estimate.tools(toolsFor(run, plan, plan.model).all);
}

interface TurnTools {
  readonly all: readonly ToolDefinition[];
  readonly names: readonly string[];
  readonly hosted: readonly HostedTool[];
}

function toolsFor(run: Run, plan: TurnPlan, model: ModelProvider): TurnTools {
  const advertised = run.catalogue.advertised();
  const active = plan.step.activeTools?.map((name) => run.catalogue.resolveName(name));
  const functions = active === undefined ? advertised : advertised.filter(({ name }) => active.includes(name));
  const given = run.agent.options.hostedTools ?? [];
  const hosted = given.filter(({ provider }) => provider === model.provider);
  for (const skipped of given) {
    if (skipped.provider === model.provider) continue;
    run.warn({
      code: "hosted_tool_skipped",
      message: `${model.provider}/${model.modelId} cannot run the hosted tool "${skipped.name}" of ${skipped.provider}; it was not offered.`,
      subject: skipped.name,
    });
  }
  const sent = sentViews(functions);
  return {
    all: hosted.length === 0 ? sent : [...sent, ...hosted.map(sentView)],
    names: functions.map(({ name }) => name),
    hosted,
  };
}

/**
 * Compiles a turn's request for one model: history, tools, the way to a structured answer, settings. All of it consists
 * of frozen copies, so a provider that edits its request does not change the run [events.copies.requests].
 *
 * @param messages - From `planMessages`.
 */
export function compileRequest(
  run: Run,
  plan: TurnPlan,
  messages: readonly Message[],
  model: ModelProvider,
): CompiledRequest {
  const offered = toolsFor(run, plan, model);
  const output =
    run.output === undefined
      ? undefined
      : planOutput(run.output, model, offered.all.length > 0, (name) => run.catalogue.get(name) !== undefined);
  const tools = output?.mode === "tool" ? [...offered.all, finalAnswerTool(output)] : offered.all;
  const compiled = run.compile(messages, model);
  for (const warning of compiled.warnings) run.warn(warning);
  const { settings, options } = run;
  const { clientTools: clientNames } = run.catalogue;
  const request: ModelRequest = {
    messages: compiled.sent,
    tools: tools.length === 0 ? undefined : tools,
    toolChoice: tools.length === 0 ? undefined : toolChoice(run, plan, model, output),
    output: output?.mode === "native" ? { name: "answer", schema: sentView(output.jsonSchema) } : undefined,
    reasoning: viewOf(plan.step.reasoning ?? settings.reasoning),
    temperature: plan.step.temperature ?? settings.temperature,
    topP: settings.topP,
    stopSequences: viewOf(settings.stopSequences),
    parallelToolCalls: settings.parallelToolCalls,
    maxTokens: plan.step.maxTokens ?? settings.maxTokens,
    providerOptions: viewOf(settings.providerOptions),
    apiKey: options.apiKey,
    caching: options.enableCaching === undefined ? undefined : options.enableCaching ? "shared" : false,
    sessionId: run.context.sessionId,
    includeRawEvents: options.includeRawEvents,
  };
  return {
    request,
    messages: compiled.messages,
    output,
    hostedWriters: offered.hosted.filter(canWrite).map(({ name }) => name),
    toolNames: offered.names,
    clientTools: clientNames.size === 0 ? [] : offered.names.filter((name) => clientNames.has(name)),
    inputTokens: () => run.estimate.messages(compiled.messages) + run.estimate.tools(offered.all),
  };
}

function viewOf<T extends object>(value: T | undefined): T | undefined {
  return value === undefined ? undefined : sentView(value);
}

function canWrite(tool: HostedTool): boolean {
  return tool.sideEffectClass !== "pure" && tool.sideEffectClass !== "read-only" && tool.asksApproval !== true;
}

/** A forced choice applies until a tool was called: forced each time, the run would never end. */
function toolChoice(
  run: Run,
  plan: TurnPlan,
  model: ModelProvider,
  output: OutputPlan | undefined,
): ToolChoice | undefined {
  const given =
    plan.step.toolChoice ??
    (run.journal.state.toolCalls.length > 0 ? unforced(run.settings.toolChoice) : run.settings.toolChoice);
  if (typeof given === "object") {
    const name = run.catalogue.resolveName(given.toolName);
    if (run.catalogue.isCallable(name)) return { toolName: name };
    throw new ConfigurationError(
      "INVALID_OPTION",
      `toolChoice names "${given.toolName}", which is deferred and not offered yet.`,
    );
  }
  if (output?.mode !== "tool" || given === "required") return given;
  const reasons = (plan.step.reasoning ?? run.settings.reasoning)?.enabled === true;
  if (reasons && model.capabilities.forcedToolChoiceWithReasoning === false) return "auto";
  // The answer is a tool call too, so a call is always required; with `none`, only the answer's tool is offered.
  return given === "none" ? { toolName: output.toolName } : "required";
}

function unforced(choice: ToolChoice | undefined): ToolChoice | undefined {
  return choice === "required" || typeof choice === "object" ? "auto" : choice;
}
