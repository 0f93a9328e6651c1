// The functions that have a page of options.

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
      "security/main:guardedFetch",
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
