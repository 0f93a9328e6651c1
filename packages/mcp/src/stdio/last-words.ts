/** How much of what a server says on its error stream is kept, in characters. */
const kept = 2_000;

/** Keeps the end of what a process says. */
export interface LastWords {
  /** The end of it so far, in one line of plain characters; empty when it said nothing. */
  text(): string;
  /** Resolves when there is no more to come. */
  readonly done: Promise<void>;
}

/** Reads a stream to its end and keeps the last words. */
export function lastWordsOf(stream: AsyncIterable<Uint8Array>): LastWords {
  const decoder = new TextDecoder();
  let text = "";
  const read = async (): Promise<void> => {
    try {
      for await (const bytes of stream) text = (text + decoder.decode(bytes, { stream: true })).slice(-kept);
    } catch {
      // The part that was read before the failure is kept.
    }
  };
  return { text: () => plain(text), done: read() };
}

/** An error stream may hold escape sequences; what is shown of it holds none. */
function plain(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- these are what is taken out
      .replaceAll(/\u001B\[[0-9;?]*[ -/]*[@-~]/gu, "")
      .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
      .trim()
  );
}
