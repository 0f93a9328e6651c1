import type { UseChatHelpers } from "@ai-sdk/react";
import type { Decision, InterruptionData } from "@bailiwick/core";
import { isToolUIPart, type UIMessage } from "ai";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { abortedBy, AgentRequestError, isWithheld } from "./agent-client.ts";
import { untilAnswered } from "./until-answered.ts";
import type { AgentTransport } from "./use-agent-transport.ts";

/** Scope of a decision: this call, or later ones too. */
interface Remembered {
  readonly remember?: "call" | "tool" | "values" | undefined;
}

/** A question that a run waits for, with its answers. Show its `question`. */
export interface OpenInterruption extends InterruptionData {
  /** True after `acknowledge()`. */
  readonly isAcknowledged: boolean;
  /**
   * Records that the person has seen the level of a suspicious question and has checked its values. Without it, the
   * server refuses `approve()` with `SUSPICIOUS_NOT_ACKNOWLEDGED`. Call it from a separate act, such as a checkbox.
   *
   * @param isChecked - `false` takes it back; default `true`.
   */
  acknowledge(isChecked?: boolean): void;
  /**
   * Lets the call run, with other arguments if given.
   *
   * @param options - `args` replaces the arguments, and `remember` answers later calls too.
   */
  approve(options?: Remembered & { readonly args?: unknown }): Promise<void>;
  /**
   * Rejects the call; the model reads the reason.
   *
   * @param reason - Text for the model.
   * @param options - `remember` rejects later calls too.
   */
  reject(reason?: string, options?: Remembered): Promise<void>;
  /**
   * Answers the question of a tool.
   *
   * @param value - The answer, in the form of `answerJsonSchema`.
   */
  answer(value: unknown): Promise<void>;
  /**
   * The uncertain effect happened, with this output.
   *
   * @param output - The output of the effect, as the tool would have returned it.
   */
  itHappened(output?: unknown): Promise<void>;
  /** The uncertain effect did not happen: the call is run again. */
  itDidNotHappen(): Promise<void>;
  /**
   * The outcome stays unknown, and the model reads that.
   *
   * @param reason - Text for the model.
   */
  giveUp(reason?: string): Promise<void>;
}

/** Questions of one turn that differ only in their values: one card. A single question is a batch of one. */
export interface OpenBatch {
  /** Decide one of them alone to take it out of the batch. */
  readonly interruptions: readonly OpenInterruption[];
  /**
   * Lets each call of the batch run, with the values that it shows.
   *
   * @param options - `remember` answers later calls too.
   */
  approve(options?: Remembered): Promise<void>;
  /**
   * Rejects each call of the batch; the model reads the reason.
   *
   * @param reason - Text for the model.
   * @param options - `remember` rejects later calls too.
   */
  reject(reason?: string, options?: Remembered): Promise<void>;
}

/** The questions of a chat. */
export interface OpenInterruptions {
  /** The open questions. */
  readonly interruptions: readonly OpenInterruption[];
  /** The same approvals, as cards. */
  readonly batches: readonly OpenBatch[];
  /** The last error of loading or deciding; a failed decision rejects too. */
  readonly error: Error | undefined;
  /** True while a decision is sent. */
  readonly isDeciding: boolean;
}

/** The parts of `useChat` that the hook needs. */
type ChatParts<Message extends UIMessage> = Pick<UseChatHelpers<Message>, "messages" | "status" | "resumeStream">;

/**
 * Returns the questions that the runs of a chat wait for, from the server, with functions that answer them. A decision
 * continues the run, and the chat follows it.
 *
 * @param chat - The helpers of `useChat`.
 * @param transport - The transport of that chat.
 * @example
 * ```ts
 * import { useChat } from "@ai-sdk/react";
 * import { useAgentTransport, useInterruptions, type OpenInterruptions } from "@bailiwick/react";
 *
 * export function useOpenQuestions(id: string): OpenInterruptions {
 *   const transport = useAgentTransport({ id });
 *   return useInterruptions(useChat({ id, transport, resume: true }), transport);
 * }
 * ```
 */
