import { BailiwickError, checkArgument } from "@bailiwick/core";
import { errorListener } from "@bailiwick/core/extension";
import { RequestError, thrownAsErrors } from "@bailiwick/server";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { authorityOf } from "../views/authority.ts";
import { exportedRun } from "../views/exported-run.ts";
import { modelCallOf } from "../views/model-call.ts";
import { modelRequestOf } from "../views/model-request.ts";
import { runView } from "../views/run-view.ts";
import type {
  StudioFailedRun,
  StudioInbox,
  StudioInfo,
  StudioQuestion,
  StudioQueue,
  StudioRunPage,
} from "../views/view-types.ts";
import { agentRoutes } from "./agent-routes.ts";
import { assign, assigneesOf } from "./assignments.ts";
import { createGate } from "./gate.ts";
import { addMemoryRoutes } from "./memory-routes.ts";
import { checkStudioOptions, type StudioAction, type StudioOptions, type StudioViewer } from "./options.ts";
import { pageFiles, safeHeaders } from "./page.ts";
import { addPlaygroundRoutes } from "./playground-routes.ts";
import { isSimulated, simulatedAgent } from "./simulation.ts";
import { searchOf, textsOf, wholeNumber } from "./run-parameters.ts";
import { keptCounts } from "./kept-counts.ts";
import { runFailures } from "./run-failures.ts";
import { createRunReader, recordViews } from "./run-reader.ts";
import { addScheduleRoutes, schedulesFor } from "./schedule-routes.ts";
import { toolsOf } from "./tool-views.ts";

/** A studio: a handler of web-standard requests. */
export interface Studio {
  /**
   * Answers a request. On Node the server's environment names the client's address:
   * `serve({ fetch: studio({ store }).fetch })` of `@hono/node-server` passes it.
   *
   * @param request - The HTTP request.
   * @param env - The server's environment, which names the client's address; Hono and workerd pass it.
   */
  fetch(request: Request, env?: object): Promise<Response>;
  /** Token of the link; absent with `authorize`. */
  readonly token: string | undefined;
  /**
   * Returns the link that opens the studio in a browser.
   *
   * @param base - Address at which it is mounted, such as `http://127.0.0.1:4311/`.
   */
  link(base: string): string;
}

/** Maximum size of a body in bytes. */
const mostBytes = 1_048_576;

/** Number of waiting runs on one page of the inbox. */
const inboxPage = 50;

/** Import of the agents in a saved test, unless `entry` names another. */
const usualEntry = "./agent.ts";

/** Statuses of framework errors that are about the request. */
const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  RUN_NOT_FOUND: 404,
  RUN_BUSY: 409,
  SEARCH_CURSOR: 400,
  MEMORY_NOT_FOUND: 404,
  SEAL_KEY_MISSING: 409,
  SCHEDULE_NOT_FOUND: 404,
  MEMORY_SUPERSEDED: 409,
  CASSETTE_UNSUPPORTED: 409,
};

/**
 * Makes a studio: a page to search and inspect runs, answer their questions, and see how data flowed. It reads the store,
 * and only writes if the viewer decides or operates something.
 *
 * Without `authorize` it only answers this machine, and only with its token: open `link(base)` once in a browser.
 *
 * @param options - The store, and the agents whose runs can be decided and continued.
 * @returns a handler that can be mounted at any path that ends in a slash.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `CONFLICTING_OPTIONS`
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/core";
 * import { studio } from "@bailiwick/studio";
 *
 * const { fetch, link } = studio({ store: memoryStore() });
 * console.log(link("http://127.0.0.1:4311/"), fetch);
 * ```
 */
