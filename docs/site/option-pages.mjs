// Writes a page of options for each function that takes them, from the model of the API that TypeDoc made.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownOfComment, typeText } from "./typedoc-text.mjs";

/** The version in which the options of today were published first. */
const firstVersion = "0.1.0";

/**
 * The functions that have a page, and the interface of their options. An exported interface whose name ends in
 * `Options` and that is not listed here is found in the API reference only.
 *
 * @type {readonly { topic: string, slug: string, title: string, module: string, type: string, of: string, guide: string }[]}
 */
export const optionPages = [
  ...group("Agents and runs", [
    entry("agent", "new Agent()", "core/main", "AgentOptions", "agent/main:Agent", "quickstart"),
    entry(
      "run",
      "agent.run(), agent.stream()",
      "core/main",
      "RunOptions",
      "agent/main:Agent",
      "guides/runs-and-effects",
    ),
    entry("resume", "agent.resume()", "core/main", "ResumeOptions", "agent/main:Agent", "guides/people-in-the-loop"),
    entry("enqueue", "agent.enqueue()", "core/main", "EnqueueOptions", "agent/main:Agent", "guides/workers"),
    entry("preflight", "agent.preflight()", "core/main", "PreflightOptions", "", "guides/questions"),
    entry("fork", "agent.fork()", "core/main", "ForkOptions", "", "guides/runs-and-effects"),
    entry("follow", "agent.follow()", "core/main", "FollowOptions", "", "guides/streaming"),
    entry(
      "agent-tool",
      "agent.asTool()",
      "core/main",
      "AgentToolOptions",
      "core/main:agentTool",
      "guides/agents-together",
    ),
    entry("handoff", "handoff()", "core/main", "HandoffOptions", "core/main:handoff", "guides/agents-together"),
    entry(
      "composition",
      "pipeline(), parallel(), map(), route(), loop(), attempt()",
      "core/compose",
      "CompositionOptions",
      "core/compose:pipeline",
      "guides/workflows",
    ),
  ]),
  ...group("Tools", [
    entry("tool", "tool()", "core/main", "ToolOptions", "core/main:tool", "guides/tools"),
    entry(
      "client-tool",
      "clientTool()",
      "core/main",
      "ClientToolOptions",
      "core/main:clientTool",
      "guides/people-in-the-loop",
    ),
    entry("sandboxed-tool", "sandboxedTool()", "core/main", "SandboxedToolOptions", "", "guides/sandboxes"),
    entry(
      "code-mode",
      "codeMode()",
      "core/code-mode",
      "CodeModeOptions",
      "core/code-mode:codeMode",
      "guides/sandboxes",
    ),
    entry("sandbox", "sandbox", "core/main", "SandboxConfig", "agent/main:Agent", "guides/sandboxes"),
    entry(
      "create-sandbox",
      "createSandbox()",
      "sandbox",
      "SandboxOptions",
      "sandbox:createSandbox",
      "guides/sandboxes",
    ),
    entry("mcp-http", "mcp() over HTTP", "mcp/main", "McpHttpOptions", "mcp/main:mcp", "guides/mcp"),
    entry("mcp-stdio", "mcp() over stdio", "mcp/main", "McpStdioOptions", "mcp/main:mcp", "guides/mcp"),
    entry("oauth", "oauth()", "mcp/main", "OAuthOptions", "mcp/main:oauth", "guides/mcp"),
  ]),
  ...group("Protection", [
    entry("flow", "flow of an agent", "core/main", "FlowOptions", "agent/main:Agent", "guides/security"),
    entry(
      "approval",
      "approval of an agent",
      "core/main",
      "ApprovalConfig",
      "agent/main:Agent",
      "guides/people-in-the-loop",
    ),
    entry(
      "guarded-fetch",
      "guardedFetch()",
      "security/net",
      "GuardedFetchOptions",
      "security/net:guardedFetch",
      "guides/security",
    ),
  ]),
  ...group("Models", [
    entry(
      "openai",
      "openai()",
      "providers-openai/main",
      "OpenAIOptions",
      "providers-openai/main:openai",
      "guides/models-and-answers",
    ),
    entry(
      "openai-call",
      "openaiOptions()",
      "providers-openai/main",
      "OpenAICallOptions",
      "providers-openai/main:openaiOptions",
      "guides/models-and-answers",
    ),
    entry(
      "ollama",
      "ollama()",
      "providers-openai/ollama",
      "OllamaOptions",
      "providers-openai/ollama:ollama",
      "guides/model-servers",
    ),
    entry(
      "anthropic",
      "anthropic()",
      "providers-anthropic",
      "AnthropicOptions",
      "providers-anthropic:anthropic",
      "guides/models-and-answers",
    ),
    entry(
      "anthropic-call",
      "anthropicOptions()",
      "providers-anthropic",
      "AnthropicCallOptions",
      "providers-anthropic:anthropicOptions",
      "guides/models-and-answers",
    ),
    entry(
      "google",
      "google()",
      "providers-google",
      "GoogleOptions",
      "providers-google:google",
      "guides/models-and-answers",
    ),
    entry(
      "google-call",
      "googleOptions()",
      "providers-google",
      "GoogleCallOptions",
      "providers-google:googleOptions",
      "guides/models-and-answers",
    ),
    entry(
      "ai-sdk",
      "aiSdk()",
      "providers-ai-sdk",
      "AiSdkOptions",
      "providers-ai-sdk:aiSdk",
      "guides/models-and-answers",
    ),
    entry(
      "fetch-node",
      "fetchNode()",
      "fetch-node",
      "FetchNodeOptions",
      "fetch-node:fetchNode",
      "guides/models-and-answers",
    ),
  ]),
  ...group("Stores and memory", [
    entry("memory-store", "memoryStore()", "core/main", "MemoryStoreOptions", "core/main:memoryStore", "guides/stores"),
    entry(
      "sqlite-store",
      "sqliteStore()",
      "store-sqlite",
      "SqliteStoreOptions",
      "store-sqlite:sqliteStore",
      "guides/stores",
    ),
    entry(
      "postgres-store",
      "postgresStore()",
      "store-postgres",
      "PostgresStoreOptions",
      "store-postgres:postgresStore",
      "guides/postgres",
    ),
    entry(
      "store-object",
      "storeObject()",
      "store-durable-objects",
      "StoreObjectOptions",
      "store-durable-objects:storeObject",
      "guides/hosts",
    ),
    entry("memory", "memory()", "memory", "MemoryOptions", "memory:memory", "guides/memory"),
    entry(
      "openai-embedder",
      "openaiEmbedder()",
      "providers-openai/main",
      "OpenAIEmbedderOptions",
      "providers-openai/main:openaiEmbedder",
      "guides/memory",
    ),
    entry(
      "google-embedder",
      "googleEmbedder()",
      "providers-google",
      "GoogleEmbedderOptions",
      "providers-google:googleEmbedder",
      "guides/memory",
    ),
    entry(
      "ai-sdk-embedder",
      "aiSdkEmbedder()",
      "providers-ai-sdk",
      "AiSdkEmbedderOptions",
      "providers-ai-sdk:aiSdkEmbedder",
      "guides/memory",
    ),
  ]),
  ...group("Workers", [
    entry("worker", "worker()", "worker", "WorkerOptions", "worker:worker", "guides/workers"),
    entry("drive-due", "driveDue()", "worker", "DriveDueOptions", "worker:driveDue", "guides/workers"),
    entry("schedule", "schedule()", "worker", "ScheduleOptions", "worker:schedule", "guides/workers"),
    entry("webhook", "webhook()", "worker", "WebhookOptions", "worker:webhook", "guides/workers"),
    entry("delete-runs", "deleteRuns()", "worker", "DeleteRunsOptions", "worker:deleteRuns", "guides/workers"),
    entry("restate-runs", "restateRuns()", "restate", "RestateOptions", "restate:restateRuns", "guides/restate"),
  ]),
  ...group("Pages and protocols", [
    entry("run-routes", "runRoutes()", "server", "RunRoutesOptions", "server:runRoutes", "guides/chat"),
    entry(
      "openai-routes",
      "openaiRoutes()",
      "server",
      "OpenaiRoutesOptions",
      "server:openaiRoutes",
      "guides/openai-compatible",
    ),
    entry("agent-client", "agentClient()", "react", "AgentClientOptions", "react:agentClient", "guides/chat"),
    entry("mcp-server", "mcpServer()", "mcp/server", "McpServerOptions", "mcp/server:mcpServer", "guides/mcp"),
  ]),
  ...group("Observe and test", [
    entry("otel", "otel()", "otel", "OtelOptions", "otel:otel", "guides/observability"),
    entry("studio", "studio()", "studio", "StudioOptions", "studio:studio", "guides/studio"),
    entry(
      "scripted-model",
      "scriptedModel()",
      "testing/main",
      "ScriptedModelOptions",
      "testing/main:scriptedModel",
      "guides/testing",
    ),
    entry(
      "model-server",
      "modelServer()",
      "testing/model-server",
      "ModelServerOptions",
      "testing/model-server:modelServer",
      "guides/testing",
    ),
    entry("cassette", "cassette()", "testing/main", "CassetteOptions", "testing/main:cassette", "guides/testing"),
    entry(
      "hijacked-model",
      "hijackedModel()",
      "testing/main",
      "HijackedModelOptions",
      "testing/main:hijackedModel",
      "guides/testing",
    ),
  ]),
];

