import { RequestError } from "@bailiwick/server";
import { listSchedules, pauseSchedule, resumeSchedule } from "@bailiwick/worker";
import type { Context, Hono } from "hono";
import type { StudioSchedule } from "../views/view-types.ts";
import type { StudioAction, StudioStore, StudioViewer } from "./options.ts";

type Permit = (context: Context, action: StudioAction) => Promise<StudioViewer>;

/** Adds the routes that pause and resume the schedules that a viewer sees. */
export function addScheduleRoutes(app: Hono, store: StudioStore, permit: Permit): void {
  app.post("/api/schedules/:id/:action{pause|resume}", async (context) => {
    const viewer = await permit(context, "operate");
    const { id, action } = context.req.param();
    if (!(await schedulesFor(store, viewer)).some((schedule) => schedule.id === id))
      throw new RequestError(404, "SCHEDULE_NOT_FOUND", `There is no schedule "${id}". Reload the page.`);
    await (action === "pause" ? pauseSchedule(store, id) : resumeSchedule(store, id));
    return context.json({ id });
  });
}

/** The schedules whose runs a viewer sees; none in a store without schedules. */
export async function schedulesFor(store: StudioStore, viewer: StudioViewer): Promise<readonly StudioSchedule[]> {
  if (store.sessions === undefined) return [];
  const all = await listSchedules(store);
  return viewer.allTenants === true ? all : all.filter(({ tenantId }) => tenantId === viewer.tenantId);
}
