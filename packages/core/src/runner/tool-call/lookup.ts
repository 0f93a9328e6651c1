import type { LookupResult } from "../../contracts/tool.ts";
import { askUserCode, askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { expected, limitsOf } from "../hooks/hooks-runner.ts";
import { reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { toolOf, type PipelineCall } from "./call.ts";
import { effectiveTimeoutMs } from "./execution.ts";
import { toolContext } from "./tool-context.ts";

/** The answer of a tool's `lookup`; a failed one is reported, with the reason as a person reads it. */
export type LookupAnswer = LookupResult | { readonly status: "failed"; readonly reason: string };

/**
 * Asks the tool's `lookup` whether an effect with this key took place; `undefined` if it has none, or if the run was
 * stopped meanwhile.
 */
export async function askLookup(call: PipelineCall, key: string): Promise<LookupAnswer | undefined> {
  const { lookup } = toolOf(call);
  if (lookup === undefined) return undefined;
  const { run } = call;
  const asked = await askUserCode(
    () => lookup(key, ownCopy(call.input), toolContext(call)),
    limitsOf(run, "lookup", effectiveTimeoutMs(call)),
  );
  const read = asked.ok ? askUserCodeNow("lookup", () => readLookup(asked.value)) : asked;
  if (read.ok) return read.value;
  if (read.stopped) return undefined;
  reportFailure(run, `lookup of ${call.toolName}`, read.error, "It stays unknown whether the call took effect.");
  return { status: "failed", reason: `its "lookup" failed (${reasonOf(call, read.error)})` };
}

function readLookup(answer: LookupResult): LookupResult {
  const copied = ownCopy(answer);
  const known = ["done", "absent", "unknown"].includes((copied as Partial<LookupResult> | undefined)?.status ?? "");
  return expected("lookup", '{ status: "done", output }, { status: "absent" } or { status: "unknown" }', known, copied);
}
