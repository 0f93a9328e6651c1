import { knownModel } from "@bailiwick/core/provider";
import type { KnownModel, MediaRules, ModelCapabilities, ReasoningConfig } from "@bailiwick/core/provider";
import type { Compat, SchemaDialect } from "./server-record.ts";
import type { OpenAIOptions } from "./options.ts";

/** Effort levels, weakest first. */
export type Effort = NonNullable<ReasoningConfig["effort"]>;

/** Traits of a model beyond those that the runner uses. */
export interface ModelTraits {
  /** True if it reasons: no sampling settings, `developer` instead of `system`, encrypted reasoning. */
  readonly reasons: boolean;
  /** Accepted effort levels, weakest first; empty if there are none. */
  readonly efforts: readonly Effort[];
  /** Effort levels that are accepted over Chat Completions beside tools, if they are others; empty if tools are not. */
  readonly chatToolEfforts?: readonly Effort[] | undefined;
  /** True if sampling settings are accepted with effort `none`. */
  readonly samplesWithoutEffort: boolean;
  /** True if the Responses API returns its reasoning encrypted, to be sent back. */
  readonly encryptsReasoning: boolean;
  /** True if cache breakpoints can be placed. */
  readonly cacheBreakpoints: boolean;
  /** The setting that turns thinking on and off, if the model has one. */
  readonly thinkingSwitch?: Compat["thinkingSwitch"];
  /** Subset of JSON Schema that tools must use; default `openai`. */
  readonly toolSchemas?: SchemaDialect | undefined;
}

interface ModelRow {
  readonly ids: RegExp;
  readonly traits: ModelTraits;
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Default: images and files. */
  readonly input?: Partial<ModelCapabilities["input"]>;
  readonly structuredOutput?: ModelCapabilities["structuredOutput"];
}

const plain: ModelTraits = {
  reasons: false,
  efforts: [],
  samplesWithoutEffort: true,
  encryptsReasoning: false,
  cacheBreakpoints: false,
};
const reasoning = (efforts: readonly Effort[]): ModelTraits => ({
  reasons: true,
  efforts,
  samplesWithoutEffort: efforts.includes("none"),
  encryptsReasoning: true,
  cacheBreakpoints: false,
});
const text = { image: false, file: false } as const;

const thinking = ["low", "medium", "high"] as const;
const more = [...thinking, "xhigh"] as const;
const optional = reasoning(["none", ...more]);

const row = (
  ids: RegExp,
  traits: ModelTraits,
  contextWindow?: number,
  maxOutputTokens?: number,
  rest: Pick<ModelRow, "input" | "structuredOutput"> = {},
): ModelRow => ({
  ids,
  traits,
  contextWindow,
  maxOutputTokens,
  ...rest,
});

/**
 * Families of models, first match wins. Ids may carry a date or a fine-tuning prefix. The row of a listed model wins over
 * its family; see `knownModels`.
 */
const models: readonly ModelRow[] = [
  row(/^gpt-3\.5/, plain, 16_385, 4096, { input: text, structuredOutput: "none" }),
  row(/^gpt-4(-turbo|-vision)/, plain, 128_000, 4096, { structuredOutput: "none" }),
  row(/^gpt-4(-\d{4}|-32k)?$/, plain, 8192, 8192, { input: text, structuredOutput: "none" }),
  row(/^(gpt-4o(-mini)?-audio|gpt-audio)/, plain, 128_000, 16_384, {
    input: { ...text, audio: true },
    structuredOutput: "none",
  }),
  row(/^(gpt-4o|chatgpt-4o)/, plain, 128_000, 16_384),
  row(/^gpt-4\.1/, plain, 1_047_576, 32_768),
  row(/^gpt-4/, plain, 128_000, 16_384),
  row(/^o\d-mini/, reasoning(thinking), 200_000, 100_000, { input: { image: true, file: true } }),
  row(/^o\d/, reasoning(thinking), 200_000, 100_000),
  row(/^gpt-5[\d.]*-chat/, plain, 128_000, 16_384),
  row(/^gpt-5-pro/, reasoning(["high"]), 400_000, 272_000),
  row(/^gpt-5(-mini|-nano)?(-\d{4}|$)/, reasoning(["minimal", ...thinking]), 400_000, 128_000),
  row(/^(gpt-5-codex|codex-mini|gpt-5\.1-codex(-mini)?(-\d{4}|$))/, reasoning(thinking), 400_000, 128_000),
  row(/^gpt-5\.\d-codex|^gpt-5\.1-codex-max/, reasoning(more), 400_000, 128_000),
  row(/^gpt-5\.1/, reasoning(["none", ...thinking]), 400_000, 128_000),
  row(/^gpt-5\.[23]/, optional, 400_000, 128_000),
  row(/^gpt-5\.[45](?!-(mini|nano))/, optional, 1_050_000, 128_000),
  row(/^gpt-5\.[45]/, optional, 400_000, 128_000),
  row(/^gpt-5\.6/, { ...optional, cacheBreakpoints: true, chatToolEfforts: ["none"] }),
];

/**
 * Record of a model that is not in the table: the newest kind, with unknown limits. GPT-6 always thinks, and no model
 * since GPT-5.1 accepts "minimal": https://github.com/QwenLM/qwen-code/pull/11295.
 */
const newest: ModelRow = {
  ids: /(?:)/,
  traits: { ...reasoning([...more, "max"]), cacheBreakpoints: true },
};

