/** Maximum length of a server's error stream that is kept, in characters. */
const kept = 2_000;

/** Keeps the end of a process's output. */
export interface LastWords {
  /** The end so far, in one line of plain characters; empty if there was no output. */
  text(): string;
  /** Resolves at the end of the stream. */
  readonly done: Promise<void>;
}

/** Reads a stream to its end and keeps the end of its text. */
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

/** An error stream may contain escape sequences; they are removed before it is shown. */
function plain(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- these are what is taken out
      .replaceAll(/\u001B\[[0-9;?]*[ -/]*[@-~]/gu, "")
      .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
      .trim()
  );
}
