import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { READ_RESULT, writeSpilled } from "../../tools/read-result.ts";
import { callModelBeside } from "../model/model-beside.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import type { Presentation } from "./presentation.ts";
import { shortenResult, type Bound } from "./shorten-result.ts";

/** With `toolResultLimit`, and for calls of a tool that does not exist. */
const defaultLimitTokens = 5_000;
/** Bytes per token in the measure of results. */
const bytesPerToken = 4;

/** Limits the text that goes to the model. A note says how much was cut, and how to read the rest. */
export function limit(presentation: Presentation): MaybePromise<void> {
  const bound = boundOf(presentation);
  if (bound === undefined) return undefined;
  const { content, call } = presentation;
  const text = typeof content === "string" ? content : textOfContent(content);
  if (!exceedsBytes(text, bound.bytes)) return undefined;
  return shortenResult(presentation, text, bound, {
    spill: () => spill(presentation, text),
    ask: (question) =>
      callModelBeside(call.run, {
        purpose: "summary",
        model: call.run.settings.toolResultLimit?.model ?? call.run.agent.model,
        ...question,
      }),
  });
}

function boundOf({ call, output, failure }: Presentation): Bound | undefined {
  const { toolResultLimit: given } = call.run.settings;
  const tokens =
    call.tool !== undefined && (given === undefined || call.tool.__resultLimitDeclared)
      ? call.tool.maxResultTokens
      : (given?.maxTokens ?? defaultLimitTokens);
  if (tokens === 0) return undefined;
  const bytes = tokens * bytesPerToken;
  if (failure !== undefined) return { bytes, strategy: "middle" };
  const isText = output === undefined || typeof output === "string";
  return { bytes, strategy: call.tool?.truncationStrategy ?? given?.strategy ?? (isText ? "middle" : "spill") };
}

/**
 * Stores the whole text beside the journal, sealed if there is a key.
 *
 * @returns the way to read it; `undefined` if the tool that reads it cannot be called: nothing is stored then.
 */
async function spill(presentation: Presentation, text: string): Promise<string | undefined> {
  const { catalogue, context, agent, journal } = presentation.call.run;
  if (catalogue.get(READ_RESULT) === undefined) return undefined;
  const handle = await writeSpilled(sealedBlobs(agent.store, agent.sealer), text, context);
  presentation.spilled = handle;
  const promoted = catalogue.promote([READ_RESULT]);
  if (promoted.length > 0) journal.record({ type: "catalogue.promoted", toolNames: promoted, by: "spill" });
  return `Read any part of it with ${READ_RESULT}({"handle":"${handle}","offset":0}).`;
}

/** Length in UTF-8; counted only when the number of characters leaves it open whether `limit` is passed. */
function exceedsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false;
  if (text.length > limit) return true;
  return new TextEncoder().encode(text).length > limit;
}
