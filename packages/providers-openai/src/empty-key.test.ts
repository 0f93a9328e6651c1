import { afterEach, expect, test, vi } from "vitest";
import { user } from "./ask.fixture.ts";
import { openai } from "./index.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const hi = { messages: [user("Hi")] };

/** A model whose requests are counted, with the keys that they carry. */
function counted(options: Parameters<typeof openai>[1]) {
  const keys: (string | null)[] = [];
  const model = openai("m", {
    api: "chat",
    baseURL: "http://127.0.0.1:1",
    ...options,
    fetch: (_input, init) => {
      keys.push(new Headers(init?.headers).get("authorization"));
      const choice = { index: 0, finish_reason: "stop", message: { content: "ok" } };
      return Promise.resolve(new Response(JSON.stringify({ choices: [choice] })));
    },
  });
  return { keys, model };
}

test("an empty key is a missing one, wherever it is given [providers.rule.per-request-key.empty]", async () => {
  vi.stubEnv("OPENAI_API_KEY", "");
  for (const apiKey of [undefined, "", () => Promise.resolve("")]) {
    const { keys, model } = counted({ apiKey });
    for (const request of [hi, { ...hi, apiKey: "" }])
      await expect(model.generate(request)).rejects.toMatchObject({ code: "API_KEY_MISSING" });
    await model.generate({ ...hi, apiKey: "own" });
    expect(keys).toEqual(["Bearer own"]);
  }
  vi.stubEnv("OPENAI_API_KEY", "from-environment");
  const { keys, model } = counted({ apiKey: "" });
  await model.generate({ ...hi, apiKey: "" });
  expect(keys).toEqual(["Bearer from-environment"]);
  // A local server needs no key.
  const local = counted({ compat: "vllm", apiKey: "" });
  await local.model.generate(hi);
  expect(local.keys).toEqual([null]);
});
