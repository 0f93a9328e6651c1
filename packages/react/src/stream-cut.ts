/** Time without a byte after which a stream counts as cut: the server sends a comment every 15 seconds. */
const silentMs = 60_000;

/** The last line of a complete stream. */
const endMark = "[DONE]";

/** The connection of a stream broke before its end. The message has the word by which the AI SDK knows such errors. */
export class StreamCutError extends TypeError {
  constructor(options?: ErrorOptions) {
    super("The network connection to the answer broke. Try again.", options);
    this.name = "StreamCutError";
  }
}

/** A cut stream that the page can resume: its run is known, or it is the chat's active run. */
export class ResumableCutError extends StreamCutError {
  /** The run that the stream shows, if it named one. */
  readonly runId: string | undefined;

  constructor(runId: string | undefined, options?: ErrorOptions) {
    super(options);
    this.name = "ResumableCutError";
    this.runId = runId;
  }
}

/**
 * Passes the bytes of a stream of events on. The stream fails with `StreamCutError` if the connection breaks, if it is
 * silent for too long, or if it ends without the mark that ends a complete stream.
 *
 * @param source - The body of the response.
 */
export function checkedStream(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  const text = new TextDecoder();
  let tail = "";
  const next = async (): ReturnType<typeof reader.read> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new StreamCutError()), silentMs);
    });
    try {
      return await Promise.race([reader.read(), silence]);
    } finally {
      clearTimeout(timer);
    }
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller): Promise<void> {
        try {
          const { done, value } = await next();
          if (done) {
            if (!tail.trimEnd().endsWith(endMark)) throw new StreamCutError();
            controller.close();
            return;
          }
          tail = (tail + text.decode(value, { stream: true })).slice(-2 * endMark.length);
          controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          controller.error(error instanceof StreamCutError ? error : new StreamCutError({ cause: error }));
          await reader.cancel().catch(() => undefined);
        }
      },
      async cancel(reason): Promise<void> {
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
