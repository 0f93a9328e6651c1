import type { textOf } from "../context/compact.ts";
import type { ConfigurationError } from "../errors/configuration-errors.ts";
import type { checkKnownNames } from "../errors/known-names.ts";
import type { addUsage, noUsage } from "../journal/add-usage.ts";
import type { asFlow } from "./settings/join-flow.ts";
import type { parseObject } from "./start/flow-run.ts";
import type { toUserMessage } from "./start/start-run.ts";

/** Functions of the start that the late part is given. */
export interface PreflightHost {
  readonly ConfigurationError: typeof ConfigurationError;
  readonly addUsage: typeof addUsage;
  readonly asFlow: typeof asFlow;
  readonly checkKnownNames: typeof checkKnownNames;
  readonly noUsage: typeof noUsage;
  readonly parseObject: typeof parseObject;
  readonly textOf: typeof textOf;
  readonly toUserMessage: typeof toUserMessage;
}
