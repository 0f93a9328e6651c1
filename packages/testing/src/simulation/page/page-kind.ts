import type { PageAction } from "../world/fault.ts";

/** A part of a message that a page shows: the parts of a `UIMessage` of the AI SDK have these fields. */
export interface PagePart {
  /** Such as `text` or `tool-pay`. */
  readonly type: string;
  /** Text of a text part. */
  readonly text?: string | undefined;
  /** Id of a call. */
  readonly toolCallId?: string | undefined;
  /** State of a call, such as `output-available`. */
  readonly state?: string | undefined;
  /** Question of a call. */
  readonly approval?: { readonly id: string } | undefined;
}

/** A message that a page shows, such as a `UIMessage` of the AI SDK. */
export interface PageMessage {
  /** Id of the message; that of an answer is the id of its run. */
  readonly id: string;
  /** Author of the message. */
  readonly role: "system" | "user" | "assistant";
  /** Its parts. */
  readonly parts: readonly PagePart[];
}

/** A message that a user writes. */
export interface WrittenMessage {
  /** Text of the message. */
  readonly text: string;
  /** Images, as data URLs. */
  readonly files?: readonly { readonly type: "file"; readonly mediaType: string; readonly url: string }[] | undefined;
}

/** A page of a chat in a simulated browser. */
export interface SimulatedPage {
  /** Messages that it shows. */
  readonly messages: readonly PageMessage[];
  /** State of its last request. */
  readonly status: "submitted" | "streaming" | "ready" | "error";
  /** Error that it shows. */
  readonly error: Error | undefined;
  /**
   * Sends a message.
   *
   * @param message - The message.
   * @param editedId - Id of the user message that it replaces.
   */
  send(message: WrittenMessage, editedId?: string): Promise<void>;
  /** Asks for another answer to the last message. */
  regenerate(): Promise<void>;
  /** Sends what failed once more. */
  retry(): Promise<void>;
  /** Shows what other tabs and people did, when the user comes back to the page. */
  readonly look?: (() => Promise<void>) | undefined;
  /** Stops the answer. */
  stop(): Promise<void>;
  /**
   * Answers the question of the last message.
   *
   * @param question - Id of the question, its run, and the id of the message part.
   * @param isApproved - The answer.
   */
  decide(
    question: { readonly id: string; readonly runId: string; readonly partId: string },
    isApproved: boolean,
  ): Promise<void>;
}

/** A simulated browser that opens a page. */
export interface PageHost {
  /** Address of the routes, such as `https://chat.example/api`. */
  readonly api: string;
  /** Id of the chat. */
  readonly chatId: string;
  /** Messages that the server gave the page. */
  readonly messages: readonly PageMessage[];
  /** True if a run of the chat is active or waits. */
  readonly isActive: boolean;
}

/** A kind of page. */
export interface PageKind {
  /**
   * Opens the page.
   *
   * @param host - The browser.
   */
  open(host: PageHost): SimulatedPage;
  /** True if each request has the new message only, so that its size must not grow with the chat. */
  readonly hasShortRequests: boolean;
}

/** The part of a simulation that belongs to a chat, after its check. */
export interface CheckedChat {
  readonly page: PageKind;
  readonly tabs: number;
  readonly steps: number;
  readonly texts: readonly string[];
  readonly actions: readonly PageAction[];
  readonly api: string;
}
