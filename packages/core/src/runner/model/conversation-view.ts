import { applyView } from "../../context/compact.ts";
import type { Message, ToolMessage } from "../../contracts/message.ts";
import type { Run } from "../run.ts";

/**
 * The request of the last answer, as far as the journal has it: a process that continues with the calls of an answer
 * has made no request. It does not contain instructions from a function, memories, and changes by hooks.
 */
export function answeredView(run: Pick<Run, "journal" | "settings">): readonly Message[] {
  const { messages, compaction, firstOwnMessage } = run.journal.state;
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  const before = answer < firstOwnMessage ? messages : messages.slice(0, answer);
  const view = compaction === undefined ? before : applyView(before, compaction, firstOwnMessage);
  const { instructions } = run.settings;
  if (typeof instructions !== "string" || instructions === "") return view;
  return [{ id: "instructions", role: "system", content: instructions }, ...view];
}

/**
 * The conversation for an agent that takes it over in a call: the messages of the journal, then a result for each call
 * that has none. It does not contain changes by hooks, instructions and memories, so it is the same in a live run, in a
 * resumed one and in a fork.
 */
export function handedConversation(
  run: Pick<Run, "journal">,
  toolCallId: string,
  agentName: string,
): readonly Message[] {
  const { state } = run.journal;
  const open = state.turnCalls.flatMap((key): ToolMessage[] => {
    const call = state.calls.get(key);
    if (call === undefined || call.result !== undefined) return [];
    const taken = call.toolCallId === toolCallId;
    return [
      {
        id: `${call.toolCallId}-handed`,
        role: "tool",
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        content: taken
          ? `The conversation was handed over to "${agentName}", who answers from here on.`
          : "Not run: the conversation was handed over in the same turn.",
        ...(!taken && { isError: true }),
      },
    ];
  });
  return [...currentView(run), ...open].filter(({ role }) => role !== "system");
}

/** The conversation as the last shortening left it. */
export function currentView(run: Pick<Run, "journal">): readonly Message[] {
  const { messages, compaction, firstOwnMessage } = run.journal.state;
  return compaction === undefined ? messages : applyView(messages, compaction, firstOwnMessage);
}
