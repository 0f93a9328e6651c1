// The functions and types with a page of options.
import { commentOf, modulesOf } from "./reference-gaps.mjs";
import { membersOf } from "./typedoc-text.mjs";

/**
 * The pages in their order: slug, title, entry point, interface, the export whose example the page shows (`-` for
 * none), and the guide. Exported options types that are not in the table get a page too, below the topic of their
 * package.
 */
const table = `
# Agents and runs
agent           | new Agent()                                               | core/main               | AgentOptions          | Agent                      | quickstart
run             | agent.run(), agent.stream()                               | core/main               | RunOptions            | Agent                      | runs-and-effects
resume          | agent.resume()                                            | core/main               | ResumeOptions         | ResumeOptions              | people-in-the-loop
enqueue         | agent.enqueue()                                           | core/main               | EnqueueOptions        | EnqueueOptions             | workers
preflight       | agent.preflight()                                         | core/main               | PreflightOptions      | -                          | questions
fork            | agent.fork()                                              | core/main               | ForkOptions           | -                          | runs-and-effects
follow          | agent.follow()                                            | core/main               | FollowOptions         | -                          | streaming
export          | exportJournal(), verifyJournal()                          | core/main               | ExportOptions         | exportJournal              | stores
agent-tool      | agent.asTool()                                            | core/main               | AgentToolOptions      | agentTool                  | agents-together
handoff         | handoff()                                                 | core/main               | HandoffOptions        | handoff                    | agents-together
composition     | pipeline(), parallel(), map(), route(), loop(), attempt() | compose/main            | CompositionOptions    | -                          | workflows
# Tools
tool            | tool()                                                    | core/main               | ToolOptions           | tool                       | tools
client-tool     | clientTool()                                              | core/main               | ClientToolOptions     | clientTool                 | people-in-the-loop
classify-tools  | classifyTools()                                           | core/main               | ClassifyToolsOptions  | classifyTools              | declaring-tools
sandboxed-tool  | sandboxedTool()                                           | core/main               | SandboxedToolOptions  | -                          | sandboxes
code-mode       | codeMode()                                                | compose/code-mode       | CodeModeOptions       | codeMode                   | sandboxes
sandbox         | sandbox                                                   | core/main               | SandboxConfig         | Agent                      | sandboxes
workspace       | workspace()                                               | workspace               | WorkspaceOptions      | workspace                  | workspace
create-sandbox  | createSandbox()                                           | security/sandbox        | SandboxOptions        | createSandbox              | sandboxes
skills          | skills()                                                  | skills                  | SkillsOptions         | skills                     | skills
mcp-http        | mcp() over HTTP                                           | mcp/main                | McpHttpOptions        | mcp                        | mcp
mcp-stdio       | mcp() over stdio                                          | mcp/main                | McpStdioOptions       | mcp                        | mcp
oauth           | oauth()                                                   | mcp/main                | OAuthOptions          | oauth                      | mcp
# Protection
flow            | flow of an agent                                          | core/main               | FlowOptions           | Agent                      | security
approval        | approval of an agent                                      | core/main               | ApprovalConfig        | Agent                      | people-in-the-loop
quarantine      | extract of a tool                                         | core/main               | QuarantineOptions     | -                          | quarantine
guarded-fetch   | guardedFetch()                                            | security/main           | GuardedFetchOptions   | guardedFetch               | security
# Models
openai          | openai()                                                  | providers-openai/main   | OpenAIOptions         | openai                     | models-and-answers
openai-call     | openaiOptions()                                           | providers-openai/main   | OpenAICallOptions     | openaiOptions              | models-and-answers
ollama          | ollama()                                                  | providers-openai/ollama | OllamaOptions         | ollama                     | model-servers
anthropic       | anthropic()                                               | providers-anthropic     | AnthropicOptions      | anthropic                  | models-and-answers
anthropic-call  | anthropicOptions()                                        | providers-anthropic     | AnthropicCallOptions  | anthropicOptions           | models-and-answers
google          | google()                                                  | providers-google        | GoogleOptions         | google                     | models-and-answers
google-call     | googleOptions()                                           | providers-google        | GoogleCallOptions     | googleOptions              | models-and-answers
ai-sdk          | aiSdk()                                                   | providers-ai-sdk        | AiSdkOptions          | aiSdk                      | models-and-answers
fetch-node      | fetchNode()                                               | fetch-node              | FetchNodeOptions      | fetchNode                  | models-and-answers
# Stores and memory
memory-store    | memoryStore()                                             | core/main               | MemoryStoreOptions    | memoryStore                | stores
sqlite-store    | sqliteStore()                                             | store-sqlite            | SqliteStoreOptions    | sqliteStore                | stores
postgres-store  | postgresStore()                                           | store-postgres          | PostgresStoreOptions  | postgresStore              | postgres
store-object    | storeObject()                                             | store-durable-objects   | StoreObjectOptions    | storeObject                | hosts
memory          | memory()                                                  | memory                  | MemoryOptions         | memory                     | memory
documents       | documents()                                               | memory                  | DocumentsOptions      | documents                  | memory
openai-embedder | openaiEmbedder()                                          | providers-openai/main   | OpenAIEmbedderOptions | openaiEmbedder             | memory
google-embedder | googleEmbedder()                                          | providers-google        | GoogleEmbedderOptions | googleEmbedder             | memory
ai-sdk-embedder | aiSdkEmbedder()                                           | providers-ai-sdk        | AiSdkEmbedderOptions  | aiSdkEmbedder              | memory
# Workers
worker          | worker()                                                  | worker                  | WorkerOptions         | worker                     | workers
drive-due       | driveDue()                                                | worker                  | DriveDueOptions       | driveDue                   | workers
schedule        | schedule()                                                | worker                  | ScheduleOptions       | schedule                   | workers
webhook         | webhook()                                                 | worker                  | WebhookOptions        | webhook                    | workers
delete-runs     | deleteRuns()                                              | worker                  | DeleteRunsOptions     | deleteRuns                 | workers
restate-runs    | restateRuns()                                             | restate                 | RestateOptions        | restateRuns                | restate
# Pages and protocols
run-routes      | runRoutes()                                               | server                  | RunRoutesOptions      | runRoutes                  | chat
openai-routes   | openaiRoutes()                                            | server                  | OpenaiRoutesOptions   | openaiRoutes               | openai-compatible
agent-client    | agentClient()                                             | react                   | AgentClientOptions    | agentClient                | chat
mcp-server      | mcpServer()                                               | mcp/server              | McpServerOptions      | mcpServer                  | mcp-server
# Observe and test
evaluation      | evaluation()                                              | evals                   | EvaluationOptions     | evaluation                 | evaluations
otel            | otel()                                                    | otel                    | OtelOptions           | otel                       | observability
studio          | studio()                                                  | studio                  | StudioOptions         | studio                     | studio
scripted-model  | scriptedModel()                                           | testing/main            | ScriptedModelOptions  | scriptedModel              | testing
model-server    | modelServer()                                             | testing/model-server    | ModelServerOptions    | modelServer                | testing
cassette        | cassette()                                                | testing/main            | CassetteOptions       | cassette                   | testing
hijacked-model  | hijackedModel()                                           | testing/main            | HijackedModelOptions  | hijackedModel              | testing
`;

