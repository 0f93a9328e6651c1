import { BailiwickError, ToolError, type FakeAnswer, type FakedCall, type Fakes } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import type { NamedCase } from "../case.ts";
import type { Evaluation } from "../evaluation.ts";

/** The fakes of the runs of one case. A second call with the same key gets the first answer. */
export function fakesOf({ fakes = {}, realEffects }: Evaluation, one: NamedCase): Fakes {
  const answered = new Map<string, Promise<FakeAnswer>>();
  const answer = (call: FakedCall): Promise<FakeAnswer> | undefined => {
    const fake = Object.hasOwn(fakes, call.toolName) ? fakes[call.toolName] : undefined;
    if (fake === undefined) return undefined;
    if (fake === "recorded") return recorded(one, call);
    const ask = async (): Promise<FakeAnswer> => {
      try {
        const { idempotencyKey, attempt } = call;
        return { output: (await fake(call.args as never, { idempotencyKey, attempt, case: one })) ?? null };
      } catch (error) {
        return { error };
      }
    };
    if (call.idempotencyKey === undefined) return ask();
    const key = `${call.toolName}\n${call.idempotencyKey}`;
    const made = answered.get(key) ?? ask();
    answered.set(key, made);
    return made;
  };
  return { answer, ownStore: true, ...(realEffects !== undefined && { realEffects }) };
}

/** The result of the stored run for the same arguments; any other call is refused, and its run has no score. */
function recorded({ from, id }: NamedCase, { toolName, args }: FakedCall): Promise<FakeAnswer> {
  const text = canonicalJson(args ?? null);
  const found = from?.results.find((one) => one.tool === toolName && canonicalJson(one.args ?? null) === text);
  if (found === undefined)
    return Promise.resolve({
      error: new BailiwickError(
        "FAKE_MISSING",
        `the stored run of the case "${id}" has no result of "${toolName}" for these arguments.`,
      ),
    });
  return Promise.resolve(
    found.error === undefined
      ? { output: found.output ?? null }
      : { error: new ToolError(found.error, { kind: "execution_failed" }) },
  );
}
