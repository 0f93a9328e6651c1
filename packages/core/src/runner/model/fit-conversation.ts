import { leftOutMessage, startOf, staysShown, type CompactedView } from "../../context/compact.ts";
import { shownMessage } from "../../context/shown-message.ts";
import { boundedRatio } from "../../context/token-ratio.ts";
import type { ContextCompactorConfig } from "../../contracts/context-config.ts";
import type { Message } from "../../contracts/message.ts";
import type { Fitted, FitInput } from "../../context/fit.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import { InputTooLongError } from "../../errors/input-too-long-error.ts";
import type { ContextOverflowError } from "../../errors/model-errors.ts";
import type { RunState } from "../../journal/run-state.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { currentView } from "./conversation-view.ts";
import { memoryTokens } from "./recalled-context.ts";
import { maySummarize, summarize, summaryBound, warnOfCut, warnOfManySummaries, smallestWindow } from "./summarize.ts";
import { handlesFor, storedViews } from "./whole-texts.ts";
import type { Run } from "../run.ts";

const shortening = lazyPart("The shortening of a conversation", () => import("../../context/shortening.ts"));

const views = { shownMessage, leftOutMessage, staysShown, startOf };

/** Result of shortening a conversation. */
interface Shortened {
  /** True if anything was left out. */
  readonly changed: boolean;
  /** Estimated tokens of the conversation and the recalled memories. */
  readonly tokens: number;
}

/**
 * The conversation in the next request: shortened if it does not fit `contextCompactor`.
 *
 * @param fixedTokens - Tokens of instructions and tool definitions, which count but are never cut.
 * @param model - Summarizes if no other model is named.
 * @throws InputTooLongError if the newest message alone does not fit.
 */
export async function fittedConversation(
  run: Run,
  fixedTokens: () => number,
  model: ModelProvider,
): Promise<readonly Message[]> {
  const { contextCompactor: config } = run.settings;
  const shown = currentView(run);
  refuseHugeInput(run, model);
  if (config === undefined) return shown;
  const limit = config.maxContextTokens - (config.reserveTokens ?? 0);
  const { tokenRatio } = run.journal.state;
  const room = limit / tokenRatio - fixedTokens();
  if (shownTokens(run, shown) <= room) return shown;
  const { tokens } = await shorten(run, config, Math.max(1, room), model);
  const newest = Math.ceil(newestTokens(run) * tokenRatio);
  if (tokens > room && newest > Math.max(limit, smallestWindow))
    throw new InputTooLongError(newest, limit, `"contextCompactor.maxContextTokens" of agent "${run.agent.name}"`);
  return currentView(run);
}

/** An estimate of this many times the window is too large in any tokenizer. */
const surelyTooLarge = 2;

/** Refuses only an input that cannot fit the model, for a run without its own limit. */
function refuseHugeInput(run: Run, { capabilities, provider, modelId }: ModelProvider): void {
  const { contextWindow } = capabilities;
  const { contextCompactor, fallback = [] } = run.settings;
  if (contextWindow === undefined || contextCompactor !== undefined || fallback.length > 0) return;
  const newest = newestTokens(run);
  if (newest > contextWindow * surelyTooLarge)
    throw new InputTooLongError(newest, contextWindow, `the context window of ${provider}/${modelId}`);
}

function newestTokens({ journal, estimate }: Run): number {
  const newest = journal.state.messages.findLast(({ role }) => role === "user");
  return newest === undefined ? 0 : estimate.message(newest);
}

function shownTokens(run: Run, shown: readonly Message[]): number {
  return memoryTokens(run).reduce((sum, tokens) => sum + tokens, run.estimate.messages(shown));
}

/** A request that a vendor refused as too long. */
export interface RefusedRequest {
  readonly error: ContextOverflowError;
  readonly model: ModelProvider;
  /** Its estimated tokens. */
  readonly estimated: number;
  /** Estimated tokens of its instructions and tool definitions. */
  readonly fixed: number;
  /** Tokens that it reserved for the answer. */
  readonly maxTokens: number | undefined;
  /** Number of requests of this call that were refused, this one included. */
  readonly refusals: number;
}

/**
 * Shortens the conversation because a vendor refused it as too long: to the vendor's numbers if it gave them, else to a
 * half, then to a quarter of that, and so on.
 *
 * @returns `again` if the next request is shorter, and otherwise the error of the call.
 */
export async function fitAfterOverflow(run: Run, refused: RefusedRequest): Promise<"again" | Error> {
  const { error, model, fixed } = refused;
  const config = run.settings.contextCompactor ?? { maxContextTokens: 0, strategy: "trim" as const };
  const { limit, maximum, ratio } = limitAfter(run, refused);
  const room = Math.max(1, limit - fixed);
  const before = shownTokens(run, currentView(run));
  const { changed, tokens } = await shorten(run, config, room, model, { ratio });
  const isShorter = changed && tokens < before;
  // The vendor's count shows that the next request is too long, or nothing is left that could be shortened.
  if (maximum !== undefined && tokens > room && (ratio !== undefined || !isShorter)) {
    const shortest = Math.ceil((tokens + fixed) * (ratio ?? run.journal.state.tokenRatio));
    if (shortest > maximum || !isShorter)
      return new InputTooLongError(
        Math.max(shortest, Math.floor(maximum) + 1),
        Math.floor(maximum),
        `the context window of ${model.provider}/${model.modelId}`,
      );
  }
  return isShorter ? "again" : error;
}

