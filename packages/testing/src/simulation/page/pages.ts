import { checkArgument } from "@bailiwick/core";
import type { PageKind, PageMessage, SimulatedPage, WrittenMessage } from "./page-kind.ts";

/** The chat of the AI SDK, as far as a page uses it. */
interface SdkChat {
  messages: readonly object[];
  readonly status: SimulatedPage["status"];
  readonly error: Error | undefined;
  sendMessage(message?: object): Promise<void>;
  regenerate(options?: object): Promise<void>;
  stop(): Promise<void>;
  resumeStream(): Promise<void>;
  addToolApprovalResponse(answer: { readonly id: string; readonly approved: boolean }): unknown;
}

/** A class of the AI SDK. */
type SdkClass = abstract new (init: never) => object;

/** The parts of the package `ai` that a page needs, and of `@bailiwick/react`. */
export interface AiSdk {
  /** The class of that name. */
  readonly AbstractChat: SdkClass;
  /** The class of that name. */
  readonly DefaultChatTransport: SdkClass;
  /** The function of that name. */
  readonly lastAssistantMessageIsCompleteWithApprovalResponses: (given: never) => boolean;
  /** `chatRequestBody` of `@bailiwick/react`, for a page that sends the new message alone. */
  readonly chatRequestBody?: ((request: never) => object) | undefined;
}

/** The parts of the packages `ai` and `@bailiwick/react` that a page needs. */
export interface AgentSdk extends Omit<AiSdk, "DefaultChatTransport" | "chatRequestBody"> {
  /** `agentTransport` of `@bailiwick/react`. */
  readonly agentTransport: (options: {
    readonly id: string;
    readonly api: string;
    readonly lastMessageId: () => string | undefined;
  }) => {
    resumeNext(runId: string): void;
    readonly client: {
      interruptions(runId: string): Promise<readonly { readonly id: string; readonly token?: string | undefined }[]>;
      decide(runId: string, decisions: never): Promise<void>;
      chat(chatId: string): Promise<{ readonly messages: readonly object[]; readonly activeStreamId: string | null }>;
    };
  };
}

/** The state of a chat without a framework around it. */
class PlainState {
  status: SimulatedPage["status"] = "ready";
  error: Error | undefined = undefined;
  messages: object[];
  constructor(messages: readonly object[]) {
    this.messages = structuredClone([...messages]);
  }
  pushMessage = (message: object): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: object): void => {
    this.messages = this.messages.with(index, structuredClone(message));
  };
  snapshot = <Value>(value: Value): Value => structuredClone(value);
}

/**
 * A page with `useChat` of the AI SDK, without React: your own `ai` sends the requests. Its user writes once the answer that
 * the page resumed is complete, because `useChat` mixes both streams otherwise.
 *
 * @param sdk - `import * as ai from "ai"`, or these parts of it.
 */
export function aiSdkPage(sdk: AiSdk): PageKind {
  checkArgument(
    (sdk as Partial<AiSdk> | null | undefined)?.DefaultChatTransport,
    "function",
    "aiSdkPage({ useChat, DefaultChatTransport })",
  );
  const Transport = sdk.DefaultChatTransport as unknown as new (init: object) => object;
  const requestBody = sdk.chatRequestBody as ((request: object) => object) | undefined;
  return {
    hasShortRequests: requestBody !== undefined,
    open: ({ api, chatId, messages, isActive }) => {
      const transport = new Transport({
        api: `${api}/chat`,
        headers: { "x-ai-sdk-major": "7" },
        ...(requestBody !== undefined && {
          prepareReconnectToStreamRequest: () => ({ api: `${api}/chat/${chatId}/stream${shownQuery(chat)}` }),
          prepareSendMessagesRequest: ({ body, ...request }: { readonly body?: object }) => ({
            body: { ...body, ...requestBody(request) },
          }),
        }),
      });
      const chat: SdkChat = chatOf(sdk, chatId, messages, transport);
      let isResuming = isActive;
      const opened = (): void => void (isResuming = false);
      if (isActive) void chat.resumeStream().then(opened, opened);
      return pageOf(chat, {
        isOpening: () => isResuming,
        retry: () => chat.regenerate(),
        decide: async ({ partId }, isApproved) => {
          await chat.addToolApprovalResponse({ id: partId, approved: isApproved });
        },
      });
    },
  };
}

