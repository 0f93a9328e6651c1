import { expect, test } from "vitest";
import type { ModelResponse } from "@bailiwick/core";
import { look, user } from "./ask.fixture.ts";
import { replaying, whole } from "./replay.fixture.ts";

/** The values that servers write in a field that has no value: most are the zero values of Go. */
const zeros: readonly unknown[] = [null, "", [], {}, { type: "", message: "", code: 0 }];

type Json = Readonly<Record<string, unknown>>;

/** The object at a path of an answer. */
function objectAt(answer: Json, path: readonly string[]): Record<string, unknown> | undefined {
  return path.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], answer) as
    | Record<string, unknown>
    | undefined;
}

const answerWith = (part: Json): Json => ({
  responseId: "r1",
  modelVersion: "gemini-3-flash",
  candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
const answers = [
  answerWith({ text: "Sunny." }),
  answerWith({ functionCall: { id: "c1", name: "look", args: { id: "1" } }, thoughtSignature: "c2ln" }),
];
const candidate = ["candidates", "0"];
const optional: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], ["error", "promptFeedback", "createTime", "message", "status"]],
  [
    candidate,
    ["safetyRatings", "citationMetadata", "groundingMetadata", "urlContextMetadata", "finishMessage", "logprobsResult"],
  ],
  [
    [...candidate, "content", "parts", "0"],
    [
      "inlineData",
      "fileData",
      "executableCode",
      "codeExecutionResult",
      "functionResponse",
      "functionCall",
      "text",
      "videoMetadata",
    ],
  ],
  [["usageMetadata"], ["promptTokensDetails", "cacheTokensDetails", "trafficType"]],
];

function ask(answer: Json): Promise<ModelResponse> {
  return replaying("gemini-3-flash", whole(answer)).generate({ messages: [user("Hi")], tools: [look] });
}

test("the zero value of an optional field is its absence [providers.rule.zero-values]", async () => {
  for (const answer of answers) {
    const { message, usage, warnings } = await ask(answer);
    const ids = message.id.length === 36 ? { id: expect.any(String) as string } : {};
    for (const [path, names] of optional) {
      for (const name of names.filter((one) => !Object.hasOwn(objectAt(answer, path) ?? { [one]: 1 }, one))) {
        for (const value of zeros) {
          const changed = structuredClone(answer);
          Object.assign(objectAt(changed, path) ?? {}, { [name]: value });
          const read = await ask(changed).catch((error: unknown) => error);
          expect({ path, name, value, read }).toMatchObject({
            path,
            name,
            value,
            read: {
              message: { ...message, ...ids, usage: expect.anything() as unknown },
              usage: { ...usage, providerMetrics: expect.anything() as unknown },
              warnings,
            },
          });
        }
      }
    }
  }
});