/** A model of OpenAI: its family, with the facts of its row in the table of models. */
function published(name: string): ModelRow {
  const family = models.find(({ ids }) => ids.test(name)) ?? newest;
  const known = knownModel("openai", name);
  if (known === undefined) return family;
  return {
    ...family,
    traits: {
      ...family.traits,
      efforts: known.efforts,
      samplesWithoutEffort: !family.traits.reasons || known.efforts.includes("none"),
      chatToolEfforts: known.chatToolEfforts,
    },
    contextWindow: known.contextWindow,
    maxOutputTokens: known.maxOutputTokens,
    input: inputOf(known),
  };
}

function inputOf({ input }: KnownModel): ModelCapabilities["input"] {
  return { image: input.includes("image"), audio: input.includes("audio"), file: input.includes("file") };
}

/** A model behind a compatible server, of which only the server is known. */
function served(compat: Compat, name: string): ModelRow {
  const row = compat.models?.find(({ ids }) => ids.test(name));
  const all: readonly Effort[] =
    compat.reasoning === "none" ? [] : ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
  const efforts = row?.efforts ?? all;
  return {
    ids: /(?:)/,
    traits: {
      ...plain,
      efforts,
      encryptsReasoning: compat.encryptedReasoning ?? false,
      thinkingSwitch: row?.thinkingSwitch === false ? undefined : compat.thinkingSwitch,
      toolSchemas: row?.toolSchemas ?? compat.toolSchemas,
    },
    input: { image: row?.images ?? compat.images, file: false },
    structuredOutput: row?.structuredOutput ?? compat.structuredOutput,
  };
}

/** Images that the vendor reads (https://developers.openai.com/api/docs/guides/images-vision). */
const images = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const office = "application/vnd.openxmlformats-officedocument";

/** Media of the Responses API (https://developers.openai.com/api/docs/guides/pdf-files). */
const responsesMedia: MediaRules = {
  types: [
    ...images,
    "application/pdf",
    "text/*",
    "application/json",
    "application/xml",
    "application/yaml",
    "application/javascript",
    "application/typescript",
    "application/sql",
    "application/rtf",
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.text",
    `${office}.wordprocessingml.document`,
    `${office}.spreadsheetml.sheet`,
    `${office}.presentationml.presentation`,
  ],
};

/** Media of a server on the Responses wire: servers other than OpenAI accept only images. */
function responsesMediaOf({ openaiModels, imageTypes = images, imageUrls = true }: Compat): MediaRules {
  return openaiModels ? responsesMedia : { types: imageTypes, urls: imageUrls ? imageTypes : [] };
}

/** Media of Chat Completions: files are PDF, and only as data. */
function chatMedia({ imageTypes = images, imageUrls = true }: Compat): MediaRules {
  return {
    types: [...imageTypes, "audio/wav", "audio/mpeg", "application/pdf"],
    urls: imageUrls ? imageTypes : [],
  };
}

/** Tool names of Moonshot: no digit is first (https://github.com/MoonshotAI/kimi-cli/issues/2531). */
const ledByLetter = /^[a-zA-Z_][a-zA-Z0-9_-]*$/;

/** The record of a model in a protocol. */
export interface ModelKnowledge {
  readonly capabilities: ModelCapabilities;
  readonly traits: ModelTraits;
}

/**
 * Looks up a model; an unknown one gets the newest behaviour.
 *
 * @param modelId - Id as requested.
 * @param api - Wire.
 * @param compat - The server.
 * @param options - Capabilities that the caller sets.
 */
export function knowModel(
  modelId: string,
  api: "responses" | "chat",
  compat: Compat,
  options: OpenAIOptions,
): ModelKnowledge {
  const name = (options.knownAs ?? modelId).replace(/^ft:/, "").replace(/^.*\//, "");
  const row = compat.openaiModels ? published(name) : served(compat, name);
  const traits = traitsOf(row.traits, options.reasoningModel ?? row.traits.reasons);
  const chat = api === "chat";
  const capabilities: ModelCapabilities = {
    input: { image: true, file: true, audio: false, ...row.input, ...(chat ? {} : { audio: false }) },
    media: { user: chat ? chatMedia(compat) : responsesMediaOf(compat) },
    toolResultMedia: chat ? "following-user-message" : "native",
    toolCallId: chat ? compat.toolCallId : { maxLength: 64 },
    toolName: { pattern: row.traits.toolSchemas === "kimi" ? ledByLetter : /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
    replaysReasoning: chat ? compat.echoReasoning !== undefined : traits.encryptsReasoning,
    systemAnywhere: !chat || (compat.systemMessages ?? "anywhere") === "anywhere",
    structuredOutput: row.structuredOutput ?? compat.structuredOutput,
    contextWindow: row.contextWindow,
    maxOutputTokens: row.maxOutputTokens,
    forcedToolChoiceWithReasoning: (compat.forcedChoice ?? "always") === "always",
    ...options.capabilities,
  };
  return { capabilities, traits };
}

/** Traits of a model whose reasoning the caller specifies. */
function traitsOf(known: ModelKnowledge["traits"], reasons: boolean): ModelKnowledge["traits"] {
  if (reasons === known.reasons) return known;
  return reasons ? newest.traits : { ...plain, efforts: [] };
}

/**
 * The nearest effort that a model accepts: the requested one, else the next weaker, else its weakest. Only `none` turns
 * reasoning off, so a model that accepts nothing else has no nearest effort for another.
 *
 * @param asked - Effort as asked.
 * @param taken - The model's levels, weakest first.
 */
export function nearestEffort(asked: Effort, taken: readonly Effort[]): Effort | undefined {
  const order: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
  const rank = order.indexOf(asked);
  const thinking = asked === "none" ? taken : taken.filter((effort) => effort !== "none");
  return thinking.findLast((effort) => order.indexOf(effort) <= rank) ?? thinking[0];
}
