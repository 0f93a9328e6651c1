import type { useChat } from "@ai-sdk/react";
import type { ChatTransport, UIMessage } from "ai";
import { expectTypeOf, test } from "vitest";
import { useAgentChat, type AgentChat, type AgentTransport, type OpenInterruption } from "./index.ts";

interface Metadata {
  readonly runId: string;
}
type MyMessage = UIMessage<Metadata>;

test("the hooks keep the page's own message type [react.types]", () => {
  expectTypeOf<AgentTransport<MyMessage>>().toExtend<ChatTransport<MyMessage>>();
  expectTypeOf<AgentChat>().toExtend<ReturnType<typeof useChat>>();
  expectTypeOf<AgentChat<MyMessage>["messages"][number]["metadata"]>().toEqualTypeOf<Metadata | undefined>();
  expectTypeOf<Parameters<OpenInterruption["answer"]>>().toEqualTypeOf<[value: unknown]>();
  // @ts-expect-error -- the chat needs an id: the session on the server has it
  void (() => useAgentChat({}));
  // @ts-expect-error -- the transport is made of api, headers and credentials
  void (() => useAgentChat({ id: "c", transport: undefined }));
});
