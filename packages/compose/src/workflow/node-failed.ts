import {
  ModelError,
  ToolError,
  type JsonValue,
  type ModelErrorOptions,
  type ThrowableToolErrorKind,
} from "@bailiwick/core";
import type { NodeResult } from "./program.ts";
import { invalidValue } from "./values.ts";

type Failed = Extract<NodeResult, { readonly ok: false }>;

/** True if the text is about a value that cannot be passed on. */
export function isInvalidValue(error: string): boolean {
  return refused.test(error);
}

/** The text of a node's error begins with the node's name. */
const refused = new RegExp(`^(?:"[^"]{1,128}" failed: )?${invalidValue}: `, "u");

/** The error about a value that cannot be passed on, from its text. */
export function invalidValueError(error: string, facts: ModelErrorOptions): ModelError {
  return new ModelError(invalidValue, error.replace(refused, ""), facts);
}

/**
 * The error of a workflow whose node failed without a `catch`. Its cause has the kind of the failure, such as
 * `invalid_input`.
 */
export function nodeFailed(name: string, failed: Failed): ModelError {
  const { kind, error, node } = failed;
  const facts = { provider: "bailiwick", model: name, retryable: false };
  if (isInvalidValue(error)) return invalidValueError(error, facts);
  const cause = new ToolError(error, { kind: kind as ThrowableToolErrorKind });
  return new ModelError("NODE_FAILED", `The composition "${name}" ended because its node "${node}" failed: ${error}`, {
    ...facts,
    cause,
  });
}

/** The value of a node. */
export function valueOf(name: string, result: NodeResult): JsonValue {
  if (!result.ok) throw nodeFailed(name, result);
  return result.value;
}
