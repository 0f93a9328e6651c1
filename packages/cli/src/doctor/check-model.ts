import { BailiwickError } from "@bailiwick/core";
import type { AgentRuntime, ContentPart, ModelProvider, ReasoningConfig } from "@bailiwick/core";
import { ageOfRow, knownModel, outdatedAfterDays } from "@bailiwick/core/provider";
import type { FunctionToolDefinition, KnownModel, ModelRequest } from "@bailiwick/core/provider";
import { failed, type Check } from "./check.ts";

/** A setting that a row of the table of models says is accepted. */
interface Probe {
  readonly name: string;
  readonly request: Partial<ModelRequest>;
}

/** Output tokens of a request: enough for a model that reasons before it says one word. */
const outputTokens = 4_000;

/** A picture of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const tool: FunctionToolDefinition = {
  type: "function",
  name: "current_time",
  description: "Returns the time.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
};

/**
 * Finds a model by its id: that of an agent, or one that an agent's registry makes.
 *
 * @param agents - Agents of the entry.
 * @param id - Such as `openai/gpt-5.6`, or the id alone.
 */
export function findModel(agents: readonly AgentRuntime[], id: string): ModelProvider | undefined {
  for (const { definition } of agents) {
    const { model } = definition.options;
    for (const spec of [model, id as `${string}/${string}`]) {
      try {
        const found = definition.resolveModel(spec);
        if (id === found.modelId || id === `${found.provider}/${found.modelId}`) return found;
      } catch {
        // An agent without a registry knows only its own model.
      }
    }
  }
  return undefined;
}

/**
 * Tries each setting of a model's row with its key, and compares the answers with the row.
 *
 * @param model - The model.
 * @param now - Milliseconds since the epoch.
 */
export async function checkModel(model: ModelProvider, now: number): Promise<readonly Check[]> {
  const row = knownModel(model.provider, model.modelId);
  const plain = await tryProbe(model, { name: "answer", request: {} });
  if (row === undefined) return [unknownRow(model), plain];
  // Without an answer, no refusal says anything about a setting.
  if (plain.status === "fail") return [rowOf(row, now), plain];
  const checks = [rowOf(row, now), plain];
  for (const probe of probesOf(model, row)) checks.push(await tryProbe(model, probe));
  return checks;
}

function unknownRow({ provider, modelId }: ModelProvider): Check {
  return {
    name: "row",
    status: "warn",
    text: `The table of models has no row for ${provider}/${modelId}.`,
    fix: "Give the provider its capabilities, and the agent its prices.",
  };
}

function rowOf(row: KnownModel, now: number): Check {
  const age = ageOfRow(row, now);
  const text = `From ${row.origin}, checked on ${row.checked}, ${age} days ago; prices: ${row.source}`;
  return age > outdatedAfterDays
    ? { name: "row", status: "warn", text, fix: "Compare its price with the vendor's page, or take a newer version." }
    : { name: "row", status: "ok", text };
}

function probesOf(model: ModelProvider, row: KnownModel): readonly Probe[] {
  const efforts = row.efforts.map((effort): Probe => ({
    name: `effort ${effort}`,
    request: { reasoning: reasoningOf(effort) },
  }));
  const overChat = model.api === "chat" ? row.chatToolEfforts : undefined;
  const tools = [tool];
  const withTools =
    overChat?.length === 0
      ? []
      : [
          { name: "tools", request: { tools } },
          ...(overChat ?? row.efforts).map((effort): Probe => ({
            name: `tools with effort ${effort}`,
            request: { tools, reasoning: reasoningOf(effort) },
          })),
        ];
  return [
    ...efforts,
    ...withTools,
    ...(model.capabilities.structuredOutput === "none"
      ? []
      : [{ name: "answer by a schema", request: { output: { name: "word", schema: wordSchema } } }]),
    ...(row.input.includes("image") ? [{ name: "image", request: { messages: [asking([imagePart])] } }] : []),
    { name: `answer of ${row.maxOutputTokens} tokens`, request: { maxTokens: row.maxOutputTokens } },
  ];
}

const wordSchema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};

const imagePart: ContentPart = { type: "image", data: pixel, mimeType: "image/png" };

function asking(parts: readonly ContentPart[] = []) {
  return { id: "m1", role: "user", content: [{ type: "text", text: "Answer with one word." }, ...parts] } as const;
}

function reasoningOf(effort: NonNullable<ReasoningConfig["effort"]>): ReasoningConfig {
  return { enabled: effort !== "none", effort };
}

async function tryProbe(model: ModelProvider, { name, request }: Probe): Promise<Check> {
  try {
    const { warnings } = await model.generate({ messages: [asking()], maxTokens: outputTokens, ...request });
    const changed = warnings.find(({ code }) => code === "adjusted_setting" || code === "unsupported_setting");
    if (changed === undefined) return { name, status: "ok", text: "The row says accepted, and the server accepts it." };
    return {
      name,
      status: "fail",
      text: `The row says accepted, and the provider does not send it: ${changed.message}`,
      fix: "Report the row.",
    };
  } catch (error) {
    const isRefusal = BailiwickError.isInstance(error) && error.code === "MODEL_API_ERROR";
    if (!isRefusal) return failed(name, error);
    return {
      name,
      status: "fail",
      text: `The row says accepted, and the server refuses it: ${error.message}`,
      fix: "Report the row, and give the provider the capabilities of the model until it is corrected.",
    };
  }
}