/**
 * A page with `useAgentChat` of `@bailiwick/react`, without React: its transport and its client send the requests.
 *
 * @param sdk - `{ ...ai, ...bailiwickReact }`, or these parts of them.
 */
export function agentClientPage(sdk: AgentSdk): PageKind {
  checkArgument(
    (sdk as Partial<AgentSdk> | null | undefined)?.agentTransport,
    "function",
    "agentClientPage({ agentTransport, AbstractChat })",
  );
  return {
    hasShortRequests: true,
    open: ({ api, chatId, messages, isActive }) => {
      const transport = sdk.agentTransport({
        id: chatId,
        api,
        lastMessageId: () => (chat.messages as readonly PageMessage[]).at(-1)?.id,
      });
      const chat: SdkChat = chatOf(sdk, chatId, messages, transport);
      const follow = async (runId: string | undefined): Promise<void> => {
        if (runId !== undefined) transport.resumeNext(runId);
        await chat.resumeStream();
      };
      if (isActive) void chat.resumeStream();
      return pageOf(chat, {
        async look() {
          const { messages: before, status } = chat;
          if (status !== "ready") return;
          const loaded = await transport.client.chat(chatId);
          if (chat.status !== "ready" || chat.messages !== before) return;
          if (JSON.stringify(shownState(loaded.messages)) === JSON.stringify(shownState(before))) return;
          chat.messages = loaded.messages;
          if (loaded.activeStreamId !== null) await chat.resumeStream();
        },
        async retry() {
          const { error } = chat;
          // The hook follows such a stream by itself.
          if (error?.name === "ResumableCutError") await follow((error as { readonly runId?: string }).runId);
          else await chat.regenerate();
        },
        async decide({ id, runId }, isApproved) {
          const open = await transport.client.interruptions(runId);
          const token = open.find((one) => one.id === id)?.token;
          const decision = {
            type: isApproved ? "approve" : "reject",
            id,
            ...(token !== undefined && { token }),
            ...(isApproved && { acknowledged: "suspicious" }),
          };
          try {
            await transport.client.decide(runId, [decision] as never);
          } catch (error) {
            // Another tab decided it: the page follows the run.
            if ((error as { readonly code?: unknown }).code !== "DECISION_USED") throw error;
          }
          await follow(runId);
        },
      });
    },
  };
}

/** The last message that a page shows, for the server. */
function shownQuery(chat: SdkChat): string {
  const id = (chat.messages as readonly PageMessage[]).at(-1)?.id;
  return id === undefined ? "" : `?shown=${id}`;
}

/** The newest message, and the states of all calls. */
function shownState(messages: readonly object[]): readonly unknown[] {
  const shown = messages as readonly PageMessage[];
  return [
    shown.at(-1)?.id,
    shown.flatMap(({ parts }) => parts.flatMap(({ toolCallId, state }) => [toolCallId, state])),
  ];
}

function chatOf(
  sdk: Pick<AiSdk, "AbstractChat" | "lastAssistantMessageIsCompleteWithApprovalResponses">,
  id: string,
  messages: readonly object[],
  transport: object,
): SdkChat {
  const Base = sdk.AbstractChat as unknown as abstract new (init: object) => SdkChat;
  class PlainChat extends Base {}
  return new PlainChat({
    id,
    state: new PlainState(messages),
    transport,
    sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

function pageOf(
  chat: SdkChat,
  { isOpening, ...more }: Pick<SimulatedPage, "retry" | "decide" | "look"> & { readonly isOpening?: () => boolean },
): SimulatedPage {
  return {
    get messages() {
      return chat.messages as readonly PageMessage[];
    },
    get status() {
      return isOpening?.() === true ? "submitted" : chat.status;
    },
    get error() {
      return chat.error;
    },
    send: ({ text, files }: WrittenMessage, messageId?: string) =>
      chat.sendMessage({ text, ...(files && { files }), ...(messageId !== undefined && { messageId }) }),
    regenerate: () => chat.regenerate(),
    stop: () => chat.stop(),
    ...more,
  };
}
