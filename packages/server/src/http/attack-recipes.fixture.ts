import type { Hono } from "hono";
import { chatBody, type Known, type Sent } from "./attack-server.fixture.ts";

/** A request of an attacker on a route. */
interface Attack {
  /** Value of the route's `:id`. */
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the request starts a run for the attacker: its answer has new ids. */
  readonly starts?: true;
}

/** An attack with the route that it is for. */
export interface RouteAttack extends Sent {
  readonly route: string;
  readonly starts: boolean;
}

const ofRun = ({ runId, earlierRunId }: Known): readonly Attack[] => [{ id: runId }, { id: earlierRunId }];
const ofChat = ({ chatId }: Known): readonly Attack[] => [{ id: chatId }];
const responseIds = ({ runId, earlierRunId }: Known) => [`resp_${runId}`, `resp_${earlierRunId}`];
const asked = "What did I write before?";

/**
 * The requests of an attacker who knows every id, for each route. A route without an object of a user has no request.
 */
const recipes: Readonly<Record<string, (known: Known) => readonly Attack[]>> = {
  "POST /chat": ({ chatId, runId, questionId }) => [
    {
      body: {
        messages: [
          {
            id: runId,
            role: "assistant",
            parts: [{ state: "approval-responded", approval: { id: questionId, approved: true } }],
          },
        ],
      },
    },
    { starts: true, body: chatBody(chatId, asked) },
  ],
  "GET /chat": () => [{}, { query: "limit=200" }],
  "GET /chat/:id": ofChat,
  "PATCH /chat/:id": ({ chatId, branchId }) => [
    { id: chatId, body: { title: "Mine" } },
    { id: chatId, body: { branch: chatId } },
    { id: branchId, body: { title: "Mine" } },
  ],
  "DELETE /chat/:id": ofChat,
  "GET /chat/:id/branches": ofChat,
  "GET /chat/:id/stream": ofChat,
  "POST /chat/:id/stop": ({ chatId, runId }) => [
    { id: chatId, body: {} },
    { id: chatId, body: { activeStreamId: runId } },
  ],
  "POST /ag-ui": ({ chatId, branchId, questionId }) => [
    {
      body: {
        threadId: branchId,
        runId: "client",
        messages: [],
        resume: [{ interruptId: questionId, status: "resolved", payload: { approved: true } }],
      },
    },
    {
      starts: true,
      body: { threadId: chatId, runId: "client", messages: [{ id: "u1", role: "user", content: asked }] },
    },
  ],
  "GET /runs": ({ chatId, branchId }) => [
    {},
    { query: "limit=100" },
    { query: "state=suspended" },
    { query: "state=completed,suspended" },
    { query: `sessionId=${chatId}` },
    { query: `sessionId=${branchId}&state=suspended` },
  ],
  "GET /interruptions": ({ branchId }) => [{}, { query: "limit=100" }, { query: `sessionId=${branchId}` }],
  "GET /runs/:id": ofRun,
  "GET /runs/:id/stream": ofRun,
  "GET /runs/:id/interruptions": ofRun,
  "GET /runs/:id/journal": ({ runId }) => [{ id: runId }, { id: runId, query: "after=1" }],
  "GET /runs/:id/timeline": ofRun,
  "GET /runs/:id/audit": ofRun,
  "POST /runs/:id/decisions": ({ runId, questionId, token }) =>
    ["approve", "reject"].map((type) => ({ id: runId, body: { decisions: [{ id: questionId, type, token }] } })),
  "POST /runs/:id/steer": ({ runId }) => [{ id: runId, body: { text: "Pay more." } }],
  "POST /runs/:id/cancel": ({ runId }) => [{ id: runId, body: { reason: "No." } }],
  "POST /runs/:id/replay": ({ runId }) => [{ id: runId, body: {} }],
  "GET /runs/:id/fork": ({ runId }) => [{ id: runId }, { id: runId, query: "atSeq=1" }],
  "POST /runs/:id/fork": ({ runId }) => [{ id: runId, body: { atSeq: 1, message: "Show me." } }],
  "GET /v1/models": () => [],
  "GET /v1/models/:id": () => [],
  "POST /v1/chat/completions": ({ chatId }) => [
    {
      starts: true,
      headers: { "x-bailiwick-session": chatId },
      body: { model: "clerk", messages: [{ role: "user", content: asked }] },
    },
  ],
  "POST /v1/responses": (known) => [
    ...responseIds(known).map((id) => ({ body: { model: "clerk", input: asked, previous_response_id: id } })),
    { starts: true, body: { model: "clerk", input: asked, conversation: known.chatId } },
  ],
  "GET /v1/responses/:id": (known) => responseIds(known).map((id) => ({ id })),
  "POST /v1/responses/:id/cancel": ({ runId }) => [{ id: `resp_${runId}`, body: {} }],
};

/** The routes of an app, without its middleware. */
function routesOf(app: Hono): readonly string[] {
  const handlers = app.routes.filter(({ method, path }) => !(method === "ALL" && path.endsWith("/*")));
  return [...new Set(handlers.map(({ method, path }) => `${method} ${path}`))];
}

/** The faults of the recipes for an app, as text. */
export function missingRecipes(app: Hono): readonly string[] {
  const routes = routesOf(app);
  return [
    ...routes
      .filter((route) => !Object.hasOwn(recipes, route))
      .map(
        (route) =>
          `Add "${route}" to the recipes of attack-recipes.fixture.ts, with each request that names an object of a user or lists them; an empty list if the route has none.`,
      ),
    ...Object.keys(recipes)
      .filter((route) => !routes.includes(route))
      .map((route) => `Remove "${route}" from the recipes of attack-recipes.fixture.ts: there is no such route.`),
  ];
}

/** The requests of an attacker on all routes. */
export function attacksOn(app: Hono, known: Known): readonly RouteAttack[] {
  return routesOf(app).flatMap((route) => {
    const [method = "", pattern = ""] = route.split(" ");
    return (recipes[route]?.(known) ?? []).map(({ id = "", query, body, headers, starts = false }) => ({
      route,
      starts,
      method,
      path: `${pattern.replace(":id", encodeURIComponent(id))}${query === undefined ? "" : `?${query}`}`,
      body,
      ...(headers !== undefined && { headers }),
    }));
  });
}
