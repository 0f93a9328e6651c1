import { createAgentRuntime, memoryStore, type AgentOptions, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ChatState,
  type ChatStatus,
  type UIMessage,
} from "ai";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

/** The state of a chat without a framework around it. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[];
  constructor(messages: UIMessage[]) {
    this.messages = messages;
  }
  pushMessage = (message: UIMessage): void => void this.messages.push(message);
  popMessage = (): void => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage): void => void this.messages.splice(index, 1, message);
  snapshot = <Value>(value: Value): Value => structuredClone(value);
}

/** The AI SDK's chat without React. */
class PlainChat extends AbstractChat<UIMessage> {}

/** The id of the chat in these tests. */
export const chatId = "chat-1-of-a-test-page";

/** Opens a page with the AI SDK's own chat; `resume` is another address of the stream that it resumes. */
export function openPage(
  fetch: typeof globalThis.fetch,
  messages: UIMessage[] = [],
  id: string = chatId,
  resume?: string,
): PlainChat {
  return new PlainChat({
    id,
    state: new PlainState(structuredClone(messages)),
    transport: new DefaultChatTransport({
      api: "/chat",
      fetch,
      headers: { "x-ai-sdk-major": "7" },
      ...(resume !== undefined && { prepareReconnectToStreamRequest: () => ({ api: resume }) }),
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

/** A chat as `GET /chat/:id` gives it. */
export interface LoadedChat {
  readonly id: string;
  readonly title?: string;
  readonly branch: string;
  readonly activeStreamId: string | null;
  readonly messages: UIMessage[];
}

/** An agent with its routes, and the pages that are open on it. */
export interface ServedChat {
  readonly agent: AgentRuntime;
  readonly store: RunStore;
  /** Amounts that were paid. */
  readonly paid: readonly number[];
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  /** Names the user of the requests from here on. */
  readonly as: (name: string | undefined) => void;
  /** A page that was opened with these messages; `resume` is another address of the stream that it resumes. */
  readonly page: (messages?: UIMessage[], id?: string, resume?: string) => PlainChat;
  readonly load: (id?: string) => Promise<LoadedChat>;
}

/** Serves an agent with a tool that pays, and opens pages on it. */
export function serveChat(
  steps: Parameters<typeof scriptedModel>[0],
  given: {
    readonly agent?: Partial<AgentOptions>;
    readonly routes?: Partial<RunRoutesOptions>;
    readonly store?: RunStore;
    /** Makes the agent; default: without a flow policy. */
    readonly make?: (options: AgentOptions) => AgentRuntime;
  } = {},
): ServedChat {
  const { pay, paid } = payTool();
  const store = given.store ?? memoryStore();
  const agent = (given.make ?? createAgentRuntime)({
    name: "clerk",
    model: scriptedModel(steps),
    tools: [pay],
    store,
    session: store.sessions,
    ...given.agent,
  });
  const app = runRoutes({ agent, store, pollMs: 5, ...given.routes });
  let user: string | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) =>
    app.fetch(
      new Request(new URL(input instanceof Request ? input.url : input, "http://localhost"), {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...(user !== undefined && { "x-user": user }) },
      }),
    );
  const send: ServedChat["send"] = async (method, path, body, headers) =>
    fetch(path, {
      method,
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    });
  return {
    agent,
    store,
    paid,
    send,
    as(name: string | undefined): void {
      user = name;
    },
    page: (messages, id, resume) => openPage(fetch, messages, id, resume),
    load: async (id = chatId): Promise<LoadedChat> => (await send("GET", `/chat/${id}`)).json() as Promise<LoadedChat>,
  };
}

/** The texts of a chat, a line a message: what a person sees of it. */
export function seen(messages: readonly UIMessage[]): string[] {
  return messages.map(({ role, parts }) => {
    const shown = parts.flatMap((part) => {
      if (part.type === "text") return [part.text];
      return "state" in part && "toolCallId" in part ? [`[${part.type.slice(5)}: ${part.state}]`] : [];
    });
    return `${role}: ${shown.join(" ")}`;
  });
}

/** The id of the approval that a message waits for. */
export function approvalIn(message: UIMessage | undefined): string {
  const part = message?.parts.findLast((one) => "approval" in one && one.state === "approval-requested");
  return part !== undefined && "approval" in part ? (part.approval?.id ?? "") : "";
}
