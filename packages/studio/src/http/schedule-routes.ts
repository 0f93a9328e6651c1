import { RequestError } from "@bailiwick/server";
import { listSchedules, pauseSchedule, resumeSchedule } from "@bailiwick/worker";
import type { Context, Hono } from "hono";
import type { StudioSchedule } from "../views/view-types.ts";
import type { StudioAction, StudioStore, StudioViewer } from "./options.ts";

type Permit = (context: Context, action: StudioAction) => Promise<StudioViewer>;

/** Adds the routes that list, pause and resume schedules of all tenants. */
export function addScheduleRoutes(app: Hono, store: StudioStore, permit: Permit): void {
  app.post("/api/schedules/:id/:action{pause|resume}", async (context) => {
    const viewer = await permit(context, "operate");
    if (viewer.allTenants !== true)
      throw new RequestError(403, "FORBIDDEN", "Schedules belong to all tenants. A viewer needs allTenants for them.");
    const { id, action } = context.req.param();
    await (action === "pause" ? pauseSchedule(store, id) : resumeSchedule(store, id));
    return context.json({ id });
  });
}

/** Schedules of a store; none for a viewer of one tenant, and in a store without schedules. */
export async function schedulesFor(store: StudioStore, viewer: StudioViewer): Promise<readonly StudioSchedule[]> {
  return viewer.allTenants === true && store.sessions !== undefined ? listSchedules(store) : [];
}
