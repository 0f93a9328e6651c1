import type { Message } from "../../contracts/message.ts";
import type { ToolList } from "../../contracts/run-options.ts";
import type { Tool } from "../../contracts/tool.ts";
import { expected, reportFailure } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, demand, limitsOf } from "../hooks/hooks-runner.ts";
import type { ServedTools } from "../../contracts/tool-server.ts";
import { Catalogue } from "../../registry/catalogue.ts";
import type { Registry } from "../../registry/create-registry.ts";
import { describeSource } from "../../registry/source-defaults.ts";
import { EXTRACT, type ExtractInput } from "../../tools/extract.ts";
import { TOOL_SEARCH } from "../../tools/tool-search.ts";
import { READ_RESULT, mentionsSpilledResult } from "../../tools/read-result.ts";
import { checkTimedApproval, namesOfPolicy } from "../settings/join-approval.ts";
import { conditionsOf } from "../extensions/parts-of-run.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { isQuarantined } from "../settings/join-flow.ts";
import type { ClientToolDefinition } from "../../contracts/client-tool-definition.ts";
import { clientTool } from "../../tools/client-tool.ts";
import { withSource } from "../../registry/tool-registration.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import { askUserCode, type CallLimits } from "../../user-code/call-user-code.ts";
import type { Run } from "../run.ts";

/**
 * Makes the catalogue of a run: the agent's tools, or the tools that its resolver returns for this run, without those
 * that are disabled; promoted ones stay promoted. Names in policies are checked against it.
 *
 * @param conversation - The model's input: a handle in it can be read, from any run.
 * @throws UnknownToolNameError when a policy names a tool that does not exist.
 */
export async function buildCatalogue(run: Run, conversation: readonly Message[]): Promise<Catalogue> {
  const catalogue = await catalogueOf(run, await registryFor(run));
  if (mentionsSpilledResult(conversation)) catalogue.promote([READ_RESULT]);
  return catalogue;
}

/**
 * Checks if the servers' tools changed, and rebuilds the catalogue in that case. Only called between two turns, because
 * the calls of a turn run with the tools that its model was offered. The run continues in any case: if tools cannot be
 * listed or registered, it keeps its current ones.
 */
export async function refreshCatalogue(run: Run): Promise<void> {
  const { catalogue: before, served: known } = run;
  const served = await askServers(run, known);
  if (served.every((one, index) => one === known[index])) return;
  run.served = served;
  try {
    run.catalogue = await catalogueOf(run, withServed(run));
  } catch (error) {
    run.logger.warn(`The tools of a server changed, and cannot be used as they are now: the run keeps those it has.`, {
      error,
    });
    return;
  }
  recordChange(run, hashesOf(before));
}

export function writersIn({ tools }: Catalogue): readonly string[] {
  return tools.filter(({ __isWriter }) => __isWriter).map(({ name }) => name);
}

/** Journals the differences from the definition in the journal. */
export function recordChange(run: Run, hashes: Readonly<Record<string, string>>): void {
  const now = hashesOf(run.catalogue);
  const tools = Object.keys({ ...hashes, ...now }).filter((name) => hashes[name] !== now[name]);
  const { definitionHash: from, writers: before } = run.journal.state;
  const { definitionHash: to } = run.agent;
  const writers = writersIn(run.catalogue);
  if (from === to && tools.length === 0 && before?.join() === writers.join()) return;
  run.journal.record({ type: "run.definition_changed", from, to, tools, writers });
}

export function hashesOf({ tools }: Catalogue): Readonly<Record<string, string>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool.__definitionHash]));
}

/** The registry of this run's tools. Dynamic lists and servers are only read once a run has begun. */
async function registryFor(run: Run): Promise<Registry> {
  const { registry, options } = run.agent;
  const { tools = [] } = options;
  const { sandbox } = run.settings;
  const isClosed = registry.servers.length === 0 && clientToolsOf(run).length === 0;
  // The run, or an outer run, may tighten the agent's sandbox.
  const isKnown = typeof tools !== "function" && JSON.stringify(sandbox) === JSON.stringify(options.sandbox);
  if (isClosed && isKnown) return registry.known;
  const own = typeof tools === "function" ? await resolvedTools(run, tools) : tools;
  if (isClosed) return registry.of(own, undefined, sandbox);
  run.ownTools = own;
  run.served = await askServers(run, undefined);
  return withServed(run);
}

function resolvedTools(run: Run, tools: Extract<ToolList, (...given: never) => unknown>): Promise<readonly Tool[]> {
  const read = (answer: readonly Tool[]): readonly Tool[] =>
    expected("tools", "a list of tools", Array.isArray(answer), answer);
  return demand(run, "tools", () => tools(run.context), read);
}

/** A server that fails between two turns keeps its tools: their calls report the problem. */
function askServers(run: Run, known: readonly ServedTools[] | undefined): Promise<readonly ServedTools[]> {
  const { registry, hasher, sandbox } = run.agent;
  const request = { signal: run.context.signal, hasher, sandbox };
  return Promise.all(
    registry.servers.map(async (server, index) => {
      try {
        return await server.serve({ ...request, known: known?.[index] });
      } catch (error) {
        const last = known?.[index];
        if (last === undefined) throw error;
        run.logger.warn(`The tools of ${describeSource(server.source)} could not be listed again.`, { error });
        return last;
      }
    }),
  );
}