export function useInterruptions<Message extends UIMessage>(
  chat: ChatParts<Message>,
  transport: AgentTransport<Message>,
): OpenInterruptions {
  const { messages, status, resumeStream } = chat;
  const [loaded, setLoaded] = useState<Loaded>({ found: [] });
  const [error, setError] = useState<Error | undefined>();
  const [loadError, setLoadError] = useState<Error | undefined>();
  const [decisions, setDecisions] = useState(0);
  const [refusals, setRefusals] = useState(0);
  const [acknowledged, setAcknowledged] = useState<ReadonlySet<string>>(new Set());
  const isAtWork = status === "submitted" || status === "streaming";
  const ends = useEnds(isAtWork);
  // Open questions change with the messages: they are loaded with a new question and after each stream, not with
  // each chunk. A stream that brings nothing, or does not come, keeps no question from the person.
  const open = JSON.stringify(messages.flatMap(openQuestions));

  useEffect(() => {
    const left = new AbortController();
    const runIds = [...new Set((JSON.parse(open) as [string, string][]).map(([runId]) => runId))];
    const load = async (runId: string): Promise<readonly InterruptionData[]> =>
      untilAnswered(async (limit) => abortedBy(transport.client, limit).interruptions(runId), {
        signal: left.signal,
        onFailure: (failure) => {
          if (!left.signal.aborted) setLoadError(failure);
        },
      });
    void Promise.all(runIds.map(load)).then(
      (found) => {
        if (left.signal.aborted) return;
        setLoaded({ of: open, transport, found: found.flat() });
        setLoadError(undefined);
      },
      (failure: Error) => {
        if (left.signal.aborted) return;
        // The server no longer shows the questions to this caller, for example after a sign-out.
        if (isWithheld(failure)) setLoaded({ of: open, transport, found: [] });
        setLoadError(failure);
      },
    );
    return () => left.abort();
  }, [open, transport, refusals, ends]);

  const follow = useFollowing(isAtWork, transport, resumeStream);
  const decide = useCallback(
    async (runId: string, made: readonly Decision[]): Promise<void> => {
      setDecisions((count) => count + 1);
      setError(undefined);
      try {
        await transport.client.decide(
          runId,
          made.map((one) =>
            one.type === "approve" && acknowledged.has(one.id) ? { ...one, acknowledged: "suspicious" } : one,
          ),
        );
        setLoaded(({ found, ...before }) => ({
          ...before,
          found: found.filter(({ id }) => !made.some((decision) => decision.id === id)),
        }));
      } catch (failure) {
        setError(failure as Error);
        if (failure instanceof AgentRequestError) {
          setRefusals((count) => count + 1);
          // Another tab or person decided it: the chat follows the run.
          if (failure.code === "DECISION_USED") void follow(runId);
        }
        throw failure;
      } finally {
        setDecisions((count) => count - 1);
      }
      await follow(runId);
    },
    [transport, follow, acknowledged],
  );
  const acknowledge = useCallback((id: string, isChecked: boolean): void => {
    setAcknowledged((before) => {
      const next = new Set(before);
      if (isChecked) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);

  const interruptions = useMemo(
    () =>
      // Questions of other messages, such as those of the chat before, are not returned while these load.
      loaded.of === open && loaded.transport === transport
        ? loaded.found.map((data) => ({
            ...withAnswers(data, decide),
            isAcknowledged: acknowledged.has(data.id),
            acknowledge: (isChecked = true) => acknowledge(data.id, isChecked),
          }))
        : [],
    [open, transport, loaded, decide, acknowledge, acknowledged],
  );
  const batches = useMemo(() => batchesOf(interruptions, decide), [interruptions, decide]);
  return { interruptions, batches, error: error ?? loadError, isDeciding: decisions > 0 };
}

/** Number of streams that ended. */
function useEnds(isAtWork: boolean): number {
  const [ends, setEnds] = useState(0);
  useEffect(() => (isAtWork ? () => setEnds((count) => count + 1) : undefined), [isAtWork]);
  return ends;
}

/** Makes the chat follow a run: at once, or when the stream that it shows has ended. */
function useFollowing(
  isAtWork: boolean,
  transport: Pick<AgentTransport, "resumeNext">,
  resumeStream: () => Promise<void>,
): (runId: string) => Promise<void> {
  const next = useRef<string | undefined>(undefined);
  const isBusy = useRef(isAtWork);
  isBusy.current = isAtWork;
  const resume = useCallback(async (): Promise<void> => {
    if (isBusy.current || next.current === undefined) return;
    transport.resumeNext(next.current);
    next.current = undefined;
    await resumeStream();
  }, [transport, resumeStream]);
  useEffect(() => {
    if (!isAtWork) void resume();
  }, [isAtWork, resume]);
  return useCallback(
    async (runId) => {
      next.current = runId;
      await resume();
    },
    [resume],
  );
}

/** Loaded questions, with what they were loaded for. */
interface Loaded {
  readonly of?: string | undefined;
  readonly transport?: unknown;
  readonly found: readonly InterruptionData[];
}

/** The open questions of a message, each with its run. */
function openQuestions({ id, role, parts }: UIMessage): [runId: string, question: string][] {
  if (role !== "assistant") return [];
  return parts.flatMap((part): [string, string][] => {
    if (isToolUIPart(part)) return part.state === "approval-requested" ? [[id, part.approval.id]] : [];
    if (part.type !== "data-interruption") return [];
    const { interruption, settled } = part.data as { interruption: InterruptionData; settled: boolean };
    return settled ? [] : [[id, interruption.id]];
  });
}

/** An answer to an approval, without the question that it answers. */
type Approval =
  | (Remembered & { readonly type: "approve" })
  | (Remembered & { readonly type: "reject"; readonly reason?: string });

type Decide = (runId: string, made: readonly Decision[]) => Promise<void>;

function batchesOf(interruptions: readonly OpenInterruption[], decide: Decide): readonly OpenBatch[] {
  const cards = new Map<string, OpenInterruption[]>();
  for (const one of interruptions) {
    if (one.kind !== "approval") continue;
    const card = one.batch ?? one.id;
    cards.set(card, [...(cards.get(card) ?? []), one]);
  }
  return [...cards.values()].map((members) => {
    const all = async (answer: Approval): Promise<void> =>
      decide(
        members[0]?.runId ?? "",
        members.map(({ id, token }) => ({ id, ...(token !== undefined && { token }), ...answer })),
      );
    return {
      interruptions: members,
      approve: async ({ remember } = {}) => all({ type: "approve", ...(remember !== undefined && { remember }) }),
      reject: async (reason, { remember } = {}) =>
        all({
          type: "reject",
          ...(reason !== undefined && { reason }),
          ...(remember !== undefined && { remember }),
        }),
    };
  });
}

function withAnswers(
  data: InterruptionData,
  decideAll: Decide,
): Omit<OpenInterruption, "isAcknowledged" | "acknowledge"> {
  const { id, runId, token } = data;
  const decide = async (of: string, decision: Decision): Promise<void> => decideAll(of, [decision]);
  const base = { id, ...(token !== undefined && { token }) };
  return {
    ...data,
    approve: async ({ args, remember } = {}) =>
      decide(runId, {
        ...base,
        type: "approve",
        ...(args !== undefined && { args }),
        ...(remember !== undefined && { remember }),
      }),
    reject: async (reason, { remember } = {}) =>
      decide(runId, {
        ...base,
        type: "reject",
        ...(reason !== undefined && { reason }),
        ...(remember !== undefined && { remember }),
      }),
    answer: async (value) => decide(runId, { ...base, type: "answer", value }),
    itHappened: async (output) =>
      decide(runId, { ...base, type: "it_happened", ...(output !== undefined && { output }) }),
    itDidNotHappen: async () => decide(runId, { ...base, type: "it_did_not_happen" }),
    giveUp: async (reason) => decide(runId, { ...base, type: "give_up", ...(reason !== undefined && { reason }) }),
  };
}
