import { applyView } from "../../context/compact.ts";
import type { ContextCompactorConfig } from "../../contracts/context-config.ts";
import type { Message } from "../../contracts/message.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { Views } from "../../context/fit.ts";
import type { summaryRequest } from "../../context/shortening.ts";
import type { LazyPart } from "../../loading/lazy-part.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { cleanedAnswer, framedParts } from "./framed-parts.ts";
import { callModelBeside } from "./model-beside.ts";
import type { Run } from "../run.ts";

/**
 * No model has a smaller window, in tokens: a smaller `contextCompactor.maxContextTokens` asks for as little as possible,
 * and refuses no message.
 */
export const smallestWindow = 256;
/** Maximum length of a summary, in tokens. */
const longestSummary = 1_000;
/** A run may ask for one summary, and for one more after each of this many turns. */
const turnsPerSummary = 4;

/** Maximum length of a summary in a request that has space for a number of tokens. */
export function summaryBound(room: number): number {
  return Math.max(64, Math.min(longestSummary, Math.floor(room / 4)));
}

/**
 * True if the run has worked enough for another summary: each costs as much as a turn, and a run that summarized every
 * turn would pay twice.
 *
 * @param summaries - Number of summaries so far.
 */
export function maySummarize({ journal }: Run, summaries: number): boolean {
  return summaries < 1 + journal.state.turn / turnsPerSummary;
}

/** The messages that are left out, and the limits of their summary. */
interface Subject {
  /** The summary of the messages before them. */
  readonly before: string | undefined;
  readonly dropped: readonly Message[];
  /** Maximum length of the summary, in tokens. */
  readonly bound: number;
  /** Summarizes if no other model is named. */
  readonly model: ModelProvider;
  readonly views: Views;
  readonly shortening: LazyPart<{ readonly summaryRequest: typeof summaryRequest }>;
}

/** Asks a model for a summary. Without one, the earlier summary stays, and a warning reports it. */
export async function summarize(
  run: Run,
  config: ContextCompactorConfig,
  subject: Subject,
): Promise<string | undefined> {
  const { before, dropped, bound, views, shortening } = subject;
  const summarizer = config.summarizeModel ?? subject.model;
  const framed = await framedParts(run, dropped);
  // This run's own answers too: the model that summarizes is another reader of them.
  const read = await Promise.all(
    framed.map(async (message) => (message.role === "assistant" ? cleanedAnswer(run, message) : message)),
  );
  const window = Math.min(config.maxContextTokens, summarizer.capabilities.contextWindow ?? Infinity);
  const limit = Math.max(smallestWindow, window);
  const earlier = run.estimate.message({ id: "earlier", role: "user", content: before ?? "" });
  // The instructions of the summary have less than 100 tokens.
  const room = Math.max(1, limit / run.journal.state.tokenRatio - bound - earlier - 100);
  const request = await shortening((part) =>
    part.summaryRequest(before, read, room, {
      estimate: run.estimate,
      views,
      textOf: textOfContent,
      shown: (messages, view) => applyView(messages, view, -1),
    }),
  );
  const answer = await callModelBeside(run, { purpose: "summary", model: summarizer, ...request, maxTokens: bound });
  const text = answer?.text.trim() ?? "";
  if (text === "") {
    warnOfCut(run, dropped.length, `${summarizer.provider}/${summarizer.modelId} wrote no summary`, "summary");
    return before;
  }
  // A summary that grows with each round would end up larger than the messages that it replaces.
  return strippedSummary(run, text.slice(0, bound * 4));
}

/** [sanitize.by-label] A summary is a model's text about other people's text: it is cleaned, but not framed. */
async function strippedSummary({ agent, nonce }: Run, text: string): Promise<string> {
  const treated = await agent.sanitizer?.inbound(text, { policy: "detect-and-strip", toolName: "summary", nonce });
  return treated === undefined ? text : textOfContent(treated.content);
}

/** Warns that a part of the conversation is no longer shown, and why. */
export function warnOfCut(run: Run, count: number, why: string, subject: string): void {
  const message = `${count} message(s) of run ${run.runId} were left out of the request or shortened without a summary: ${why}. Set "contextCompactor" to keep the conversation below the model's limit.`;
  run.warn({ code: "context_trimmed", message, subject });
  run.logger.warn(message);
}

/** Warns that the run has asked for as many summaries as its turns allow, and names a strategy that needs fewer. */
export function warnOfManySummaries(
  run: Run,
  { strategy, maxContextTokens }: ContextCompactorConfig,
  summaries: number,
): void {
  const instead =
    strategy === "summarize"
      ? 'Use strategy "hybrid", which shortens old results before it asks for a summary'
      : "Lower maxResultTokens of the tools";
  const message = `Run ${run.runId} asked for ${summaries} summaries in ${run.journal.state.turn} turns. Until it has made more turns, old results are shortened and old messages are left out without a summary. ${instead}, or raise contextCompactor.maxContextTokens (${maxContextTokens}).`;
  run.warn({ code: "summaries_limited", message, subject: "contextCompactor" });
  run.logger.warn(message);
}