function withServed(run: Run): Registry {
  const { registry } = run.agent;
  const known = registry.join(run.ownTools, run.served);
  const names = new Set([...known.map(({ name }) => name), ...reservedNames]);
  const offered = clientToolsOf(run);
  const joined = offered.length === 0 ? known : [...known, ...offered.filter(({ name }) => !names.has(name))];
  const made = registry.of(joined, new Set(joined.slice(run.ownTools.length)), run.settings.sandbox);
  for (const { name } of offered)
    if (names.has(name))
      made.warn({
        code: "client_tool_left_out",
        message: `The client's tool "${name}" is left out: the agent has a tool of that name.`,
        subject: name,
      });
  for (const { warnings } of run.served) for (const warning of warnings) made.warn(warning);
  return made;
}

/** Names of the framework's own tools, which no client may use. */
const reservedNames: readonly string[] = [TOOL_SEARCH, READ_RESULT, EXTRACT];

/** Tools of the run's client: as journaled, so that every process offers the same. */
function clientToolsOf({ journal, options }: Run): readonly Tool[] {
  const given = journal.state.start === undefined ? options.clientTools : journal.state.start.clientTools;
  return (given ?? []).map(offeredClientTool);
}

async function catalogueOf(run: Run, registry: Registry): Promise<Catalogue> {
  const { agent, context, journal } = run;
  const pending = registry.ready();
  if (pending !== undefined) await pending;
  // The tools that are known without a run were checked with its options.
  if (registry !== agent.registry.known) checkTimedApproval(run.settings, registry.list());
  const limits = limitsOf(run, "isEnabled", decidingTimeoutMs);
  const disabled = await disabledTools(registry, context, limits, (name, error) => {
    const message = `Tool "${name}" is off in this run: its isEnabled failed with "${error.message}".`;
    run.warn({ code: "is_enabled_failed", message, subject: name });
    reportFailure(run, `isEnabled of ${name}`, error, "It counts as a refusal.");
  });
  const catalogue = new Catalogue({
    registry,
    hasher: agent.hasher,
    disabled,
    promoted: journal.state.promoted,
    onSearch: (toolNames) => void journal.record({ type: "catalogue.promoted", toolNames, by: "tool_search" }),
    extract: extractFor(run),
  });
  for (const warning of registry.warnings) run.warn(warning);
  checkPolicyNames(run, catalogue);
  return catalogue;
}

function checkPolicyNames(run: Run, catalogue: Catalogue): void {
  const { stopWhen, toolChoice, toolUseBehavior } = run.settings;
  // Only the names of agent and run: demands of the outer run may name tools that do not exist here.
  const own = [run.agent.options, run.options];
  const names: Readonly<Record<string, readonly string[]>> = {
    "approval.policy": own.flatMap(({ approval }) => namesOfPolicy(approval?.policy)),
    stopWhen: conditionsOf(stopWhen).flatMap((condition) => condition.toolNames ?? []),
    guardrails: own.flatMap(({ guardrails }) =>
      [...(guardrails?.toolInput ?? []), ...(guardrails?.toolOutput ?? [])].flatMap(({ tools }) => tools ?? []),
    ),
    toolUseBehavior: typeof toolUseBehavior === "object" ? toolUseBehavior.stopAtToolNames : [],
    toolChoice: typeof toolChoice === "object" ? [toolChoice.toolName] : [],
  };
  for (const [option, each] of Object.entries(names))
    for (const name of each) catalogue.resolveName(name, `${option} of agent "${run.agent.name}"`);
}

/** The implementation of `extract` in a run; `undefined` in a run without quarantine. */
function extractFor(run: Run): Tool["execute"] | undefined {
  if (run.agent.flow === undefined || !isQuarantined(run.settings.flow)) return undefined;
  return (input, ctx) => {
    const { ref, schema, question } = input as ExtractInput;
    if (run.flow === undefined) throw new BailiwickError("FLOW_MISSING", "extract needs the run's flow policy.");
    return run.flow.extract({ toolCallId: ctx.toolCallId, ref, schema, question });
  };
}

/** A tool that a run's client offers, as a foreign tool with the operator's declarations. */
function offeredClientTool(offered: ClientToolDefinition): Tool {
  const { name, description, inputSchema, sideEffectClass, needsApproval } = offered;
  // Its source decides how far its output is trusted.
  const { output: _output, ...made } = clientTool({ name, description, inputSchema });
  return withSource(made, { kind: "client" }, { sideEffectClass, needsApproval });
}

/**
 * Calls `isEnabled` of every tool that has it. A tool whose function fails is off.
 *
 * @param failed - Reports a function that failed.
 * @returns the final names of the tools that are off in a run.
 */
export async function disabledTools(
  registry: Registry,
  ctx: RunContext,
  limits: Omit<CallLimits, "name">,
  failed: (name: string, error: Error) => void,
): Promise<ReadonlySet<string>> {
  const tools = registry.list();
  const disabled = new Set<string>();
  if (tools.every(({ isEnabled }) => isEnabled === true || isEnabled === undefined)) return disabled;
  await Promise.all(
    tools.map(async ({ name, isEnabled }) => {
      if (isEnabled === true || isEnabled === undefined) return;
      disabled.add(name);
      if (isEnabled === false) return;
      const answer = await askUserCode(() => isEnabled(ctx), { ...limits, name: `isEnabled of ${name}` });
      if (!answer.ok) {
        if (!answer.stopped) failed(name, answer.error);
      } else if (typeof answer.value !== "boolean") {
        failed(name, new TypeError("it returned neither true nor false"));
      } else if (answer.value) disabled.delete(name);
    }),
  );
  return disabled;
}
