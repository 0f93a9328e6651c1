import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import type { RunRow } from "../desk-api.ts";
import { runStreamPath } from "./api.ts";

/** A message of the conversation about a mail. */
export type DeskMessage = UIMessage;

/** The person's request, as the first message of a run. */
export function userMessage(run: RunRow): DeskMessage {
  return { id: `${run.runId}:user`, role: "user", parts: [{ type: "text", text: run.input }] };
}

/**
 * The messages of earlier runs, read again from their journals.
 *
 * @param runs - Oldest first; all of them ended.
 */
export async function readConversation(runs: readonly RunRow[]): Promise<DeskMessage[]> {
  const pairs = await Promise.all(runs.map(async (run) => [userMessage(run), await readRun(run.runId)]));
  return pairs.flat().filter((message) => message !== null);
}

async function readRun(runId: string): Promise<DeskMessage | null> {
  const transport = new DefaultChatTransport<DeskMessage>({
    prepareReconnectToStreamRequest: () => ({ api: runStreamPath(runId) }),
  });
  const stream = await transport.reconnectToStream({ chatId: runId });
  if (stream === null) return null;
  let message: DeskMessage | null = null;
  for await (const state of readUIMessageStream<DeskMessage>({
    stream,
    terminateOnError: false,
    onError: () => undefined,
  }))
    message = state;
  return message === null ? null : { ...message, id: runId };
}