export function studio(options: StudioOptions): Studio {
  checkArgument(options, "object", "studio({ store })");
  checkStudioOptions(options);
  const { store } = options;
  const onError = errorListener(options.onError);
  const agents = new Map((options.agents ?? []).map((agent) => [agent.name, agent]));
  const simulated = new Map([...agents].map(([name, agent]) => [name, simulatedAgent(agent)]));
  const gate = createGate(options);
  const reader = createRunReader(store, agents);
  const forward = agentRoutes(store, onError);
  const file = pageFiles();
  const permit = (context: Context, action: StudioAction): Promise<StudioViewer> => gate.permit(context, action);
  const ownerOf = ({ tenantId, allTenants }: StudioViewer) => ({ tenantId, allTenants });

  const counts = keptCounts(store);
  const failureOf = runFailures(store);

  const app = new Hono();
  app.onError((error, context) => errorAnswer(error, context, onError));
  app.use(thrownAsErrors);
  app.use(async (context, next) => {
    gate.checkCaller(context);
    await next();
    for (const [name, value] of Object.entries(safeHeaders)) context.res.headers.set(name, value);
  });
  app.use("/api/*", bodyLimit({ maxSize: mostBytes }));
  app.use("/api/*", async (context, next) => {
    await next();
    if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
  });

  app.get("/", async (context) => gate.enter(context) ?? file(context, "index.html"));
  app.get("/assets/:name", async (context) => file(context, `assets/${context.req.param("name")}`));
  // A link to one question can be sent to a colleague.
  app.get("/i/:id", (context) => context.redirect(`../#/inbox/${encodeURIComponent(context.req.param("id"))}`));

  app.get("/api/info", async (context) => {
    const viewer = await permit(context, "read");
    return context.json({
      home: options.home,
      store: store.name,
      agents: [...agents.keys()],
      userId: viewer.userId,
      memory: store.memories !== undefined,
      assigns: store.sessions !== undefined,
      models: (options.models ?? []).map(({ provider, modelId }) => `${provider}/${modelId}`),
      counts: await counts(viewer),
    } satisfies StudioInfo);
  });

  app.get("/api/runs", async (context) => {
    const viewer = await permit(context, "read");
    const page = await store.searchRuns({ ...searchOf(context.req.query()), ...ownerOf(viewer) });
    return context.json({ runs: page.runs.map(runView), next: page.next } satisfies StudioRunPage);
  });

  app.get("/api/runs/:id", async (context) => {
    const viewer = await permit(context, "read");
    return context.json(await reader.detail(viewer, context.req.param("id")));
  });

  app.get("/api/runs/:id/records", async (context) => {
    const viewer = await permit(context, "read");
    const { events } = await reader.read(viewer, context.req.param("id"));
    const { seqs, from, limit } = context.req.query();
    const wanted =
      seqs === undefined
        ? range(wholeNumber(from ?? "1", "from"), Math.min(500, wholeNumber(limit ?? "200", "limit")))
        : seqs.split(",").map((seq) => wholeNumber(seq, "seqs"));
    return context.json({ records: recordViews(events, new Set(wanted)), total: events.length });
  });

  app.get("/api/runs/:id/model/:seq", async (context) => {
    const viewer = await permit(context, "read");
    const { events } = await reader.read(viewer, context.req.param("id"));
    const call = modelCallOf(events, wholeNumber(context.req.param("seq"), "seq"));
    if (call === undefined) throw new RequestError(404, "RECORD_NOT_FOUND", "This record is not a model call.");
    return context.json(call);
  });

  app.get("/api/runs/:id/model/:seq/request", async (context) => {
    const viewer = await permit(context, "read");
    const run = await reader.find(viewer, context.req.param("id"));
    const agent = reader.agentOf(run);
    if (agent?.rebuildRequest === undefined) throw agentMissing(run.agentId, "rebuild this request");
    const seq = wholeNumber(context.req.param("seq"), "seq");
    return context.json(modelRequestOf(await agent.rebuildRequest(run.id, seq)));
  });

  app.get("/api/runs/:id/export/:kind{test|case}", async (context) => {
    const viewer = await permit(context, "read");
    const { events } = await reader.read(viewer, context.req.param("id"));
    const kind = context.req.param("kind") === "test" ? "test" : "case";
    return context.json(await exportedRun(events, kind, options.entry ?? usualEntry));
  });

  app.get("/api/runs/:id/authority", async (context) => {
    const viewer = await permit(context, "read");
    return context.json(authorityOf((await reader.read(viewer, context.req.param("id"))).events));
  });

  app.get("/api/inbox", async (context) => {
    const viewer = await permit(context, "read");
    const { after } = searchOf(context.req.query());
    const { runs, next } = await store.searchRuns({
      ...ownerOf(viewer),
      states: ["suspended"],
      limit: inboxPage,
      after,
    });
    const questions: StudioQuestion[] = [];
    for (const found of runs) {
      const { questions: asked, drivable } = await reader.questionsOf(found.run);
      const assignees = asked.length === 0 ? {} : await assigneesOf(store, found.run.id);
      for (const interruption of asked)
        questions.push({ run: runView(found), interruption, drivable, assignee: assignees[interruption.id] });
    }
    return context.json({ questions, next } satisfies StudioInbox);
  });

  app.post("/api/runs/:id/assign", async (context) => {
    const viewer = await permit(context, "decide");
    const run = await reader.find(viewer, context.req.param("id"));
    const { questionId, to, from } = textsOf(await context.req.json().catch(() => undefined), [
      "questionId",
      "to",
      "from",
    ]);
    if (!(await assign(store, run.id, questionId, { to, from })))
      throw new RequestError(409, "RUN_CHANGED", "Another person took the question meanwhile. Reload the page.");
    return context.json({ questionId, to });
  });

  app.get("/api/tools", async (context) => {
    const viewer = await permit(context, "read");
    return context.json(await toolsOf(store, [...agents.values()], ownerOf(viewer)));
  });

  app.get("/api/queue", async (context) => {
    const viewer = await permit(context, "read");
    const found = async (state: "stuck" | "failed" | "sleeping" | "queued") =>
      (await store.searchRuns({ ...ownerOf(viewer), states: [state], limit: 50 })).runs;
    const listed = async (state: "stuck" | "sleeping" | "queued") => (await found(state)).map(runView);
    const failed = (await found("failed")).map(async (one): Promise<StudioFailedRun> => ({
      ...runView(one),
      failure: await failureOf(one.run),
    }));
    return context.json({
      // The depth counts the runs of all tenants.
      agents: viewer.allTenants === true ? await store.queueDepth() : [],
      stuck: await listed("stuck"),
      failed: await Promise.all(failed),
      sleeping: await listed("sleeping"),
      queued: await listed("queued"),
      schedules: await schedulesFor(store, viewer),
    } satisfies StudioQueue);
  });

  app.post("/api/runs/:id/retry", async (context) => {
    const viewer = await permit(context, "operate");
    const run = await reader.find(viewer, context.req.param("id"));
    if (!(await store.requeue(run.id, run.epoch)))
      throw new RequestError(409, "RUN_CHANGED", "The run changed meanwhile. Reload the page and look again.");
    return context.json({ runId: run.id }, 202);
  });

  app.delete("/api/runs/:id", async (context) => {
    const viewer = await permit(context, "operate");
    const run = await reader.find(viewer, context.req.param("id"));
    await store.deleteRun(run.id);
    return context.json({ runId: run.id });
  });

  const actions: Readonly<Record<string, StudioAction>> = {
    decisions: "decide",
    cancel: "operate",
    steer: "operate",
    fork: "operate",
    audit: "read",
    replay: "read",
  };
  const continuing: ReadonlySet<string> = new Set(["decisions", "steer", "fork"]);
  app.on(["GET", "POST"], "/api/runs/:id/:action", async (context) => {
    const { id, action } = context.req.param();
    const kind = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (kind === undefined) return context.notFound();
    const viewer = await permit(context, kind);
    const run = await reader.find(viewer, id);
    const agent = reader.agentOf(run);
    if (agent === undefined) throw agentMissing(run.agentId, "continue this run");
    // Only what continues a run, or a fork of it, needs to know if the run is simulated.
    const isSimulation = continuing.has(action) && isSimulated((await reader.read(viewer, run.id)).events);
    const driving = isSimulation ? (simulated.get(agent.name) ?? agent) : agent;
    return forward(driving, viewer, context.req.raw, `/runs/${encodeURIComponent(run.id)}/${action}`);
  });

  app.post("/api/agents/:name/chat", async (context) => {
    const viewer = await permit(context, "operate");
    const agent = agents.get(context.req.param("name"));
    if (agent === undefined) throw new RequestError(404, "AGENT_MISSING", "The studio has no agent of this name.");
    return forward(agent, viewer, context.req.raw, "/chat");
  });

  app.get("/api/agents/:name/tools", async (context) => {
    await permit(context, "read");
    return context.json({ tools: (await agents.get(context.req.param("name"))?.explainTools?.()) ?? [] });
  });

  addMemoryRoutes(app, store, permit);
  addScheduleRoutes(app, store, permit);
  addPlaygroundRoutes(app, { agents, models: options.models, reader, permit, onError });
  app.all("/api/*", () => {
    throw new RequestError(404, "NOT_FOUND", "The studio has no such route.");
  });

  return {
    token: gate.token,
    link: (base) => (gate.token === undefined ? base : `${base}${base.includes("?") ? "&" : "?"}token=${gate.token}`),
    async fetch(request, env) {
      return (await slashed(request, env)) ?? app.fetch(request, env);
    },
  };
}

