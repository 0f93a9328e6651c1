// The page "Supported models and servers", made from the records in the code.

/** @typedef {Readonly<Record<string, any>>} Row a record of the code */

/**
 * Vendors of the AI SDK that the bridge knows: the `provider` of their models, the package, and its tests.
 *
 * @type {readonly (readonly [string, string, string])[]}
 */
const bridged = [
  ["amazon-bedrock", "`@ai-sdk/amazon-bedrock`", "event-stream frames on a local server"],
  ["anthropic.messages", "`@ai-sdk/anthropic`", "conformance kit"],
  ["azure.responses", "`@ai-sdk/azure`", ""],
  ["cohere.chat", "`@ai-sdk/cohere`", "a local server"],
  ["google.generative-ai", "`@ai-sdk/google`", "conformance kit"],
  ["groq.chat", "`@ai-sdk/groq`", ""],
  ["mistral.chat", "`@ai-sdk/mistral`", "a local server"],
  ["openai.chat", "`@ai-sdk/openai` (`.chat()`)", "conformance kit"],
  ["openai.responses", "`@ai-sdk/openai`", ""],
  ["xai.responses", "`@ai-sdk/xai`", "a local server"],
  ["other.chat", "any other package", "conformance kit (`@ai-sdk/openai-compatible`)"],
];

/**
 * @param {{ compat: Readonly<Record<string, any>>, compatPages: Readonly<Record<string, string>>, ollamaServer: Row, knownModels: Readonly<Record<string, any>>,
 *   aiSdk: (model: any) => { capabilities: any } }} records
 * @returns {string} the page
 */
export function modelsPage({ compat, compatPages, ollamaServer, knownModels, aiSdk }) {
  return `# Supported models and servers

Look up which servers, AI SDK packages and models you can use, what each of them accepts, and what a model costs. To choose a model and set its options, see [Models and providers](./models-and-answers.md).

## Servers

\`openai()\` reaches each of these servers by its name: \`openai("some-model", { compat: "groq" })\`. OpenRouter and Vercel AI Gateway reach models of many vendors with one key: \`openai("anthropic/claude-sonnet-4.5", { compat: "openrouter" })\`, \`openai("anthropic/claude-sonnet-4.5", { compat: "vercel" })\`.

The columns of the table:

- **Works**: the server accepts it.
- **Repaired**: the framework changes your request so that the server accepts it. For example, it joins several system messages into one.
- **Refused**: the server does not have it. The setting is left out of the request, and a part becomes a text that names it.

Each repair and refusal adds a warning to the result.

${table(
  ["name", "works", "repaired", "refused", "source"],
  [
    ...Object.entries(compat).map(([name, record]) => serverRow(name, record, compatPages[name])),
    ollamaRow(ollamaServer),
  ],
)}

\`ollama()\` of \`@bailiwick/providers-openai/ollama\` speaks Ollama's own API. It sets the context window, and a request above the window is an error that makes the run compact its history. Over the OpenAI-compatible API, Ollama drops the beginning of the conversation.

Other models behind a server may take less. Say so in \`capabilities\`, or spread a record and change a field:
\`compat: { ...compat.vllm, images: false }\`.

## AI SDK packages

\`aiSdk()\` of \`@bailiwick/providers-ai-sdk\` takes a model of any package of the AI SDK. The table says what the bridge sends to each vendor; media of other types become a text that names them.

${table(
  ["package", "input besides text", "media in tool results", "`output`", "tested with"],
  bridged.map((row) => bridgedRow(row, aiSdk)),
)}

## Models

Windows, output limits and list prices in US dollars: of a million tokens, and of a call of the vendor's tools. A model that is not listed behaves as the newest kind of its vendor and has no price: give one in \`prices\`. \`pnpm models:table\` makes the rows from the catalogue of pi-ai (Copyright (c) Mario Zechner, MIT license), the vendors' SDKs and recordings; the last columns name the origin of a row and its day, with a link to the vendor's page. \`pnpm check:models LIST.json\` compares the table with a newer list.

"Cache writes" are for five minutes and for an hour. "Other prices" are factors of service tiers, prices of longer requests as input / output, and tools.

${table(["model", "window", "output", "input besides text", "efforts", "input", "cached", "cache writes", "output price", "other prices", "origin", "checked"], Object.entries(knownModels).map(modelRow))}
`;
}

/**
 * @param {string} name
 * @param {Row} record
 * @param {string | undefined} source
 */