/** The topic and the guide of options types that are not in the table, by the beginning of their entry point. */
const defaults = `
agent/declare      | Protection           | declaring-tools
compose            | Agents and runs      | workflows
core/questions     | Agents and runs      | people-in-the-loop
core/provider      | Models               | models-and-answers
core               | Extensions and ports | extensions
mcp/server         | Pages and protocols  | mcp-server
mcp                | Tools                | mcp
memory             | Stores and memory    | memory
otel               | Observe and test     | observability
providers-openai   | Models               | model-servers
providers          | Models               | models-and-answers
fetch-node         | Models               | models-and-answers
react              | Pages and protocols  | chat
security/sandbox   | Tools                | sandboxes
security           | Protection           | security
server             | Pages and protocols  | chat
store              | Stores and memory    | stores
skills             | Tools                | skills
studio             | Observe and test     | studio
evals              | Observe and test     | evaluations
testing            | Observe and test     | testing
workspace          | Tools                | workspace
worker             | Workers              | workers
restate            | Workers              | restate
`;

/**
 * A page of options.
 *
 * @typedef {object} OptionPage
 * @property {string} topic the heading in the index
 * @property {string} slug
 * @property {string} title
 * @property {string} module the entry point that exports the interface, as `package/entry point`
 * @property {string} type the interface
 * @property {string} of the export whose example the page shows, as `module:name`; empty for none
 * @property {string} guide
 */

