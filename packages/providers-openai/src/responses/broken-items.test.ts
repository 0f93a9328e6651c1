import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type { AssistantMessage } from "@bailiwick/core";
import { jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { user } from "../ask.fixture.ts";
import { replaying } from "../replay.fixture.ts";

/** The input after an answer that was interrupted with these items. */
async function inputAfter(...items: readonly { readonly [key: string]: string | null }[]): Promise<unknown> {
  const sent: unknown[] = [];
  const answer = new TextEncoder().encode(
    JSON.stringify({ id: "resp_1", status: "completed", model: "gpt-5.5", output: [] }),
  );
  const model = replaying("gpt-5.5", {}, answer, {}, sent);
  const broken: AssistantMessage = {
    id: "a",
    role: "assistant",
    content: items.map((item) => ({
      type: "hosted_tool",
      toolCallId: item["id"] ?? "",
      toolName: "t",
      providerState: { id: item["id"] ?? "", item },
    })),
    toolCalls: [],
    finishReason: "error",
    partial: true,
    provenance: { provider: model.provider, api: model.api, model: model.modelId },
  };
  await model.generate({ messages: compileHistory([user("Hi"), broken, user("And?")], historyTarget(model)).messages });
  return (jsonAt(sent[0], "input") as readonly unknown[]).slice(1, -1);
}

const noted = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});

test("an item interrupted by a broken stream is sent back as a text that names it [providers.openai-responses.broken-item]", async () => {
  const picture = { type: "image_generation_call", id: "ig_1", status: "in_progress", result: null };
  expect(await inputAfter(picture)).toEqual([noted("[image_generation_call broke off]")]);
});

test("a command is sent back with its output, and as text without it [providers.openai-responses.broken-item]", async () => {
  const call = { type: "shell_call", id: "sh_1", status: "completed", call_id: "c" };
  const output = { type: "shell_call_output", id: "so_1", status: "completed", call_id: "c" };
  expect(await inputAfter(call, output)).toEqual([call, output]);
  expect(await inputAfter(call)).toEqual([noted("[shell_call broke off]")]);
  expect(await inputAfter(call, { ...output, status: "in_progress" })).toEqual([
    noted("[shell_call broke off]"),
    noted("[shell_call_output broke off]"),
  ]);
});

test.each(["computer_call", "local_shell_call", "apply_patch_call"])(
  "a %s that was not executed is sent back as text: the vendor refuses it without its output [providers.openai-responses.broken-item]",
  async (type) => {
    const call = { type, id: "x_1", status: "completed", call_id: "c" };
    const output = { type: `${type}_output`, id: "xo_1", status: "completed", call_id: "c" };
    expect(await inputAfter(call)).toEqual([noted(`[${type} broke off]`)]);
    expect(await inputAfter(call, output)).toEqual([call, output]);
  },
);