interface LimitAfter {
  /** Estimated tokens that the next request may have. */
  readonly limit: number;
  /** The vendor's maximum, less the tokens of the answer. */
  readonly maximum: number | undefined;
  /** Tokens that the vendor counted for each estimated one; `undefined` if it did not say. */
  readonly ratio: number | undefined;
}

function limitAfter(run: Run, { error, model, estimated, maxTokens = 0, refusals }: RefusedRequest): LimitAfter {
  const { maximumTokens = model.capabilities.contextWindow, actualTokens } = error;
  const half = estimated / (2 * refusals);
  if (maximumTokens === undefined) return { limit: half, maximum: undefined, ratio: undefined };
  // A bound of the answer that leaves nothing of the window is a mistake elsewhere.
  const maximum = Math.max(maximumTokens - maxTokens, maximumTokens / 2);
  if (actualTokens === undefined || estimated === 0) {
    const ratio = Math.max(run.journal.state.tokenRatio, maximum / Math.max(1, estimated));
    const limit = error.maximumTokens === undefined || refusals > 1 ? Math.min(half, maximum / ratio) : maximum / ratio;
    return { limit: Math.min(limit, estimated * 0.9), maximum, ratio: undefined };
  }
  const ratio = boundedRatio(actualTokens / estimated);
  return { limit: Math.min(maximum / ratio, refusals > 1 ? half : estimated * 0.9), maximum, ratio };
}

/**
 * Shortens the conversation, and journals how.
 *
 * @param overflow - Set if the model refused the request as too long.
 */
async function shorten(
  run: Run,
  config: ContextCompactorConfig,
  room: number,
  model: ModelProvider,
  overflow?: { readonly ratio: number | undefined },
): Promise<Shortened> {
  const { state } = run.journal;
  const before = viewOf(state.compaction);
  const summaries = state.compaction?.summaries ?? 0;
  const summarizes = config.strategy !== "trim" && maySummarize(run, summaries);
  const bound = summarizes ? summaryBound(room) : 0;
  const { view, dropped, tokens } = await fitted(run, config, room, before, {
    summaryTokens: bound,
    withNewestAnswer: overflow !== undefined,
  });
  const isChanged = JSON.stringify(view) !== JSON.stringify(before);
  if (!isChanged && overflow?.ratio === undefined) return { changed: false, tokens };
  const text = await shortening(
    ({ textOfMessages }) =>
      () =>
        textOfMessages(dropped, textOfContent),
  );
  const stored = await storedViews(run, view, before, text);
  const asks = summarizes && dropped.length > 0;
  const summary = asks
    ? await summarize(run, config, { before: before.summary, dropped, bound, model, views, shortening })
    : before.summary;
  if (config.strategy !== "trim" && !summarizes) warnOfManySummaries(run, config, summaries);
  if (overflow !== undefined && !asks) warnOfOverflow(run, model, dropped.length + (view.shortened?.length ?? 0));
  const asked = summaries + (asks ? 1 : 0);
  run.journal.record({
    type: "compaction",
    strategy: config.strategy,
    droppedMessages: dropped.length,
    ...stored,
    summary,
    ...(asked > 0 && { summaries: asked }),
    ...(overflow?.ratio !== undefined && { tokenRatio: overflow.ratio }),
  });
  return { changed: isChanged, tokens: shownTokens(run, currentView(run)) };
}

function warnOfOverflow(run: Run, { provider, modelId }: ModelProvider, cut: number): void {
  if (cut > 0) warnOfCut(run, cut, `${provider}/${modelId} refused the conversation as too long`, "overflow");
}

function viewOf(compaction: RunState["compaction"]): CompactedView {
  const { uptoMessageId, summary, leftOut, shortened, memories } = compaction ?? {};
  return {
    uptoMessageId,
    summary,
    leftOut,
    ...(shortened !== undefined && { shortened }),
    ...(memories !== undefined && { memories }),
  };
}

/** The view in which the conversation fits, as far as it can; it is not journaled yet. */
async function fitted(
  run: Run,
  config: ContextCompactorConfig,
  room: number,
  view: CompactedView,
  how: Pick<FitInput, "summaryTokens" | "withNewestAnswer">,
): Promise<Fitted> {
  const { messages, firstOwnMessage: taskIndex } = run.journal.state;
  const { handle, tokens } = handlesFor(run, room);
  return shortening(({ fit, sectionsToShorten }) =>
    fit(
      {
        messages,
        view,
        taskIndex,
        estimate: run.estimate,
        room: Math.max(1, room - tokens),
        order: sectionsToShorten(config, how.summaryTokens > 0),
        memories: memoryTokens(run),
        handle,
        ...how,
      },
      views,
    ),
  );
}