/**
 * @param {string} topic the heading in the index
 * @param {readonly ReturnType<typeof entry>[]} pages
 */
function group(topic, pages) {
  return pages.map((page) => ({ topic, ...page }));
}

/**
 * @param {string} slug
 * @param {string} title
 * @param {string} module the entry point that exports the interface, as `package/entry point`
 * @param {string} type the interface
 * @param {string} of the export whose example the page shows, as `module:name`; empty for none
 * @param {string} guide
 */
function entry(slug, title, module, type, of, guide) {
  return { slug, title, module, type, of, guide };
}

/**
 * Writes the pages, and an index that lists every option by name.
 *
 * @param {any} project the JSON of TypeDoc
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} merges how a run's value of an option joins the agent's, by the option's name
 * @returns {string[]} the problems: an interface that is gone, an option without a description
 */
export function writeOptionPages(project, folder, merges) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const problems = [];
  /** @type {{ name: string, page: string, title: string, about: string }[]} */
  const names = [];
  for (const page of optionPages) {
    const type = exportOf(project, page.module, page.type);
    if (type === undefined) {
      problems.push(`options/${page.slug}: ${page.module} exports no ${page.type}`);
      continue;
    }
    const rows = membersOf(type)
      .filter((member) => typeText(member.type) !== "undefined")
      .map(rowOf);
    for (const { name, about } of rows) {
      if (about === "") problems.push(`options/${page.slug}: the option "${name}" of ${page.type} has no doc comment`);
      names.push({ name, page: page.slug, title: page.title, about });
    }
    if (page.of !== "" && exampleOf(project, page.of) === "")
      problems.push(`options/${page.slug}: ${page.of} has no example, or is not exported`);
    writeFileSync(join(folder, `${page.slug}.md`), textOf(page, type, rows, exampleOf(project, page.of), merges));
  }
  writeFileSync(join(folder, "index.md"), indexOf(names));
  return problems;
}

