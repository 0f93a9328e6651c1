import type { Decision } from "../../contracts/interruption.ts";
import type { ChangedValue } from "../../contracts/tool-call-result.ts";
import type { Agent } from "../run.ts";

/**
 * Values that a person changed in the arguments, without known secrets and as a person sees them.
 *
 * @param before - The arguments as the question showed them.
 */
export function changesIn(
  { secrets, sanitizer }: Pick<Agent, "secrets" | "sanitizer">,
  before: unknown,
  decision: Decision,
): readonly ChangedValue[] | undefined {
  if (decision.type !== "approve" || decision.args === undefined) return undefined;
  const clean = secrets?.scrub(decision.args) ?? decision.args;
  return changed("", before, sanitizer?.display(clean) ?? clean);
}

function changed(path: string, before: unknown, after: unknown): readonly ChangedValue[] {
  if (before === after) return [];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  return Object.keys({ ...before, ...after }).flatMap((key) =>
    changed(Array.isArray(before) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`, before[key], after[key]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
