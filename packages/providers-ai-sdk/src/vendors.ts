import type { MediaRules, ModelCapabilities } from "@bailiwick/core/provider";

/** Rules of one vendor's AI SDK package, beyond those of the runner. */
export interface VendorTraits {
  /** True if a user message may directly follow a tool's result; otherwise an answer is inserted. */
  readonly userAfterTool: boolean;
  /** True if files of an answer are sent back in it. */
  readonly answerFiles: boolean;
  /** True if the vendor enforces tool schemas with `strict`. */
  readonly strictTools: boolean;
  /** The vendor's option for parallel calls; `undefined` if it has none. */
  readonly parallelCalls?:
    | ((allowed: boolean) => Readonly<Record<string, Readonly<Record<string, boolean>>>>)
    | undefined;
  /** Default options of a call. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, boolean>>>> | undefined;
  /**
   * The vendor's option that marks the end of the cached prefix on a message; `undefined` if it caches automatically.
   */
  readonly cacheMark?: ((modelId: string, hour: boolean) => CacheMark | undefined) | undefined;
}

/** Options of a message. */
type CacheMark = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

interface VendorRow extends Partial<VendorTraits> {
  /** Tested against the `provider` of the model, such as `amazon-bedrock` or `openai.responses`. */
  readonly ids: RegExp;
  readonly capabilities: Partial<ModelCapabilities>;
}

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Documents of Amazon Bedrock, besides plain text (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html). */
const documents = [
  "application/pdf",
  "text/csv",
  "text/html",
  "text/plain",
  "text/markdown",
  "application/msword",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];
const only = (...types: readonly string[]): { readonly user: MediaRules } => ({ user: { types } });
const parallel = (vendor: string) => (allowed: boolean) => ({ [vendor]: { parallelToolCalls: allowed } });

/**
 * Keeps answers out of the vendor's storage. Otherwise the packages send references to stored answers, which expire
 * with the vendor's retention, and the conversation could not continue.
 */
const notStored = (...vendors: readonly string[]) =>
  Object.fromEntries(vendors.map((name) => [name, { store: false }]));

/**
 * Models of Bedrock that accept cache points: others refuse the request
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html).
 */
const bedrockCaches = /amazon\.nova|anthropic\.claude-(?!v2|instant|3-(haiku|sonnet|opus)-|3-5-sonnet-20240620)/;

/**
 * Vendors whose packages are known; the first match is used. The rules are those of the packages' message converters.
 */
const rows: readonly VendorRow[] = [
  {
    ids: /^(amazon-)?bedrock(?!.*anthropic)/,
    capabilities: {
      input: { image: true, audio: false, file: true },
      media: only(...images, ...documents),
      toolResultMedia: "native",
      structuredOutput: "without-tools",
    },
    cacheMark: (modelId) =>
      bedrockCaches.test(modelId) ? { bedrock: { cachePoint: { type: "default" } } } : undefined,
  },
  {
    ids: /anthropic/,
    capabilities: {
      input: { image: true, audio: false, file: true },
      media: only(...images, "application/pdf", "text/plain"),
      toolResultMedia: "native",
      structuredOutput: "with-tools",
      forcedToolChoiceWithReasoning: false,
    },
    parallelCalls: (allowed) => ({ anthropic: { disableParallelToolUse: !allowed } }),
    cacheMark: (_modelId, hour) => ({
      anthropic: { cacheControl: hour ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" } },
    }),
  },
  {
    ids: /^google/,
    capabilities: {
      input: { image: true, audio: true, file: true },
      media: only("image/png", "image/jpeg", "image/webp", "image/heic", "audio/*", "application/pdf", "text/plain"),
      toolResultMedia: "native",
      // Before the third generation, the vendor takes either tools or a schema.
      structuredOutput: "without-tools",
    },
    answerFiles: true,
  },
  {
    ids: /^(openai|azure)[^.]*\.responses/,
    capabilities: {
      input: { image: true, audio: false, file: true },
      media: only(...images, "application/pdf"),
      toolResultMedia: "native",
      toolCallId: { maxLength: 64 },
      systemAnywhere: true,
      structuredOutput: "with-tools",
    },
    strictTools: true,
    parallelCalls: parallel("openai"),
    defaults: notStored("openai", "azure"),
  },
  {
    ids: /^(openai|azure)/,
    capabilities: {
      input: { image: true, audio: true, file: true },
      media: only(...images, "audio/wav", "audio/mpeg", "application/pdf"),
      structuredOutput: "with-tools",
      toolCallId: { maxLength: 40 },
      systemAnywhere: true,
    },
    strictTools: true,
    parallelCalls: parallel("openai"),
  },
  {
    ids: /^mistral/,
    capabilities: {
      input: { image: true, audio: false, file: true },
      media: only(...images, "application/pdf"),
      // Ids of exactly nine letters and digits.
      toolCallId: { pattern: /^[a-zA-Z0-9]{9}$/, maxLength: 9 },
      structuredOutput: "without-tools",
    },
    userAfterTool: false,
    parallelCalls: parallel("mistral"),
  },
  {
    ids: /^xai/,
    capabilities: {
      input: { image: true, audio: false, file: false },
      media: only("image/png", "image/jpeg"),
      structuredOutput: "with-tools",
    },
    defaults: notStored("xai"),
  },
  {
    ids: /^cohere/,
    capabilities: {
      input: { image: true, audio: false, file: false },
      media: only(...images),
      structuredOutput: "without-tools",
    },
  },
  {
    ids: /^groq/,
    capabilities: { structuredOutput: "without-tools" },
    parallelCalls: parallel("groq"),
  },
];

/** The rules for an unknown vendor: the minimum that every vendor accepts. */
const unknown: ModelCapabilities = {
  input: { image: true, audio: false, file: false },
  media: only(...images),
  toolResultMedia: "following-user-message",
  toolCallId: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
  toolName: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
  replaysReasoning: true,
  systemAnywhere: false,
  structuredOutput: "none",
};

/**
 * Looks up a vendor by the `provider` of its model.
 *
 * @param provider - Such as `mistral.chat`.
 * @param given - Capabilities that the caller knows better.
 */
export function knowVendor(
  provider: string,
  given: Partial<ModelCapabilities> | undefined,
): { readonly capabilities: ModelCapabilities; readonly vendor: VendorTraits } {
  const row = rows.find(({ ids }) => ids.test(provider));
  return {
    capabilities: { ...unknown, ...row?.capabilities, ...given },
    vendor: {
      userAfterTool: row?.userAfterTool ?? true,
      answerFiles: row?.answerFiles ?? false,
      strictTools: row?.strictTools ?? false,
      parallelCalls: row?.parallelCalls,
      cacheMark: row?.cacheMark,
      defaults: row?.defaults,
    },
  };
}