/**
 * The entry points of packages that the API reference leaves out.
 *
 * @param {any} project
 * @returns {string[]}
 */
export function unlistedEntryPoints(project) {
  return project.children.flatMap((/** @type {any} */ pack) => {
    const name = pack.name === "bailiwick" ? "cli" : pack.name.replace("@bailiwick/", "");
    const folder = new URL(`../../packages/${name}/`, import.meta.url);
    const { exports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
    const listed = new Set(modulesOf(pack).map((/** @type {any} */ module) => module.name));
    return Object.entries(exports ?? {})
      .filter(([, target]) => typeof target === "object")
      .map(([path]) => path.slice("./".length))
      .filter((path) => path !== "" && !listed.has(path) && !documentedElsewhere.has(`${pack.name}/${path}`))
      .map((path) => `${pack.name}/${path} is not an entry point of the API reference`);
  });
}

/** Entry points that only pass on exports of another one, or that applications do not import. */
const documentedElsewhere = new Set([
  "@bailiwick/agent/compose",
  "@bailiwick/agent/code-mode",
  "@bailiwick/store-sqlite/portable",
]);

/**
 * The exports of a project without a doc comment.
 *
 * @param {any} project
 * @returns {string[]}
 */
export function undocumentedExports(project) {
  return project.children.flatMap((/** @type {any} */ pack) =>
    modulesOf(pack).flatMap((/** @type {any} */ module) =>
      (module.children ?? [])
        .filter((/** @type {any} */ one) => one.variant !== "reference" && commentOf(one) === undefined)
        .map((/** @type {any} */ one) => `${pack.name} exports ${one.name} without a doc comment`),
    ),
  );
}

/** @param {any} pack */
const modulesOf = (pack) => (pack.children?.[0]?.kind === 2 ? pack.children : [pack]);

/** @param {any} one */
const commentOf = (one) =>
  one.comment ?? one.signatures?.[0]?.comment ?? one.type?.declaration?.signatures?.[0]?.comment;

/**
 * @param {any} project
 * @param {string} module
 * @param {string} name
 */
function exportOf(project, module, name) {
  const [packageName, entryPoint] = module.split("/");
  const pack = project.children.find((/** @type {any} */ one) => one.name === `@bailiwick/${packageName}`);
  if (pack === undefined) return undefined;
  const found = modulesOf(pack).find((/** @type {any} */ one) => entryPoint === undefined || one.name === entryPoint);
  return found?.children?.find((/** @type {any} */ one) => one.name === name);
}

/**
 * The members of an interface, or of an alias of an object type or an intersection.
 *
 * @param {any} type
 * @returns {any[]}
 */
function membersOf(type) {
  const members = type.children ?? type.type?.declaration?.children;
  if (members !== undefined) return members;
  return (type.type?.types ?? []).flatMap((/** @type {any} */ part) => part.declaration?.children ?? []);
}

/** @param {any} member */
function rowOf(member) {
  const signature = member.signatures?.[0] ?? member.type?.declaration?.signatures?.[0];
  const about = markdownOfComment(member.comment ?? signature?.comment);
  return {
    name: String(member.name),
    isOptional: Boolean(member.flags?.isOptional),
    type: member.signatures === undefined ? typeText(member.type) : "function",
    about,
    ...factsIn(about),
  };
}

/**
 * The default and the unit that a doc comment names.
 *
 * @param {string} about
 */
function factsIn(about) {
  const fallback =
    /\b[Dd]efaults?(?: is| to|:)? (`[^`]+`|the [\w' ]+|-?[\d,.]*\d(?: (?:ms|s|seconds|minutes|hours|days|KB|MB|MiB|bytes|tokens|characters))?|none|all|an? [\w ]+)/u.exec(
      about,
    )?.[1];
  const unit = /\b(milliseconds|seconds|minutes|days|bytes|tokens|characters|US dollars|mebibytes|megabytes)\b/u.exec(
    about,
  )?.[1];
  return { fallback: fallback ?? "", unit: unit ?? "" };
}

/**
 * @param {any} project
 * @param {string} of
 */
function exampleOf(project, of) {
  const [module = "", name = ""] = of.split(":");
  if (name === "") return "";
  const tags = commentOf(exportOf(project, module, name) ?? {})?.blockTags ?? [];
  const example = tags.find((/** @type {any} */ tag) => tag.tag === "@example");
  return (example?.content ?? []).map((/** @type {any} */ part) => part.text).join("");
}

/**
 * @param {(typeof optionPages)[number]} page
 * @param {any} type
 * @param {readonly ReturnType<typeof rowOf>[]} rows
 * @param {string} example
 * @param {ReadonlyMap<string, string>} merges
 */
function textOf(page, type, rows, example, merges) {
  const about = markdownOfComment(commentOf(type)) || `Options of \`${page.title}\`.`;
  const isShared = page.slug === "agent" || page.slug === "run";
  const cells = rows.map(({ name, type: text, isOptional, fallback, unit, about: meaning }) =>
    [
      `<a id="${name.toLowerCase()}"></a>\`${name}\`${isOptional ? "" : " (required)"}`,
      cell(meaning),
      `${code(text)}${unit === "" ? "" : `, ${unit}`}`,
      fallback,
      ...(isShared ? [merges.get(name) ?? ""] : []),
    ].join(" | "),
  );
  return [
    "---",
    `description: Every option of ${page.title} with type, default and unit.`,
    "---",
    "",
    `# Options: ${page.title}`,
    "",
    about,
    "",
    ...(example === "" ? [] : ["## Example", "", example.trim(), ""]),
    "## Options",
    "",
    `| option | meaning | type | default |${isShared ? " merge |" : ""}`,
    `| --- | --- | --- | --- |${isShared ? " --- |" : ""}`,
    ...cells.map((row) => `| ${row} |`),
    "",
    `Since ${firstVersion}.`,
    "",
    isShared
      ? "`merge` says how a run's value joins the agent's: [Options](../guides/options.md) explains the rules, and what runs inside inherit."
      : "A name that is not listed throws `UNKNOWN_OPTION` where the function checks its options, and suggests the nearest one.",
    "",
    `Guide: [how to use it](../${page.guide}.md). All options by name: [index](./index.md).`,
    "",
  ].join("\n");
}

/** @param {readonly { name: string, page: string, title: string, about: string }[]} names */
function indexOf(names) {
  const sorted = names.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.page.localeCompare(b.page, "en"));
  return [
    "---",
    "description: A page of options for each function, and an index of all options by name.",
    "---",
    "",
    "# Options of each function",
    "",
    "Each function has a page with all of its options: meaning, type, default, and an example. How options of an agent and of a run join: [Options](../guides/options.md).",
    "",
    ...[...new Set(optionPages.map(({ topic }) => topic))].flatMap((topic) => [
      `## ${topic}`,
      "",
      optionPages
        .filter((page) => page.topic === topic)
        .map(({ slug, title }) => `[${title}](./${slug}.md)`)
        .join(" · "),
      "",
    ]),
    "## All options by name",
    "",
    "| option | of |",
    "| --- | --- |",
    ...sorted.map(({ name, page, title }) => `| [\`${name}\`](./${page}.md#${name.toLowerCase()}) | ${title} |`),
    "",
  ].join("\n");
}

/** @param {string} text */
const cell = (text) => text.replaceAll(/\s+/gu, " ").replaceAll(/(?<!\\)\|/gu, "\\|");

/** @param {string} text */
const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;
