import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ModelProvider, ModelResponse } from "@bailiwick/core/provider";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai, type CompatName } from "@bailiwick/providers-openai";
import { answeringFetch, collectChunks, finishedResponse } from "@bailiwick/testing";
import { describe, expect, inject, test } from "vitest";
import { google } from "./index.ts";

interface Recording {
  readonly id: string;
  readonly api: string;
  readonly server: string;
  readonly model: string;
  readonly method: string;
  readonly path: string;
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly stream?: readonly string[];
    readonly newline?: string;
  };
}

interface Defect {
  readonly recording: string;
  readonly kind: string;
}

const folder = join(inject("wireRecordings"), "..", "recordings");
const linesOf = (name: string): readonly string[] => readFileSync(join(folder, name), "utf8").trim().split("\n");
const defects = linesOf("defects.jsonl").map((line) => JSON.parse(line) as Defect);

/** Kinds of known defects: what they lose is not judged. Remove a kind together with its repair. */
const open = new Set(["client-tool-search"]);
const isOpen = (id: string): boolean => defects.some(({ recording, kind }) => recording === id && open.has(kind));

const servers: readonly [RegExp, CompatName][] = [
  [/azure/, "azure"],
  [/cerebras/, "cerebras"],
  [/deepseek/, "deepseek"],
  [/generativelanguage/, "gemini"],
  [/groq/, "groq"],
  [/huggingface/, "huggingface"],
  [/mistral/, "mistral"],
  [/openrouter/, "openrouter"],
  [/api\.z\.ai/, "zai"],
  [/ollama/, "ollama"],
  [/openai\.com/, "openai"],
];

/** The adapter for a recording, whose HTTP client answers with the recorded bytes. */
function modelOf({ api, server, model, response }: Recording): ModelProvider {
  const { stream, body } = response;
  const newline = response.newline === "\r\n" ? "\r\n" : "\n";
  const written =
    stream?.map((event) => event.replaceAll("\n", newline) + newline + newline).join("") ??
    (typeof body === "string" ? body : JSON.stringify(body));
  const fetch = answeringFetch(new TextEncoder().encode(written), {
    status: response.status,
    headers: { "content-type": stream === undefined ? "application/json" : "text/event-stream", ...response.headers },
  });
  const common = { apiKey: "k", fetch };
  const id = model === null || model === "" ? "unknown-model" : model;
  if (api === "anthropic") return anthropic(id, { ...common, baseURL: "http://127.0.0.1:1" });
  if (api === "google") return google(id, { ...common, baseURL: "http://127.0.0.1:1" });
  const compat = servers.find(([form]) => form.test(server))?.[1] ?? "vllm";
  const wire = api === "openai-chat" ? "chat" : "responses";
  return openai(id, { ...common, baseURL: "http://127.0.0.1:1/v1", api: wire, compat });
}

/**
 * Fields of an answer that no agent needs, by the end of their path: marks of the wire, echoes of the request, log
 * probabilities and safety ratings, and texts that another field of the answer repeats.
 */
const ignored = [
  // Marks of the wire.
  "type object role status id event index created_at createTime service_tier system_fingerprint obfuscation provider channel",
  "native_finish_reason stop_sequence finishMessage urlRetrievalStatus delta.partial_json usage_breakdown.models.model",
  // Echoes of the request.
  "background billing error incomplete_details instructions metadata prompt_cache_key prompt_cache_retention reasoning.effort",
  "previous_response_id prompt_cache_options safety_identifier tool_choice tools truncation user moderation reasoning.summary reasoning.context",
  "reasoning.mode reasoning.generate_summary text.verbosity text.format",
  // Log probabilities and ratings.
  "logprobs logprobsResult safetyRatings content_filters",
  // Streams encrypt reasoning again for each event; that of the finished item is kept.
  "item.encrypted_content response.output.encrypted_content",
]
  .flatMap((line) => line.split(" "))
  .map((name) => `.${name}`);

/** @yields The strings of an answer, with the path of the field that holds them. */
function* stringsOf(value: unknown, path = ""): Generator<readonly [path: string, text: string]> {
  if (ignored.some((end) => path.endsWith(end))) return;
  if (typeof value === "string") yield [path, value];
  else if (Array.isArray(value)) for (const each of value) yield* stringsOf(each, path);
  else if (typeof value === "object" && value !== null)
    for (const [name, each] of Object.entries(value)) yield* stringsOf(each, `${path}.${name}`);
}

/** Numbers of usage that other numbers contain: parts of the cached tokens, the rest of the input, sums over other models. */
const contained = /prompt_cache_miss_tokens|cacheTokensDetails|usage_breakdown/;