/** @param {string} text */
const cellsOf = (text) => text.split("|").map((cell) => cell.trim());

/** @param {string} page */
const guideOf = (page) => (page === "quickstart" ? page : `guides/${page}`);

/** The pages of the table. */
const listedPages = table
  .trim()
  .split(/^# /m)
  .slice(1)
  .flatMap((group) => {
    const [topic = "", ...rows] = group.trim().split("\n");
    return rows.map((row) => {
      const [slug = "", title = "", module = "", type = "", example = "", guide = ""] = cellsOf(row);
      const of = example === "-" ? "" : example === "Agent" ? "agent/main:Agent" : example;
      return {
        topic,
        slug,
        title,
        module,
        type,
        of: of === "" || of.includes(":") ? of : `${module}:${of}`,
        guide: guideOf(guide),
      };
    });
  });

/**
 * All pages: those of the table, then one for each other exported type whose name ends in `Options`.
 *
 * @param {any} project the JSON of TypeDoc
 * @returns {readonly OptionPage[]}
 */
export function optionPagesOf(project) {
  const known = new Set(listedPages.map(({ module, type }) => `${module}:${type}`));
  const slugs = new Set(listedPages.map(({ slug }) => slug));
  const more = project.children.flatMap((/** @type {any} */ pack) =>
    modulesOf(pack).flatMap((/** @type {any} */ module) => {
      const folder = pack.name.replace("@bailiwick/", "");
      const key = module === pack ? folder : `${folder}/${module.name}`;
      return (
        (module.children ?? [])
          .filter((/** @type {any} */ one) => one.name.endsWith("Options") && one.variant !== "reference")
          // An alias of several options types has no members, because each of them has its page.
          .filter((/** @type {any} */ one) => !known.has(`${key}:${one.name}`) && membersOf(one).length > 0)
          .map((/** @type {any} */ one) => pageOf(key, module, one.name, slugs))
      );
    }),
  );
  const topics = [...new Set([...listedPages, ...more].map(({ topic }) => topic))];
  return [...listedPages, ...more].toSorted((a, b) => topics.indexOf(a.topic) - topics.indexOf(b.topic));
}

/**
 * @param {string} key
 * @param {any} module
 * @param {string} type
 * @param {Set<string>} slugs those that are taken
 * @returns {OptionPage}
 */
function pageOf(key, module, type, slugs) {
  const row = defaults
    .trim()
    .split("\n")
    .map(cellsOf)
    .find(([beginning = ""]) => key.startsWith(beginning));
  if (row === undefined) throw new Error(`Give the options of ${key} a topic in option-list.mjs.`);
  const [, topic = "", guide = ""] = row;
  const users = module.children.filter((/** @type {any} */ one) =>
    (one.signatures ?? []).some((/** @type {any} */ signature) =>
      (signature.parameters ?? []).some((/** @type {any} */ parameter) => namesType(parameter.type, type)),
    ),
  );
  const user = users.find((/** @type {any} */ one) => hasExample(one));
  const slug = type
    .replace(/Options$/, "")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase();
  const free = slugs.has(slug) ? `${slug}-options` : slug;
  slugs.add(free);
  return {
    topic,
    slug: free,
    module: key,
    type,
    title: users.length === 0 ? type : users.map((/** @type {any} */ one) => `${one.name}()`).join(", "),
    of: user === undefined ? "" : `${key}:${user.name}`,
    guide: guideOf(guide),
  };
}

/**
 * @param {any} type
 * @param {string} name
 * @returns {boolean}
 */
function namesType(type, name) {
  return type?.name === name || (type?.types ?? []).some((/** @type {any} */ one) => namesType(one, name));
}

/** @param {any} one */
function hasExample(one) {
  return (commentOf(one)?.blockTags ?? []).some((/** @type {any} */ tag) => tag.tag === "@example");
}
