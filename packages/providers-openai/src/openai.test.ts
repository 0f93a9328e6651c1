import { compileHistory, historyTarget } from "@bailiwick/core";
import type { Message, StreamChunk } from "@bailiwick/core";
import { modelServer } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { openai } from "./index.ts";

const weather = {
  type: "function",
  name: "weather.now",
  description: "The weather.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, unit: { type: "string" } },
    required: ["city"],
  },
  strict: true,
} as const;

for (const api of ["responses", "chat"] as const) {
  test(`[providers.contract] ${api}: a turn with a tool, streamed and whole`, async () => {
    for (const mode of ["generate", "stream"] as const) {
      await using server = await modelServer(({ turn, tools }) =>
        turn === 0
          ? {
              reasoning: "Let me look.",
              toolCalls: [{ name: tools[0]?.name ?? "", arguments: { city: "Oslo", unit: null } }],
            }
          : "It rains in Oslo.",
      );
      const model = openai("gpt-5.5", { api, apiKey: "test-key-123", baseURL: server.baseURL("openai") });
      const messages: Message[] = [
        { id: "s", role: "system", content: "Be brief." },
        { id: "u", role: "user", content: "Weather in Oslo?" },
      ];
      const ask = async () => {
        const request = { messages: compileHistory(messages, historyTarget(model)).messages, tools: [weather] };
        if (mode === "generate") return model.generate(request);
        let last: StreamChunk | undefined;
        for await (const chunk of model.stream(request)) last = chunk;
        if (last?.type !== "finish") throw new Error("no finish");
        return last.response;
      };
      const first = await ask();
      expect(server.requests.map((r) => r.refusedBy)).toEqual([undefined]);
      expect(first.message.toolCalls[0]).toMatchObject({ name: "weather.now" });
      expect(first.message.toolCalls[0]?.input).toEqual({ city: "Oslo" });
      expect(first.finishReason).toBe("tool_calls");
      messages.push(first.message, {
        id: "t",
        role: "tool",
        toolCallId: first.message.toolCalls[0]?.id ?? "",
        toolName: "weather.now",
        content: "Rain",
      });
      const second = await ask();
      expect(server.requests.map((r) => r.refusedBy)).toEqual([undefined, undefined]);
      expect(second.message.content).toMatchObject([{ type: "text", text: "It rains in Oslo." }]);
    }
  });
}