function serverRow(name, record, source) {
  const native = record.api === "responses";
  const someSee = record.images ? false : record.models?.some((/** @type {Row} */ model) => model.images === true);
  const works = [
    record.tools === false ? undefined : "tools",
    record.images ? (record.imageUrls === false ? "images as data" : "images") : undefined,
    someSee ? "images with some models" : undefined,
    record.structuredOutput === "none" ? undefined : `JSON Schema ${record.structuredOutput.replace("-", " ")}`,
    record.reasoning === "none" ? (record.thinkingSwitch ? "thinking on and off" : undefined) : "reasoning effort",
    record.echoReasoning ? "reasoning goes back" : undefined,
  ];
  const repaired = [
    native ? undefined : "files other than PDF",
    record.imageUrls === false ? "images at addresses are downloaded" : undefined,
    record.systemMessages === "one" ? "one system message" : undefined,
    record.userAfterTool === false ? "answer between result and user" : undefined,
    record.endsWithAnswer === false ? "request to continue after an answer" : undefined,
    record.alternates === true ? "turns of user and model, calls as text" : undefined,
    record.namedToolChoice === false ? "named tool is offered alone" : undefined,
    record.toolCallId.pattern ? "call ids" : undefined,
    record.toolSchemas === undefined ? undefined : "schemas of tools",
    record.structuredOutput === "none" ? "final-answer tool for `output`" : undefined,
    record.forcedChoice === "without-thinking" ? "forced call without thinking" : undefined,
  ];
  const refused = [
    record.tools === false ? "tools" : undefined,
    record.images || someSee ? undefined : "images",
    record.forcedChoice === "never" ? "forced calls" : undefined,
    record.parallelToolCalls ? undefined : "`parallelToolCalls`",
    record.strictTools ? undefined : "strict tools",
    ...Object.keys(record.ignoredFields ?? {}).map((name) => `\`${name}\``),
  ];
  return [`\`${name}\``, list(works), list(repaired), list(refused), `[page](${source ?? ""})`];
}

/**
 * The row of Ollama's own API, where thinking is sent back in a separate field and files are not accepted.
 *
 * @param {Row} record
 */
function ollamaRow(record) {
  const row = serverRow("ollama", { ...record, echoReasoning: "thinking" }, "https://docs.ollama.com/api/chat");
  const [, works = "", repaired = "", refused = "", source = ""] = row;
  return ["`ollama()`", `${works}, \`num_ctx\``, repaired.replace("files other than PDF", "files"), refused, source];
}

/**
 * @param {readonly [string, string, string]} row
 * @param {(model: any) => { capabilities: any }} aiSdk
 */
function bridgedRow([provider, name, tested], aiSdk) {
  const model = { specificationVersion: "v4", provider, modelId: "m", doGenerate: () => undefined };
  const { input, toolResultMedia, structuredOutput } = aiSdk(model).capabilities;
  const schema =
    structuredOutput === "none" ? "final-answer tool" : `JSON Schema ${structuredOutput.replace("-", " ")}`;
  const media = toolResultMedia === "native" ? "in the result" : "in the message after";
  return [name, list(kinds(input)), media, schema, tested || "its rules alone"];
}

/** @param {readonly [string, Row]} entry */
function modelRow([
  id,
  { contextWindow, maxOutputTokens, input, efforts, chatToolEfforts, price, aliasOf, source, origin, checked },
]) {
  const number = (/** @type {number} */ value) => value.toLocaleString("en-US");
  const onlyResponses =
    chatToolEfforts === undefined
      ? ""
      : chatToolEfforts.length === 0
        ? "; no tools over Chat"
        : "; with tools over Chat: none";
  return [
    `\`${id}\`${aliasOf === undefined ? "" : ` (\`${aliasOf}\`)`}`,
    number(contextWindow),
    number(maxOutputTokens),
    list(input.map((/** @type {string} */ kind) => `${kind}s`.replace("audios", "audio"))),
    `${list(efforts)}${onlyResponses}`,
    `${price.input}`,
    `${price.cachedInput ?? price.input}`,
    price.cacheWrite === undefined
      ? ""
      : [price.cacheWrite, price.longCacheWrite].filter((each) => each !== undefined).join(", "),
    `${price.output}`,
    list(otherPrices(price)).replace(/^none$/, ""),
    origin,
    `[${checked}](${source})`,
  ];
}

/**
 * @param {Row} price
 * @returns {readonly string[]}
 */
function otherPrices({ longContext = [], tiers = {}, hostedCalls = {}, audioInput }) {
  return [
    ...longContext.map((/** @type {Row} */ step) => `above ${step.above / 1000}k: ${step.input} / ${step.output}`),
    ...Object.entries(tiers).map(([tier, factor]) => `${tier} × ${factor}`),
    ...(audioInput === undefined ? [] : [`audio ${audioInput}`]),
    ...Object.entries(hostedCalls).map(([name, usd]) => `\`${name}\` ${usd}`),
  ];
}

/** @param {Row} input */
function kinds(input) {
  return [input.image ? "images" : undefined, input.audio ? "audio" : undefined, input.file ? "files" : undefined];
}

/** @param {readonly (string | undefined)[]} words */
function list(words) {
  return words.filter((word) => word !== undefined).join(", ") || "none";
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
