import { isJsonObject, jsonText, wellFormedJson } from "@bailiwick/core/provider";
import type { ModelRequest } from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";
import type { Client } from "../client.ts";
import { saysUnreadable } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import { messagesRequest, type BuiltRequest } from "./request.ts";
import { isPause } from "./blocks.ts";
import type { MessageObject } from "./response.ts";

/** A request and those that continue its answer. */
export interface Exchange {
  /** The request as it was last built: a refusal of the vendor changes it. */
  readonly built: () => BuiltRequest;
  /** Sends the request; if the vendor refuses a feature that can be dropped, sends it again without it. */
  begin(controller: AbortController): Promise<Response>;
  /**
   * Sends the received part of the answer back, for the vendor to continue it.
   *
   * @param messages - The received messages, in order.
   */
  goOn(messages: readonly MessageObject[], controller: AbortController): Promise<Response>;
  /** True if its answer can pause. */
  readonly mayPause: boolean;
  /**
   * True if the vendor paused the answer, so that another request continues it.
   *
   * @param messages - The received messages, in order.
   */
  pauses(messages: readonly MessageObject[]): boolean;
}

/**
 * Prepares a request.
 *
 * @param request - The request, its messages compiled for this model.
 * @param context - The model.
 * @param client - Where to.
 * @param stream - True if the answer is streamed.
 */
export function startExchange(request: ModelRequest, context: ModelContext, client: Client, stream: boolean): Exchange {
  let built = messagesRequest(request, context, stream);
  // Only the vendor's own tools and compactions make an answer pause.
  const mayPause = built.tools.hosted.length > 0 || "context_management" in built.body;
  const send = (body: object, controller: AbortController): Promise<Response> =>
    client.send(body, built.asks, request, controller);
  return {
    built: () => built,
    async begin(controller) {
      for (;;) {
        try {
          return await send(built.body, controller);
        } catch (error) {
          // Each feature is dropped once, so this ends.
          const again =
            context.concessions.learn(error, request, built.without) ||
            (saysUnreadable(error) && context.unreadable.giveUp(request.messages));
          if (!again) throw error;
          built = messagesRequest(request, context, stream);
        }
      }
    },
    goOn: (messages, controller) => send(continued(built.body, messages), controller),
    mayPause,
    pauses: (messages) =>
      mayPause && isPause(messages.at(-1)?.stopReason) && messages.length <= context.maxContinuations,
  };
}

/** The request with the answer so far as its last turn, in the vendor's own container. */
function continued(body: Readonly<Record<string, unknown>>, messages: readonly MessageObject[]): object {
  const content = messages
    .flatMap(({ blocks }) => blocks.map(({ block }) => wellFormedJson(block) as Block))
    .filter(isSendable);
  const turns = body["messages"] as readonly { readonly role: string; readonly content: readonly Block[] }[];
  const last = turns.at(-1);
  // An answer that paused, and was sent back, continues in the same turn.
  const before = last?.role === "assistant" ? turns.slice(0, -1) : turns;
  const begun = last?.role === "assistant" ? last.content : [];
  const container = messages.findLast((message) => isJsonObject(message.container))?.container;
  return {
    ...body,
    messages: [...before, { role: "assistant", content: [...begun, ...content] }],
    ...(isJsonObject(container) ? { container: container["id"] } : {}),
  };
}

function isSendable(block: Block): boolean {
  return block["type"] !== "text" || jsonText(block["text"]).trim() !== "";
}
