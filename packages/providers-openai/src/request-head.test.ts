import OpenAI from "openai";
import type { ClientOptions } from "openai";
import { afterEach, expect, test, vi } from "vitest";
import { openai } from "./index.ts";
import type { OpenAIOptions } from "./index.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Receives a request and answers it with an error: only its head matters. */
function recorder(): { readonly sent: Sent[]; readonly fetch: typeof fetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      const headers = [...new Headers(init?.headers)].filter(
        ([name]) => name !== "user-agent" && !name.startsWith("x-stainless-"),
      );
      sent.push({ url: new Request(input).url, headers: Object.fromEntries(headers) });
      return new Response("{}", { status: 400 });
    },
  };
}

async function ours(options: OpenAIOptions): Promise<Sent | undefined> {
  const { sent, fetch } = recorder();
  await openai("gpt-5.5", { ...options, fetch })
    .generate({ messages: [{ id: "u", role: "user", content: "Hi" }] })
    .catch(() => undefined);
  return sent[0];
}

async function theirs(
  { headers, ...options }: ClientOptions & Pick<OpenAIOptions, "headers">,
  api: "responses" | "chat",
): Promise<Sent | undefined> {
  const { sent, fetch } = recorder();
  const sdk = new OpenAI({ ...options, defaultHeaders: headers, fetch, maxRetries: 0 });
  const asked =
    api === "chat"
      ? sdk.chat.completions.create({ model: "gpt-5.5", messages: [] })
      : sdk.responses.create({ model: "gpt-5.5", input: "Hi" });
  await asked.catch(() => undefined);
  return sent[0];
}

const settings: Readonly<Record<string, Pick<OpenAIOptions, "baseURL" | "organization" | "project" | "headers">>> = {
  nothing: {},
  "a base URL": { baseURL: "http://127.0.0.1:8000/v1" },
  "a base URL with a slash at its end": { baseURL: "http://127.0.0.1:8000/v1/" },
  "a base URL with a query": { baseURL: "https://example.test/openai/v1?api-version=2026-01-01" },
  "organization and project": { organization: "org-1", project: "proj-1" },
  "headers of one's own": { headers: { "X-Team": "desk", "OpenAI-Organization": "org-2", Accept: "text/plain" } },
  "an authorization of one's own": { headers: { Authorization: "Bearer mine" } },
};

for (const api of ["responses", "chat"] as const) {
  for (const [name, given] of Object.entries(settings)) {
    test(`${api}: with ${name}, a request has the official SDK's address and headers [providers.contract]`, async () => {
      const sent = await ours({ ...given, api, apiKey: "key-1" });
      expect(sent).toBeDefined();
      expect(sent).toEqual(await theirs({ ...given, apiKey: "key-1" }, api));
    });
  }

  test(`${api}: the official SDK's environment variables have the same effect here [providers.contract]`, async () => {
    vi.stubEnv("OPENAI_API_KEY", " key-2 ");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:8001/v1");
    vi.stubEnv("OPENAI_ORG_ID", "org-3");
    vi.stubEnv("OPENAI_PROJECT_ID", "proj-3");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "X-One: 1\nX-Two: a:b\nnothing");
    const sent = await ours({ api });
    expect(sent?.headers["x-two"]).toBe("a:b");
    expect(sent).toEqual(await theirs({}, api));
  });
}

test("settings for OpenAI are not sent to other servers [providers.openai-chat.compat]", async () => {
  vi.stubEnv("OPENAI_API_KEY", "key-4");
  vi.stubEnv("OPENAI_ORG_ID", "org-4");
  vi.stubEnv("OPENAI_CUSTOM_HEADERS", "X-One: 1");
  const sent = await ours({ compat: "vllm", baseURL: "http://127.0.0.1:8000/v1" });
  expect(sent?.headers).toEqual({ accept: "application/json", "content-type": "application/json" });
});

test("an invalid base URL is refused when the model is constructed [providers.rule.errors]", () => {
  expect(() => openai("gpt-5.5", { apiKey: "k", baseURL: "localhost/v1" })).toThrow(
    expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining("localhost/v1") as string }),
  );
});

test("in a browser the key is refused unless explicitly allowed [providers.rule.errors]", () => {
  vi.stubGlobal("window", { document: {} });
  expect(() => openai("gpt-5.5", { apiKey: "k" })).toThrow(expect.objectContaining({ code: "KEY_IN_BROWSER" }));
  expect(openai("gpt-5.5", { apiKey: "k", allowBrowser: true }).modelId).toBe("gpt-5.5");
});

test("an unknown option is refused, and the right name is suggested", () => {
  expect(() => openai("gpt-5.5", { apikey: "key" } as object)).toThrow(
    `"apikey" is not an option of openai() (did you mean "apiKey"?)`,
  );
});

test("a timeout that would end every request at once is refused", () => {
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    expect(() => openai("gpt-5.5", { timeoutMs })).toThrow(
      `openai() takes a whole number of milliseconds from 1 to 2147483647`,
    );
});

test("an unknown API name is refused instead of replaced", () => {
  expect(() => openai("gpt-5.5", { api: "response" } as object)).toThrow(
    `openai() takes "responses" or "chat" as "api".`,
  );
});
