import { textOf } from "../context/compact.ts";
import type { Preflight, PreflightOptions } from "../contracts/preflight.ts";
import type { RunInput } from "../contracts/run-options.ts";
import type { ToolExplanation } from "../contracts/tool-explanation.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { checkKnownNames } from "../errors/known-names.ts";
import { addUsage, noUsage } from "../journal/add-usage.ts";
import { lazyPart } from "../loading/lazy-part.ts";
import type { CheckedAgent } from "./checked-agent.ts";
import type { PreflightHost } from "./preflight-host.ts";
import { asFlow } from "./settings/join-flow.ts";
import { parseObject } from "./start/flow-run.ts";
import { toUserMessage } from "./start/start-run.ts";

const part = lazyPart("The preflight", () => import("./preflight.ts"));

const host: PreflightHost = {
  ConfigurationError,
  addUsage,
  asFlow,
  checkKnownNames,
  noUsage,
  parseObject,
  textOf,
  toUserMessage,
};

export async function explainTools(definition: CheckedAgent): Promise<readonly ToolExplanation[]> {
  return part(({ explainTools: explain }) => explain(definition, host));
}

export async function preflight(
  definition: CheckedAgent,
  input: RunInput,
  given: PreflightOptions,
): Promise<Preflight> {
  return part(({ preflight: look }) => look(definition, input, given, host));
}