/**
 * The page's addresses are relative, so its own has to end in a slash. On a Node server the original path is known even
 * if a router cut it.
 */
async function slashed(request: Request, env: object | undefined): Promise<Response | undefined> {
  const { incoming } = (env ?? {}) as { readonly incoming?: { readonly originalUrl?: string; readonly url?: string } };
  const shown = incoming?.originalUrl ?? incoming?.url;
  if (shown === undefined || request.method !== "GET" || new URL(request.url).pathname !== "/") return undefined;
  const [path = "", query] = shown.split("?");
  if (path.endsWith("/")) return undefined;
  return new Response(null, {
    status: 302,
    headers: { location: `${path.split("/").at(-1) ?? ""}/${query === undefined ? "" : `?${query}`}` },
  });
}

function agentMissing(agentId: string, what: string): RequestError {
  return new RequestError(
    409,
    "AGENT_MISSING",
    `The studio has no agent "${agentId}", so it can't ${what}. Pass the agent to studio({ agents }).`,
  );
}

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, index) => from + index);
}

function errorAnswer(error: unknown, context: Context, onError: (error: unknown) => void): Response {
  if (BailiwickError.isInstance(error)) {
    const status = error instanceof RequestError ? error.status : statuses[error.code];
    if (status !== undefined) return context.json({ error: { code: error.code, message: error.message } }, status);
  }
  onError(error);
  return context.json(
    { error: { code: "INTERNAL", message: "The studio failed. The log of the server says more." } },
    500,
  );
}
