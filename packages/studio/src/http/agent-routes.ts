import { runRoutes } from "@bailiwick/server";
import type { StudioAgent, StudioStore, StudioViewer } from "./options.ts";

/** Header of a forwarded request; a client's own header of this name is replaced. */
const viewerHeader = "x-bailiwick-studio-viewer";

/** Passes a viewer's request to the routes of one agent. */
export type AgentRoutes = (
  agent: StudioAgent,
  viewer: StudioViewer,
  request: Request,
  path: string,
) => Promise<Response>;

/**
 * The routes of `@bailiwick/server` for each agent, with the viewer as the caller: decisions are journaled with the
 * viewer's name, and a run belongs to its own user as before.
 */
export function agentRoutes(store: StudioStore, onError: (error: unknown) => void): AgentRoutes {
  /** Viewers of the current requests, by the name that their request carries: middleware makes new request objects. */
  const viewers = new Map<string, StudioViewer>();
  const made = new WeakMap<StudioAgent, { fetch(request: Request): Response | Promise<Response> }>();
  const isViewer = (): boolean => true;
  const routesOf = (agent: StudioAgent): { fetch(request: Request): Response | Promise<Response> } => {
    const known = made.get(agent);
    if (known !== undefined) return known;
    const routes = runRoutes({
      agent,
      store,
      onError,
      errorText: ({ message }) => message,
      share: { read: isViewer, decide: isViewer, continue: isViewer, fork: isViewer },
      authorize(request, { run }) {
        const viewer = viewers.get(request.headers.get(viewerHeader) ?? "");
        if (viewer === undefined) return null;
        const tenantId = run === undefined ? viewer.tenantId : run.tenantId;
        if (run !== undefined && viewer.allTenants !== true && run.tenantId !== viewer.tenantId) return null;
        return { userId: viewer.userId, tenantId, channel: "studio" };
      },
    });
    made.set(agent, routes);
    return routes;
  };
  return async (agent, viewer, request, path) => {
    const url = new URL(request.url);
    url.pathname = path;
    const forwarded = new Request(url, request);
    const name = crypto.randomUUID();
    forwarded.headers.set(viewerHeader, name);
    viewers.set(name, viewer);
    try {
      return await routesOf(agent).fetch(forwarded);
    } finally {
      viewers.delete(name);
    }
  };
}
