import type { MemoryScope, MemoryStore } from "@bailiwick/core";
import { RequestError } from "@bailiwick/server";
import type { Context, Hono } from "hono";
import type { StudioAction, StudioStore, StudioViewer } from "./options.ts";

/** Most memories of one page. */
const mostMemories = 100;

type Permit = (context: Context, action: StudioAction) => Promise<StudioViewer>;

/** Adds the routes that browse and change memories. Each call is bound to one owner, as the store demands. */
export function addMemoryRoutes(app: Hono, store: StudioStore, permit: Permit): void {
  app.get("/api/memories", async (context) => {
    const viewer = await permit(context, "read");
    const { text } = context.req.query();
    const hits = await memoriesOf(store).query({
      scope: scopeOf(context, viewer),
      ...(text !== undefined && text !== "" && { text }),
      limit: mostMemories,
      budgetTokens: 100_000,
    });
    return context.json({ memories: hits.map(({ entry }) => entry) });
  });

  app.delete("/api/memories/:id", async (context) => {
    const viewer = await permit(context, "operate");
    const gone = await memoriesOf(store).forget(context.req.param("id"), scopeOf(context, viewer));
    if (gone.length === 0) throw new RequestError(404, "MEMORY_NOT_FOUND", "There is no such memory of this owner.");
    return context.json({ deleted: gone });
  });
}

function memoriesOf({ memories, name }: StudioStore): MemoryStore {
  if (memories === undefined) throw new RequestError(404, "NO_MEMORIES", `The store "${name}" keeps no memories.`);
  return memories;
}

function scopeOf(context: Context, viewer: StudioViewer): MemoryScope {
  const { user, tenant, agent } = context.req.query();
  return {
    tenantId: viewer.allTenants === true ? filled(tenant) : viewer.tenantId,
    userId: filled(user),
    ...(filled(agent) !== undefined && { agentId: agent }),
  };
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
