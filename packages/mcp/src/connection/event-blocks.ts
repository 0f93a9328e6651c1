import { answersAnother, isAnswer } from "./own-answers.ts";

/** The part of an event stream that has arrived: only complete events are passed on. */
export interface EventBlocks {
  /**
   * Takes a piece, split anywhere. Returns the text of the events that it completes, without answers to other requests.
   */
  push(bytes: Uint8Array): string;
  /** Drops the incomplete event of a broken stream. */
  drop(): void;
  /** Id of the last event that had one. */
  readonly lastId: string | undefined;
  /** Delay before the stream is opened again, as the server requests it, in milliseconds. */
  readonly retryMs: number | undefined;
  /** True if the answer to the stream's request has arrived. */
  readonly isAnswered: boolean;
  /** Messages that came. */
  readonly messages: number;
}

/** Two line ends: an event is complete. */
const blank = /(?:\r\n|\n|\r(?!\n)){2}/gu;

/**
 * Reads the parts of an event stream that its resumption needs: the ids of its events, the server's `retry`, and the
 * answer.
 *
 * @param requestId - Id of the request that the stream answers; `undefined` for a server's own stream, which never ends well.
 */
export function eventBlocks(requestId: string | number | undefined): EventBlocks {
  let decoder = new TextDecoder();
  let rest = "";
  let lastId: string | undefined;
  let retryMs: number | undefined;
  let isAnswered = false;
  let messages = 0;

  /** True if the event is passed on. */
  const read = (block: string): boolean => {
    const data: string[] = [];
    for (const line of block.split(/\r\n|\n|\r/u)) {
      const [, field, value = ""] = /^(id|retry|data)(?:: ?(.*))?$/u.exec(line) ?? [];
      if (field === "id" && !value.includes("\0")) lastId = value === "" ? undefined : value;
      else if (field === "retry" && /^\d{1,10}$/u.test(value)) retryMs = Math.min(Number(value), 2 ** 31 - 1);
      else if (field === "data") data.push(value);
    }
    if (data.join("") === "") return true;
    messages += 1;
    if (requestId === undefined) return true;
    const message = parsed(data.join("\n"));
    if (answersAnother(requestId, message)) return false;
    if (isAnswer(message)) isAnswered = true;
    return true;
  };

  return {
    push(bytes) {
      const searchFrom = Math.max(0, rest.length - 3);
      rest += decoder.decode(bytes, { stream: true });
      blank.lastIndex = searchFrom;
      let end = 0;
      let complete = "";
      for (let found = blank.exec(rest); found !== null; found = blank.exec(rest)) {
        if (read(rest.slice(end, found.index))) complete += rest.slice(end, blank.lastIndex);
        end = blank.lastIndex;
      }
      rest = rest.slice(end);
      return complete;
    },
    drop() {
      rest = "";
      decoder = new TextDecoder();
    },
    get lastId() {
      return lastId;
    },
    get retryMs() {
      return retryMs;
    },
    get isAnswered() {
      return isAnswered;
    },
    get messages() {
      return messages;
    },
  };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
