import type { ResultVerdict } from "../../contracts/extension.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { extensionContext, type ActiveExtension } from "../extensions/active-extension.ts";
import { decide, expected } from "../hooks/hooks-runner.ts";
import { reasonOf } from "./intercept.ts";
import { refuse, textOfContent, withText } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";

/** Lets extensions replace or withhold what the model would read. Text that they write is untrusted. */
export function reviewWithExtensions(presentation: Presentation): Promise<void> | undefined {
  if (presentation.ownText) return undefined;
  const asked = presentation.call.run.extensions.filter(({ extension }) => extension.result !== undefined);
  return asked.length === 0 ? undefined : askAll(presentation, asked);
}

async function askAll(presentation: Presentation, asked: readonly ActiveExtension[]): Promise<void> {
  for (const active of asked) {
    if (presentation.ownText) return;
    await askOne(presentation, active);
  }
}

async function askOne(presentation: Presentation, active: ActiveExtension): Promise<void> {
  const { call } = presentation;
  const { toolCallId, toolName, run } = call;
  const { name } = active.extension;
  const hook = `extension ${name}`;
  const answer = await decide<ResultVerdict | void>(
    run,
    hook,
    () =>
      active.extension.result?.(
        {
          toolCallId,
          toolName,
          args: ownCopy(call.args),
          text: textOfContent(presentation.content),
          isError: presentation.failure !== undefined,
        },
        extensionContext(active, run),
      ),
    (given) => readVerdict(hook, given),
  );
  if (!answer.ok) {
    const reason = reasonOf(call, answer.failure.error);
    withhold(presentation, `the extension "${name}" failed (${reason})`);
    return;
  }
  const verdict = answer.value;
  if (verdict === undefined) return;
  if ("withhold" in verdict) {
    withhold(presentation, `the extension "${name}" withheld it (${verdict.withhold})`);
    return;
  }
  presentation.content = withText(presentation.content, verdict.replaceResult);
  if (presentation.failure !== undefined)
    presentation.failure = { ...presentation.failure, message: verdict.replaceResult };
  if (verdict.integrity !== "kept")
    presentation.findings = [...(presentation.findings ?? []), `replaced-by-extension:${name}`];
}

function readVerdict(hook: string, given: ResultVerdict | void): ResultVerdict | undefined {
  const verdict = ownCopy(given) as Partial<Record<"replaceResult" | "withhold", unknown>> | undefined | null;
  if (verdict === undefined || verdict === null) return undefined;
  const holds =
    typeof verdict === "object" && (typeof verdict.replaceResult === "string" || typeof verdict.withhold === "string");
  return expected(hook, "{ replaceResult }, { withhold } or nothing", holds, verdict as ResultVerdict);
}

function withhold(presentation: Presentation, why: string): void {
  refuse(
    presentation,
    "policy_denied",
    `The result of "${presentation.call.toolName}" is withheld: ${why}.`,
    "EXTENSION_REFUSED",
  );
}
