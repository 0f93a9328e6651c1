import type { UIMessage } from "ai";
import { expectTypeOf, test } from "vitest";
import type { UiMessage } from "./ui-message.ts";

test("messages of a chat are messages of the AI SDK [server.chat.history]", () => {
  expectTypeOf<UiMessage>().toExtend<UIMessage>();
  expectTypeOf<UiMessage[]>().toExtend<UIMessage[]>();
});