function* numbersOf(value: unknown, path = ""): Generator<readonly [path: string, number: number]> {
  const [, inside = ""] = path.split(/usage/i);
  if (typeof value === "number" && /cache|reason|audio|search/i.test(inside) && !contained.test(path))
    yield [path, value];
  else if (Array.isArray(value)) for (const each of value) yield* numbersOf(each, path);
  else if (typeof value === "object" && value !== null)
    for (const [name, each] of Object.entries(value)) yield* numbersOf(each, `${path}.${name}`);
}

/** @yields Every string of a value, names of fields included: arguments and inputs are kept as objects. */
function* wordsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const each of value) yield* wordsOf(each);
  else if (typeof value === "object" && value !== null)
    for (const [name, each] of Object.entries(value)) {
      yield name;
      yield* wordsOf(each);
    }
}

/** Content of an answer, whole or as events. */
function contentOf({ response: { body, stream } }: Recording): readonly unknown[] {
  if (stream === undefined) return [body];
  return stream.flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5))
      .join("\n");
    try {
      return [JSON.parse(data) as unknown];
    } catch {
      return [];
    }
  });
}

async function answerOf(recording: Recording): Promise<ModelResponse> {
  const model = modelOf(recording);
  const request = { messages: [{ id: "1", role: "user" as const, content: "Hi." }] };
  if (recording.response.stream === undefined) return model.generate(request);
  const { chunks, error } = await collectChunks(model.stream(request));
  if (error !== undefined) throw error;
  return finishedResponse(chunks);
}

const all = readdirSync(folder)
  .filter((name) => /^(openai|anthropic|google)/.test(name))
  .flatMap(linesOf)
  .map((line) => JSON.parse(line) as Recording);

/** Requests for an answer of a model; a stream of Gemini without `alt=sse` is a list, which no adapter asks for. */
const isAsked = ({ method, path }: Recording): boolean => {
  const [route = "", query = ""] = path.split("?");
  const isStream = route.endsWith(":streamGenerateContent") && query.includes("alt=sse");
  return (
    method.toUpperCase() === "POST" &&
    (isStream || /\/(chat\/completions|responses|messages)$|:generateContent$/.test(route))
  );
};

/** Recordings with status 200 whose answer is an error, with the reason. */
const refused: Readonly<Record<string, RegExp>> = {
  "google-0055": /UNEXPECTED_TOOL_CALL/,
  "google-0130": /UNEXPECTED_TOOL_CALL/,
  "google-0195": /UNEXPECTED_TOOL_CALL/,
  "openai-chat.groq-0038": /rejected the tool call/,
  "openai-chat.other-servers-0001": /not a chat completion/,
  "openai-chat.other-servers-0011": /not JSON/,
  ...Object.fromEntries(["0200", "0230", "0279", "0281"].map((id) => [`openai-responses-${id}`, /status is "queued"/])),
};

describe("recorded answers [providers.recordings]", () => {
  for (const api of ["anthropic", "google", "openai-chat", "openai-responses"]) {
    const answered = all.filter(
      (one) => one.api === api && one.response.status === 200 && isAsked(one) && !isOpen(one.id),
    );

    test(`${api}: no text of an answer is lost, and each number of cached, reasoning, audio and search usage is read`, async () => {
      expect(answered.length).toBeGreaterThan(100);
      const wrong: string[] = [];
      for (const recording of answered) {
        const answer = await answerOf(recording).catch((error: unknown) => error as Error);
        if (answer instanceof Error) {
          if (refused[recording.id]?.test(answer.message) !== true) wrong.push(`${recording.id}: ${answer.message}`);
          continue;
        }
        const { raw: _, ...kept } = answer;
        const words = [...wordsOf(kept)].join("\0");
        const { providerMetrics: _metrics, ...usage } = kept.usage;
        const counts = new Set(JSON.stringify(usage).match(/[\d.]+/g));
        for (const content of contentOf(recording)) {
          for (const [path, text] of stringsOf(content))
            if (!words.includes(text)) wrong.push(`${recording.id}: ${path} is lost: ${text.slice(0, 80)}`);
          for (const [path, number] of numbersOf(content))
            if (number !== 0 && !counts.has(String(number)))
              wrong.push(`${recording.id}: ${path} is not read: ${number}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  }

  test("each recorded error of a vendor has its code", async () => {
    const failed = all.filter((one) => one.response.status >= 400 && isAsked(one) && !isOpen(one.id));
    expect(failed.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const recording of failed) {
      const error = await answerOf(recording).then(
        () => undefined,
        (thrown: unknown) => thrown as { code?: string },
      );
      const said = JSON.stringify(recording.response.body);
      const code = /not_found|does not exist|is not found/.test(said)
        ? "MODEL_NOT_FOUND"
        : /tool call validation failed/i.test(said)
          ? "MODEL_TOOL_CALL_INVALID"
          : "MODEL_API_ERROR";
      if (error?.code !== code) wrong.push(`${recording.id}: ${String(error?.code)} in place of ${code}`);
    }
    expect(wrong).toEqual([]);
  });
});
