import type { CompatName } from "@bailiwick/providers-openai";

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Part {
  readonly type: string;
  readonly image_url?: { readonly url: string };
}

interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?: string | readonly Part[] | null;
  readonly refusal?: string;
  readonly tool_calls?: readonly Call[];
  readonly tool_call_id?: string;
}

interface ChatBody {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
}

/** Finds what a server refuses; each rule is read from the page beside it. */
type Rule = (body: ChatBody) => string | undefined;

const partsOf = ({ content }: ChatMessage): readonly Part[] => (Array.isArray(content) ? content : []);
const imagesOf = ({ messages }: ChatBody): readonly string[] =>
  messages.flatMap(partsOf).flatMap(({ image_url: image }) => image?.url ?? []);

const oneSystem: Rule = ({ messages }) =>
  messages.some(({ role }, index) => (role === "system" || role === "developer") && index > 0)
    ? "a system message that is not the first"
    : undefined;
const textOnly: Rule = (body) => (imagesOf(body).length > 0 ? "an image" : undefined);
const imagesInline: Rule = (body) =>
  imagesOf(body).some((url) => !url.startsWith("data:")) ? "an image by its address" : undefined;
const imageTypes =
  (...types: readonly string[]): Rule =>
  (body) =>
    imagesOf(body).find(
      (url) => url.startsWith("data:") && !types.some((type) => url.startsWith(`data:image/${type};`)),
    );
const noUserAfterTool: Rule = ({ messages }) =>
  messages.some(({ role }, index) => role === "user" && messages[index - 1]?.role === "tool")
    ? "a user message after a tool's result"
    : undefined;
const nineCharacters: Rule = ({ messages }) =>
  messages
    .flatMap(({ tool_calls: calls = [], tool_call_id: id }) => [
      ...calls.map((call) => call.id),
      ...(id === undefined ? [] : [id]),
    ])
    .find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
const alternate: Rule = ({ messages }) => {
  const spoken = messages.filter(({ role }) => role !== "system");
  if (spoken.some(({ role }) => role === "tool")) return "a tool's result";
  if (spoken.at(-1)?.role !== "user") return "no user message at the end";
  return spoken.some(({ role }, index) => role === (index % 2 === 0 ? "assistant" : "user"))
    ? "two messages of one role"
    : undefined;
};

/** Templates of open models, and several vendors: a user message comes before the first answer. */
const userFirst: Rule = ({ messages }) =>
  messages.find(({ role }) => role !== "system" && role !== "developer")?.role === "user"
    ? undefined
    : "no user message before the first answer";
/** https://github.com/mistralai/mistral-common, `MistralRequestValidator`. */
const mistralOrder: Rule = ({ messages }) => {
  const last = messages.at(-1)?.role;
  if (last !== "user" && last !== "tool") return `${last} as the last role`;
  return messages.some(({ role }, index) => role === "system" && /assistant|tool/.test(messages[index - 1]?.role ?? ""))
    ? "a system message after an answer or a result"
    : undefined;
};
/** Images under the name of their type: aliases such as `image/jpg` are refused. */
const knownImages: Rule = (body) =>
  imagesOf(body).find((url) => url.startsWith("data:") && !/^data:image\/(png|jpeg|webp|gif);base64,./.test(url));

/** Every server: arguments are the text of an object, and calls and results are pairs. */
const objectArguments: Rule = ({ messages }) =>
  messages
    .flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.arguments))
    .find((text) => !isObject(text));
const pairs: Rule = ({ messages }) => {
  for (const [index, { role, tool_calls: calls = [] }] of messages.entries()) {
    if (role !== "assistant") continue;
    const results: string[] = [];
    for (const next of messages.slice(index + 1)) {
      if (next.role !== "tool") break;
      results.push(next.tool_call_id ?? "");
    }
    if (JSON.stringify(results.toSorted()) !== JSON.stringify(calls.map(({ id }) => id).toSorted()))
      return `the calls ${JSON.stringify(calls.map(({ id }) => id))} with the results ${JSON.stringify(results)}`;
  }
  return undefined;
};
const noRefusalField: Rule = ({ messages }) =>
  messages.some(({ refusal }) => refusal !== undefined) ? "a field that is OpenAI's own" : undefined;
const said: Rule = ({ messages }) =>
  messages.some(
    ({ role, content, refusal, tool_calls: calls }) =>
      role === "assistant" &&
      calls === undefined &&
      refusal === undefined &&
      (content === undefined || content === null || content.length === 0),
  )
    ? "an answer without text and calls"
    : undefined;

const rules: Partial<Readonly<Record<CompatName, readonly Rule[]>>> = {
  // https://docs.mistral.ai/capabilities/function_calling
  mistral: [noUserAfterTool, nineCharacters, mistralOrder],
  // https://huggingface.co/Qwen/Qwen3.5-35B-A3B/blob/main/chat_template.jinja
  alibaba: [oneSystem],
  vllm: [oneSystem],
  sglang: [oneSystem],
  lmstudio: [oneSystem, imagesInline],
  llamacpp: [oneSystem],
  // https://docs.ollama.com/api/openai-compatibility
  ollama: [imagesInline],
  // https://docs.perplexity.ai/api-reference/chat-completions-post
  perplexity: [oneSystem, alternate],
  // https://api-docs.deepseek.com/api/create-chat-completion
  deepseek: [textOnly],
  minimax: [textOnly],
  cerebras: [textOnly],
  // https://platform.moonshot.ai/docs/guide/use-kimi-vision-model
  moonshot: [imagesInline],
  // https://docs.x.ai/docs/guides/image-understanding
  xai: [imageTypes("png", "jpeg")],
  gemini: [imageTypes("png", "jpeg", "webp")],
};

/**
 * Finds the errors for which a server refuses the body of a request.
 *
 * @param server - The server.
 * @param body - The parsed body.
 */
export function brokenRules(server: CompatName, body: unknown): readonly string[] {
  return [
    pairs,
    said,
    knownImages,
    ...(server === "openai" || server === "azure" ? [] : [objectArguments, noRefusalField, userFirst]),
    ...(rules[server] ?? []),
  ].flatMap((rule) => {
    const found = rule(body as ChatBody);
    return found === undefined ? [] : [`${found} in ${JSON.stringify(body)}`];
  });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
