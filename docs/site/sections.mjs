/**
 * The sections of the site in the order in which a new user needs them, with the pages of each. The sidebar, llms.txt
 * and the check for unlisted pages use this list. A page that does not exist is left out.
 *
 * @type {readonly { title: string, pages: readonly string[], collapsed: boolean }[]}
 */
export const sections = [
  section("Start", ["guides/why", "quickstart", "guides/concepts", "guides/compare"]),
  section("Build", [
    "guides/tools",
    "guides/models-and-answers",
    "guides/model-servers",
    "guides/structured-output",
    "guides/conversations",
    "guides/streaming",
    "guides/people-in-the-loop",
    "guides/agents-together",
    "guides/workflows",
    "guides/workflow-names",
    "guides/memory",
    "guides/mcp",
    "guides/skills",
    "guides/workspace",
    "guides/sandboxes",
    "guides/extensions",
  ]),
  section("Protect", [
    "guides/security",
    "guides/declaring-tools",
    "guides/grants",
    "guides/questions",
    "guides/secrets",
    "guides/quarantine",
    "guides/attacks",
    "guides/question-figures",
  ]),
  section("Run", [
    "guides/stores",
    "guides/runs-and-effects",
    "guides/workers",
    "guides/production",
    "guides/hosts",
    "guides/sqlite",
    "guides/postgres",
    "guides/encryption",
    "guides/restate",
    "guides/observability",
    "guides/studio",
    "guides/command-line",
    "guides/cost-and-limits",
  ]),
  section("Test", ["guides/testing", "guides/simulation", "guides/how-tested", "guides/evaluations"]),
  section("Connect", [
    "guides/chat",
    "guides/ag-ui",
    "guides/openai-compatible",
    "guides/mcp-server",
    "guides/a2a",
    "recipes/authorize",
  ]),
  section("Reference", ["guides/options", "options/", "events/", "errors/", "reference/"]),
  section("Migrate", [
    "migrate/ai-sdk",
    "migrate/openai-agents",
    "migrate/mastra",
    "migrate/langgraph",
    "guides/names-elsewhere",
  ]),
  section("Recipes", ["recipes/"], true),
];

/**
 * @param {string} title
 * @param {readonly string[]} pages
 * @param {boolean} [collapsed]
 */
function section(title, pages, collapsed = false) {
  return { title, pages, collapsed };
}
