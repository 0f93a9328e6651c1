import type { Message } from "../../contracts/message.ts";
import type { Catalogue } from "../../registry/catalogue.ts";
import { createCatalogue } from "../../registry/create-catalogue.ts";
import { disabledTools } from "../../registry/disabled-tools.ts";
import { READ_RESULT, mentionsSpilledResult } from "../../tools/read-result.ts";
import { checkTimedApproval } from "../settings/timed-approval.ts";
import { extractFor } from "./run-extract.ts";
import type { BegunRun } from "./begin-run.ts";
import { namesOfPolicy } from "../settings/run-settings.ts";
import { conditionsOf } from "../turn/stop-conditions.ts";

/**
 * Makes the catalogue of a run: the agent's tools, or what its resolver gives for this run, without those that are
 * disabled; promoted ones stay promoted. Names in policies are checked against it.
 *
 * @param conversation - What the model reads: a handle in it can be read, whichever run spilled the result.
 * @throws UnknownToolNameError when a policy names a tool that does not exist.
 */
export async function buildCatalogue(run: BegunRun, conversation: readonly Message[]): Promise<Catalogue> {
  const { definition, context, journal } = run;
  const { tools } = definition.options;
  const registry =
    typeof tools === "function" ? definition.registry.of(await tools(context)) : definition.registry.known;
  const pending = registry.ready();
  if (pending !== undefined) await pending;
  checkTimedApproval(run.settings, registry.list());
  const { disabled, warnings } = await disabledTools(registry, context);
  const catalogue = createCatalogue({
    registry,
    hasher: definition.hasher,
    disabled,
    promoted: journal.state.promoted,
    onSearch: (toolNames) => void journal.record({ type: "catalogue.promoted", toolNames, by: "tool_search" }),
    extract: extractFor(run),
  });
  if (mentionsSpilledResult(conversation)) catalogue.promote([READ_RESULT]);
  for (const warning of [...registry.warnings, ...warnings]) run.warn(warning);
  checkPolicyNames(run, catalogue);
  return catalogue;
}

function checkPolicyNames(run: BegunRun, catalogue: Catalogue): void {
  const { approval, guardrails, stopWhen, toolChoice, toolUseBehavior } = run.settings;
  const names = [
    ...(approval === undefined ? [] : namesOfPolicy(approval.policy)),
    ...conditionsOf(stopWhen).flatMap((condition) => condition.toolNames ?? []),
    ...[...(guardrails?.toolInput ?? []), ...(guardrails?.toolOutput ?? [])].flatMap(
      (guardrail) => guardrail.tools ?? [],
    ),
    ...(typeof toolUseBehavior === "object" ? toolUseBehavior.stopAtToolNames : []),
    ...(typeof toolChoice === "object" ? [toolChoice.toolName] : []),
  ];
  for (const name of names) catalogue.resolveName(name);
}
