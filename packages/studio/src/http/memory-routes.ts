import type { MemoryEntry, MemoryScope, MemoryStore } from "@bailiwick/core";
import { RequestError } from "@bailiwick/server";
import type { Context, Hono } from "hono";
import type { StudioAction, StudioStore, StudioViewer } from "./options.ts";
import { invalid, textsOf } from "./run-parameters.ts";

/** Maximum number of memories on one page. */
const mostMemories = 100;

/** Maximum number of earlier texts of one memory. */
const mostHistory = 20;

type Permit = (context: Context, action: StudioAction) => Promise<StudioViewer>;

/** Adds the routes that browse and change memories. Each call is bound to one owner, as the store requires. */
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

  app.get("/api/memories/:id/history", async (context) => {
    const viewer = await permit(context, "read");
    return context.json({ history: await historyOf(context, scopeOf(context, viewer)) });
  });

  app.put("/api/memories/:id", async (context) => {
    const viewer = await permit(context, "operate");
    const scope = scopeOf(context, viewer);
    const { text } = textsOf(await context.req.json().catch(() => undefined), ["text"]);
    if (text.trim() === "") throw invalid('"text" is empty. Delete the memory instead.');
    const memories = memoriesOf(store);
    const before = await memories.get(context.req.param("id"), scope);
    if (before === undefined) throw notFound();
    const { validTo: _end, supersededBy: _by, supersededAt: _at, embedding: _vector, ...kept } = before;
    const now = Date.now();
    // The label stays: editing does not make an untrusted source's text trusted.
    const after = { ...kept, id: crypto.randomUUID(), text, validFrom: now, recordedAt: now };
    await memories.supersede(before.id, after);
    return context.json({ memory: after });
  });

  /** Texts that an entry replaced, newest first. */
  async function historyOf(context: Context, scope: MemoryScope): Promise<readonly MemoryEntry[]> {
    const memories = memoriesOf(store);
    const history: MemoryEntry[] = [];
    let entry = await memories.get(context.req.param("id") ?? "", scope);
    while (entry !== undefined && history.length < mostHistory) {
      const { id, recordedAt, kind } = entry;
      const at = recordedAt - 1;
      const earlier = await memories.query({
        scope,
        kinds: [kind],
        knownAt: at,
        asOf: at,
        limit: mostMemories,
        budgetTokens: 100_000,
      });
      const found: MemoryEntry | undefined = earlier
        .map((hit) => hit.entry)
        .find(({ supersededBy }) => supersededBy === id);
      if (found !== undefined) history.push(found);
      entry = found;
    }
    return history;
  }

  app.delete("/api/memories/:id", async (context) => {
    const viewer = await permit(context, "operate");
    const gone = await memoriesOf(store).forget(context.req.param("id"), scopeOf(context, viewer));
    if (gone.length === 0) throw notFound();
    return context.json({ deleted: gone });
  });
}

function notFound(): RequestError {
  return new RequestError(404, "MEMORY_NOT_FOUND", "There is no such memory of this owner.");
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
