/** Turns the bytes of an event stream into the data of its events. */
export interface EventDecoder {
  /**
   * Data of the events that a piece of the body completes.
   *
   * @param bytes - The next piece, split anywhere.
   */
  push(bytes: Uint8Array): readonly string[];
  /** Data of the event that the end of the body completes, and lines that are not an event stream's. */
  end(): { readonly events: readonly string[]; readonly stray: string };
}

/**
 * Starts decoding a stream. Only `data` is read: every vendor repeats the event's name in it. Characters split across
 * pieces arrive whole; line ends may be LF, CRLF or CR.
 */
export function createEventDecoder(): EventDecoder {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string | undefined;
  let stray = "";

  const line = (text: string, events: string[]): void => {
    if (text === "") {
      if (data !== undefined) events.push(data);
      data = undefined;
    } else if (text.startsWith("data:")) {
      const value = text.charCodeAt(5) === 32 ? text.slice(6) : text.slice(5);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (!isOtherField(text)) {
      stray += `${text}\n`;
    }
  };

  const feed = (text: string, last: boolean): string[] => {
    const events: string[] = [];
    const buffer = rest === "" ? text : rest + text;
    let start = 0;
    // Looked for once: most streams have none, and each look reads the whole buffer.
    let carriage = buffer.indexOf("\r");
    for (;;) {
      if (carriage !== -1 && carriage < start) carriage = buffer.indexOf("\r", start);
      let at = buffer.indexOf("\n", start);
      let width = 1;
      if (carriage !== -1 && (at === -1 || carriage < at)) {
        // A CR at the end may be half of a CRLF.
        if (carriage === buffer.length - 1 && !last) break;
        width = buffer.charCodeAt(carriage + 1) === 10 ? 2 : 1;
        at = carriage;
      }
      if (at === -1) break;
      line(buffer.slice(start, at), events);
      start = at + width;
    }
    rest = buffer.slice(start);
    return events;
  };

  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true }), false),
    end() {
      const events = feed(decoder.decode(), true);
      if (rest !== "") line(rest, events);
      rest = "";
      line("", events);
      return { events, stray: stray.trim() };
    },
  };
}

/** Comments, and fields whose content every vendor repeats in the data. */
function isOtherField(text: string): boolean {
  return (
    text.startsWith(":") ||
    text.startsWith("event") ||
    text.startsWith("id:") ||
    text.startsWith("retry:") ||
    text === "id" ||
    text === "retry"
  );
}
