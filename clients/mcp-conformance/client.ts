// The client that the kit judges: an agent with the scenario's server, which calls what the scenario offers.
import { Agent, memoryStore } from "@bailiwick/agent";
import { clientCredentials, enterpriseAssertion, jwtBearer, mcp, oauth } from "@bailiwick/mcp";
import type { McpHttpOptions, McpServerTools } from "@bailiwick/mcp";
import { scriptedModel } from "@bailiwick/testing";

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly valid_jwt?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
  readonly toolCalls?: readonly Call[];
}
interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const version = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;
/** Most authorizations that a person gives before leaving, and those given so far. */
const mostAuthorizations = 3;
let authorizations = 0;

const redirectUrl = "http://localhost:8976/callback";
const auth = await authOf();
const server = mcp({
  name: "server",
  url,
  protocol: version === "2026-07-28" ? "2026-07-28" : "legacy",
  tools: {},
  elicitation: () => ({ action: "accept", content: scenario.startsWith("sep-2322") ? { confirmed: true } : {} }),
  ...(auth !== undefined && { auth }),
});

try {
  await authorized(() => server.connect());
  await useAll(server);
} finally {
  await server.close();
}

async function authOf(): Promise<McpHttpOptions["auth"]> {
  const { client_id: clientId, client_secret: clientSecret, issuer, private_key_pem: privateKey } = context;
  if (!scenario.startsWith("auth/")) return undefined;
  if (scenario.includes("client-credentials")) {
    return clientCredentials({
      clientId: clientId ?? "",
      issuer: issuer ?? (await issuerOf()),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(privateKey !== undefined && { privateKey, algorithm: context.signing_algorithm }),
    });
  }
  const assertion = assertionOf(context);
  if (assertion !== undefined)
    return jwtBearer({ clientId: clientId ?? "", clientSecret, issuer: issuer ?? (await issuerOf()), assertion });
  return oauth({
    proofOfPossession: scenario.includes("dpop"),
    clientName: "conformance",
    redirectUrl,
    ...(/cimd|offline/u.test(scenario) && { clientMetadataUrl: "https://conformance-test.local/client-metadata.json" }),
    ...(clientId !== undefined && { client: { clientId, clientSecret, issuer } }),
  });
}

/** The workload's token, or one for a user whom a company's identity provider knows. */
function assertionOf(given: Context) {
  const {
    valid_jwt: workload,
    idp_issuer: identityProvider,
    idp_client_id: clientId = "",
    idp_id_token: token,
  } = given;
  // The metadata of the kit's provider lacks fields that its standard requires.
  const tokenEndpoint = given.idp_token_endpoint;
  if (workload !== undefined) return () => workload;
  if (identityProvider === undefined) return undefined;
  return enterpriseAssertion({ identityProvider, tokenEndpoint, clientId, idToken: () => token ?? "" });
}

/** The issuer that the credentials of this scenario belong to, which its operator would know. */
async function issuerOf(): Promise<string> {
  const response = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url));
  const { authorization_servers: servers = [] } = (await response.json()) as { authorization_servers?: string[] };
  return servers[0] ?? "";
}

/** Visits the address where a person would authorize, and takes the answer. */
async function authorize(): Promise<boolean> {
  const pending = (auth as { readonly pendingUrl?: string } | undefined)?.pendingUrl;
  if (pending === undefined || authorizations >= mostAuthorizations) return false;
  authorizations += 1;
  const response = await fetch(pending, { redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null) return false;
  await server.finishAuthorization(location);
  return true;
}

/** Does what needs an authorization; a person gives as many as are asked for, up to a limit. */
async function authorized<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(await authorize())) throw error;
    }
  }
}

async function useAll(one: McpServerTools): Promise<void> {
  const names = async (): Promise<readonly string[]> => Object.keys(await authorized(() => one.pins()));
  const known = new Set(await names());
  const shown = (await shownTools()).filter(({ name }) => known.has(name));
  const calls = scenario.startsWith("json-schema-2020-12") ? [echo(shown)] : shown.map(callOf);
  await Promise.all((context.toolCalls ?? calls).map(({ name, arguments: input }) => call(name, input)));
  if (scenario === "auth/authorization-server-migration") for (const name of await names()) await call(name, {});
  if (scenario === "http-standard-headers") {
    for (const { uri } of await one.listResources()) await one.readResource(uri);
    for (const prompt of await one.listPrompts()) await one.getPrompt(prompt.name);
  }
}

interface ShownTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The tools as a model is shown them. */
async function shownTools(): Promise<readonly ShownTool[]> {
  const model = scriptedModel(["Done."]);
  await new Agent({ name: "client", model, store: memoryStore(), mcp: [server] }).run("Look at the tools.");
  return (model.requests[0]?.tools ?? []) as readonly ShownTool[];
}

/** A call that sends back the schema of one tool as the model was shown it. */
function echo(shown: readonly ShownTool[]): Call {
  const focal = "json_schema_2020_12_tool";
  const schema = shown.find(({ name }) => name === focal)?.inputSchema;
  return { name: shown.find(({ name }) => name !== focal)?.name ?? "", arguments: { schema } };
}

/** A call with a value for each field that has to have one. */
function callOf({ name, inputSchema }: ShownTool): Call {
  const { properties = {}, required = [] } = inputSchema as {
    readonly properties?: Record<string, { readonly type?: string }>;
    readonly required?: readonly string[];
  };
  const value = (type: string | undefined): unknown => (type === "number" || type === "integer" ? 5 : "text");
  return { name, arguments: Object.fromEntries(required.map((field) => [field, value(properties[field]?.type)])) };
}

/** Calls a tool as a run does; asked for more scope, it authorizes and calls again. */
async function call(name: string, input: Record<string, unknown>): Promise<void> {
  for (;;) {
    const agent = new Agent({
      name: "client",
      model: scriptedModel([{ toolCalls: [{ name, arguments: input }] }, "Done."]),
      store: memoryStore(),
      mcp: [server],
      flow: "off",
    });
    const output = await agent.run("Use the tool.").catch((error: unknown) => error as Error);
    const text = output instanceof Error ? output.message : JSON.stringify(output.messages.at(-2) ?? "");
    console.log(`${name}: ${text}`);
    if (!/authoriz/iu.test(text) || !(await authorize())) return;
  }
}
