import { beforeAll, describe, expect, test } from "vitest";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import { createAgentRuntime } from "../agent-runtime.ts";
import type { OptionFacts } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

class Thing {
  readonly x = 1;
}

const thrown = (): never => {
  throw new Error("The value cannot be read.");
};

/** Values that JavaScript callers, forms and configuration files pass by mistake. */
const values: Readonly<Record<string, (fields: readonly string[]) => unknown>> = {
  null: () => null,
  "{}": () => ({}),
  "[]": () => [],
  "0": () => 0,
  "-1": () => -1,
  NaN: () => Number.NaN,
  "empty text": () => "",
  text: () => "x",
  function: () => () => undefined,
  "class instance": () => new Thing(),
  "throwing getter": (fields) => {
    const value = {};
    for (const name of fields.length === 0 ? ["x"] : fields)
      Object.defineProperty(value, name, { enumerable: true, get: thrown });
    return value;
  },
  "throwing Proxy": () =>
    new Proxy(
      {},
      { get: thrown, has: thrown, ownKeys: thrown, getPrototypeOf: thrown, getOwnPropertyDescriptor: thrown },
    ),
};

/** Milliseconds that a run of one turn may take. */
const mostMs = 120_000;

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const answer: ModelResponse = {
  message: {
    role: "assistant",
    id: "m1",
    content: [{ type: "text", text: "Done." }],
    toolCalls: [],
    finishReason: "stop",
    provenance: { provider: "here", api: "none", model: "quick" },
    timestamp: 0,
  },
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  finishReason: "stop",
  warnings: [],
  raw: undefined,
};

function modelThatTells(onRequest: () => void): ModelProvider {
  return {
    provider: "here",
    api: "none",
    modelId: "quick",
    capabilities: {
      input: { image: false, audio: false, file: false },
      toolResultMedia: "none",
      toolCallId: {},
      toolName: { pattern: /^[a-z]+$/, maxLength: 64 },
      replaysReasoning: false,
      systemAnywhere: true,
      structuredOutput: "with-tools",
    },
    async generate() {
      onRequest();
      return answer;
    },
    async *stream() {
      onRequest();
      yield { type: "finish", finishReason: "stop", usage: answer.usage, response: answer };
    },
  };
}

type Outcome = { readonly accepted: true } | { readonly error: unknown; readonly begun: boolean };

/** Makes an agent and runs it once, with the option on the agent, on the run, or on a streamed run. */
async function outcomeOf(place: "agent" | "run" | "stream", name: string, value: unknown): Promise<Outcome> {
  let begun = false;
  const model = modelThatTells(() => (begun = true));
  const given = { [name]: value };
  const base = { name: "clerk", model, store: memoryStore(), logger: quiet };
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const agent = createAgentRuntime({ ...base, ...(place === "agent" && given) });
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error("The run hangs.")), mostMs);
    });
    const options: RunOptions = place === "agent" ? {} : given;
    const result = place === "stream" ? agent.stream("Hello.", options).result : agent.run("Hello.", options);
    await Promise.race([result, late]);
    return { accepted: true };
  } catch (error) {
    return { error, begun };
  } finally {
    clearTimeout(timer);
  }
}

// The runner loads with the first run.
beforeAll(async () => {
  await createAgentRuntime({ name: "clerk", model: modelThatTells(() => undefined), logger: quiet }).run("Hello.");
});

describe.each(["agent", "run", "stream"] as const)("any value of an option of the %s", (place) => {
  const rows = Object.entries<OptionFacts>({
    ...optionTable.both,
    ...optionTable[place === "agent" ? "agent" : "run"],
  });
  test.each(rows)("%s is accepted, or refused by name and code [options.values]", async (name, row) => {
    const wrong: string[] = [];
    for (const [kind, valueFor] of Object.entries(values)) {
      const value = valueFor(Object.keys(row.fields ?? {}));
      const outcome = await outcomeOf(place, name, value);
      if ("accepted" in outcome) {
        const invalid = row.check?.(value);
        if (invalid !== undefined) wrong.push(`${kind} is accepted, and the check says that it ${invalid}`);
        continue;
      }
      const { code, message } = outcome.error as { readonly code?: unknown; readonly message: string };
      if (typeof code !== "string") wrong.push(`${kind} gives an error without a code: ${String(outcome.error)}`);
      // Once the model was called, the value was accepted; the end of the run does not matter.
      else if (!outcome.begun && !message.includes(name))
        wrong.push(`${kind} gives ${code} without the name: ${message}`);
    }
    expect(wrong).toEqual([]);
  });
});
