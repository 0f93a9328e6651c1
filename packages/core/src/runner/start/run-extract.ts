import type { Tool } from "../../contracts/tool.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { ExtractInput } from "../../tools/extract.ts";
import { isQuarantined } from "../settings/join-flow.ts";
import type { BegunRun } from "./begin-run.ts";

/** What `extract` does in a run; `undefined` in a run that hides nothing from its model. */
export function extractFor(run: BegunRun): Tool["execute"] | undefined {
  if (run.definition.flow === undefined || !isQuarantined(run.settings.flow)) return undefined;
  return (input, ctx) => {
    const { ref, schema, question } = input as ExtractInput;
    if (run.flow === undefined) throw new BailiwickError("FLOW_MISSING", "extract needs the run's flow policy.");
    return run.flow.extract({ toolCallId: ctx.toolCallId, ref, schema, question });
  };
}
