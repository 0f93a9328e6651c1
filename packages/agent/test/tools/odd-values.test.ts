import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { handoff, type JournalEvent, type Message, type RunInput } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, describe, expect, test } from "vitest";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

class Money {
  readonly cents: number = 500;
}
const circular: Record<string, unknown> = {};
circular["self"] = circular;

/** Values in a field of a part, and the words of the refusal; `undefined` if the journal keeps the value. */
const values: Readonly<Record<string, { readonly value: unknown; readonly refused?: string }>> = {
  "a Map": { value: new Map([["a", 1]]), refused: "a Map" },
  "a Set": { value: new Set([1]), refused: "a Set" },
  "a Date": { value: new Date(0), refused: "a Date" },
  "a class instance": { value: new Money(), refused: "a Money" },
  "an Error": { value: new Error("x"), refused: "an Error" },
  "a RegExp": { value: /x/u, refused: "a RegExp" },
  "a function": { value: () => 1, refused: "a function" },
  "a symbol": { value: Symbol("x"), refused: "a symbol" },
  "a circle": { value: circular, refused: "circular" },
  "an ArrayBuffer": { value: new ArrayBuffer(2), refused: "ArrayBuffer" },
  "a Float64Array": { value: new Float64Array(2), refused: "Float64Array" },
  bytes: { value: new Uint8Array([0, 255, 128]) },
  NaN: { value: Number.NaN },
  "minus zero": { value: -0 },
  "a big integer": { value: 2n ** 70n, refused: "a bigint" },
  "a lone surrogate": { value: "a\ud800b\udc00c" },
  "NUL and control characters": { value: "a\u0000b\u001b[31mc" },
  "an own __proto__": { value: JSON.parse('{"__proto__":{"a":1}}') },
  "an object that looks like a mark": { value: { $bytes: "AA==", $ref: "x" } },
  "a megabyte of text": { value: "é".repeat(500_000) },
};

/** An agent on a file, and the same file as another process has it open. All tests share the two. */
const path = join(mkdtempSync(join(tmpdir(), "odd-")), "runs.db");
const store = sqliteStore({ path, logger: quiet });
const other = sqliteStore({ path, logger: quiet });
const agent = new Agent({ name: "reader", logger: quiet, store, model: scriptedModel(() => "Done.") });
const reader = new Agent({ name: "reader", logger: quiet, store: other, model: scriptedModel([]) });
afterAll(async () => void (await Promise.all([store.close(), other.close()])));

const storedRuns = async (): Promise<readonly string[]> => (await other.listRuns({ limit: 1000 })).map(({ id }) => id);

const partWith = (value: unknown) => ({ type: "text", text: "Look.", extra: { deep: [value] } });

/** Places of a run's input; each gives the recorded value. */
const places: Readonly<
  Record<
    string,
    {
      readonly input: (value: unknown) => RunInput;
      readonly messages?: (value: unknown) => readonly Message[];
      readonly path: string;
      readonly read: (start: Extract<JournalEvent, { type: "run.start" }>) => unknown;
    }
  >
> = {
  "a part of the input": {
    input: (value) => [partWith(value)] as unknown as RunInput,
    path: "extra.deep[0]",
    read: ({ input }) => input[0]?.content[0],
  },
  "the user message of the input": {
    input: (value) => ({ role: "user", id: "u", content: [partWith(value)] }) as unknown as RunInput,
    path: "extra.deep[0]",
    read: ({ input }) => input[0]?.content[0],
  },
  "a given user message": {
    input: () => "And now?",
    messages: (value) => [{ id: "m", role: "user", content: [partWith(value)] }] as unknown as readonly Message[],
    path: "[0].extra.deep[0]",
    read: ({ history }) => history[0]?.content[0],
  },
  "a given result": {
    input: () => "And now?",
    messages: (value) =>
      [
        { id: "m1", role: "user", content: "Look." },
        {
          id: "m2",
          role: "assistant",
          content: [{ type: "tool_call", toolCallId: "c" }],
          toolCalls: [{ id: "c", name: "look", arguments: "{}", input: { deep: [value] } }],
          finishReason: "tool_calls",
          provenance: { provider: "p", api: "a", model: "m" },
        },
        { id: "m3", role: "tool", toolCallId: "c", toolName: "look", content: "blue" },
      ] as unknown as readonly Message[],
    path: "[0].input.deep[0]",
    read: ({ history }) => {
      const answer = history.find(({ role }) => role === "assistant");
      return answer?.role === "assistant" ? { extra: answer.toolCalls[0]?.input } : undefined;
    },
  },
};

describe.each(Object.keys(places))("in %s", (place) => {
  const { input, messages, path, read } = places[place] ?? expect.fail();

  test.each(Object.keys(values))(
    "%s is read back unchanged, or refused with its path [seams.run-input.values]",
    async (name) => {
      const { value, refused } = values[name] ?? expect.fail();
      const options = messages === undefined ? {} : { messages: messages(value) };
      if (refused === undefined) {
        const { runId } = await agent.run(input(value), options);
        const start = (await reader.inspect(runId)).events.find((event) => event.type === "run.start");
        const kept =
          start === undefined ? undefined : (read(start) as { readonly extra?: { readonly deep?: unknown[] } });
        expect(kept?.extra?.deep?.[0]).toEqual(value);
      } else {
        const before = await storedRuns();
        for (const act of [() => agent.run(input(value), options), () => agent.enqueue(input(value), options)]) {
          const error: unknown = await act().catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({ code: messages === undefined ? "INVALID_INPUT" : "INVALID_MESSAGE" });
          expect(String(error)).toContain(refused);
          if (name !== "a circle") expect(String(error)).toContain(path);
        }
        expect(await storedRuns()).toEqual(before);
      }
    },
  );
});

test.each(Object.keys(values).filter((name) => values[name]?.refused !== undefined))(
  "a handoff whose filter puts %s into a message is an error with the path, and the other agent does not run [seams.run-input.values]",
  async (name) => {
    const { value, refused } = values[name] ?? expect.fail();
    const before = await storedRuns();
    const second = new Agent({ name: "other", logger: quiet, model: scriptedModel(["I am the other."]) });
    const first = new Agent({
      name: "first",
      logger: quiet,
      store,
      handoffs: [
        handoff(second, {
          inputFilter: (history) => [
            { id: "odd", role: "user", content: [partWith(value)] } as unknown as Message,
            ...history,
          ],
        }),
      ],
      model: scriptedModel(({ messages }) =>
        messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "transfer_to_other", arguments: {} }] },
      ),
    });
    const settled = await first.run("go").then(
      ({ toolCalls }) => JSON.stringify(toolCalls),
      (error: unknown) => String(error),
    );
    expect(settled).toContain(name === "a circle" ? "contains itself" : refused);
    const runs = await other.listRuns({ limit: 1000 });
    expect(runs.filter(({ id }) => !before.includes(id)).map(({ agentId }) => agentId)).toEqual(["first"]);
  },
);
