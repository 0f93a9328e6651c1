import { readUIMessageStream, uiMessageChunkSchema, type UIMessage, type UIMessageChunk } from "ai";
import { expect } from "vitest";
import type { UiChunk } from "./ui-chunk.ts";

/** Fails unless the AI SDK's own schema accepts each chunk, as its clients check them: after JSON. */
async function expectValid(chunks: readonly UiChunk[]): Promise<UIMessageChunk[]> {
  const schema = uiMessageChunkSchema();
  const wire = JSON.parse(JSON.stringify(chunks)) as unknown[];
  for (const chunk of wire) {
    const checked = await schema.validate?.(chunk);
    if (checked?.success !== true)
      expect.fail(`The AI SDK refuses ${JSON.stringify(chunk)}: ${String(checked?.error)}`);
  }
  return wire as UIMessageChunk[];
}

/** The message that the AI SDK's client makes from chunks; `errors` contains the errors that it received. */
export async function readMessage(
  chunks: readonly UiChunk[],
): Promise<{ message: UIMessage | undefined; errors: string[] }> {
  const wire = await expectValid(chunks);
  const errors: string[] = [];
  let message: UIMessage | undefined;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of wire) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const state of readUIMessageStream({ stream, onError: (error) => errors.push(String(error)) }))
    message = state;
  return { message: message === undefined ? undefined : (JSON.parse(JSON.stringify(message)) as UIMessage), errors };
}
