/** Turns the bytes of an event stream into the data of its events. */
export interface EventDecoder {
  /**
   * Data of the events that a piece of the body completes.
   *
   * @param bytes - The next piece, split anywhere.
   */
  push(bytes: Uint8Array): readonly string[];
  /** Returns the event that the end of the body completes, and the lines that do not belong to an event stream. */
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

  /** Reads the line between two positions of a text; only data is copied. */
  const line = (text: string, from: number, to: number, events: string[]): void => {
    if (from === to) {
      if (data !== undefined) events.push(data);
      data = undefined;
    } else if (text.startsWith("data:", from)) {
      const value = text.slice(text.charCodeAt(from + 5) === 32 ? from + 6 : from + 5, to);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (!isOtherField(text, from, to)) {
      stray += `${text.slice(from, to)}\n`;
    }
  };

  const feed = (text: string, last: boolean): string[] => {
    const events: string[] = [];
    const buffer = rest === "" ? text : rest + text;
    let start = 0;
    // Searched once: most streams have none, and each search reads the whole buffer.
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
      line(buffer, start, at, events);
      start = at + width;
    }
    rest = buffer.slice(start);
    return events;
  };

  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true }), false),
    end() {
      const events = feed(decoder.decode(), true);
      if (rest !== "") line(rest, 0, rest.length, events);
      rest = "";
      line("", 0, 0, events);
      return { events, stray: stray.trim() };
    },
  };
}

/** Comments, and fields whose content every vendor repeats in the data. */
function isOtherField(text: string, from: number, to: number): boolean {
  return (
    text.startsWith("event", from) ||
    text.startsWith(":", from) ||
    text.startsWith("id:", from) ||
    text.startsWith("retry:", from) ||
    (text.startsWith("id", from) && to === from + 2) ||
    (text.startsWith("retry", from) && to === from + 5)
  );
}
