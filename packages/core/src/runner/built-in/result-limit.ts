import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { READ_RESULT, writeSpilled } from "../../tools/read-result.ts";
import { callModelBeside } from "../model/model-beside.ts";
import type { Part, TreatedSubject } from "../part.ts";
import type { Run } from "../run.ts";
import type { Bound } from "./shorten-result.ts";

type Treated = TreatedSubject<Run>;

/** Limit without `toolResultLimit`, and for calls of an unknown tool. */
const defaultLimitTokens = 5_000;
/** Bytes per token in the measure of results. */
const bytesPerToken = 4;

const shortening = lazyPart("The shortening of long results", () => import("./shorten-result.ts"));

/** The part that limits the text of a result that the model reads. A short result passes it at once. */
export const resultLimitPart: Part<Run> = {
  name: "result limit",
  shorten(result) {
    const bound = boundOf(result);
    if (bound === undefined) return undefined;
    const { content } = result;
    const text = textOfContent(content);
    if (!exceedsBytes(text, bound.bytes)) return undefined;
    const { run } = result.call;
    return shortening((part) =>
      part.shortenResult(result, text, bound, {
        treat: (shorter) => treatAgain(result, shorter),
        spill: () => spill(result, text),
        ask: (question) =>
          callModelBeside(run, {
            purpose: "summary",
            model: run.settings.toolResultLimit?.model ?? run.agent.model,
            ...question,
          }),
      }),
    );
  },
};

/** Sanitizes a summary like the text that it summarizes: a model wrote it from other people's text. */
async function treatAgain({ call, treatment }: Treated, summary: string): Promise<string> {
  const { sanitizer } = call.run.agent;
  if (treatment === undefined || sanitizer === undefined) return summary;
  const { policy } = treatment;
  const { content } = await sanitizer.inbound(summary, { policy, toolName: call.toolName, nonce: call.run.nonce });
  return textOfContent(content);
}

function boundOf({ call, output, failure }: Treated): Bound | undefined {
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
 * @returns its handle, and the way to read it; `undefined` if the reading tool cannot be called, and then nothing is
 *   stored.
 */
async function spill(
  { call, treatment }: Treated,
  text: string,
): Promise<{ readonly handle: string; readonly way: string } | undefined> {
  const { catalogue, context, agent, journal } = call.run;
  if (catalogue.get(READ_RESULT) === undefined) return undefined;
  // Each page gets its own frame, and JSON is read by its paths.
  const whole = withoutFrame(text, treatment?.frame);
  const handle = await writeSpilled(sealedBlobs(agent.store, agent.sealer), whole, context);
  const promoted = catalogue.promote([READ_RESULT]);
  if (promoted.length > 0) journal.record({ type: "catalogue.promoted", toolNames: promoted, by: "spill" });
  return { handle, way: `Read any part of it with ${READ_RESULT}({"handle":"${handle}","offset":0}).` };
}

function withoutFrame(text: string, frame: readonly [string, string] | undefined): string {
  const [before, after] = frame ?? ["", ""];
  const isFramed = text.startsWith(before) && text.endsWith(after);
  return isFramed ? text.slice(before.length, text.length - after.length) : text;
}

/** Length in UTF-8; only counted if the number of characters does not decide whether it exceeds `limit`. */
function exceedsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false;
  if (text.length > limit) return true;
  return new TextEncoder().encode(text).length > limit;
}
