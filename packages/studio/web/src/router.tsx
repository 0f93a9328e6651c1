import { createHashHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import type { RunFilters } from "./api.ts";
import { ComparePage } from "./pages/compare-page.tsx";
import { InboxPage } from "./pages/inbox-page.tsx";
import { MemoryPage } from "./pages/memory-page.tsx";
import { PlaygroundPage } from "./pages/playground-page.tsx";
import { QueuePage } from "./pages/queue-page.tsx";
import { RunPage, runTabs, type RunTab } from "./pages/run-page.tsx";
import { RunsPage } from "./pages/runs-page.tsx";
import { ToolsPage } from "./pages/tools-page.tsx";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell });

const runs = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: RunsPage,
  validateSearch: (search: Record<string, unknown>): RunFilters => {
    const text = (name: string): string | undefined => {
      const value = search[name];
      // The address contains 1 if the filter is "1".
      if (typeof value === "number") return `${value}`;
      return typeof value === "string" && value !== "" ? value : undefined;
    };
    return {
      text: text("text"),
      state: text("state"),
      agent: text("agent"),
      user: text("user"),
      tool: text("tool"),
      cost: text("cost"),
      hours: text("hours"),
    };
  },
});

/** Place on the page of a run. */
interface RunPlace {
  readonly tab?: RunTab | undefined;
  /** The selected bar. */
  readonly span?: string | undefined;
  /** The record that is shown first. */
  readonly record?: number | undefined;
}

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$runId",
  component: RunPage,
  validateSearch: (search: Record<string, unknown>): RunPlace => ({
    tab: runTabs.find((tab) => tab === search["tab"]),
    span: typeof search["span"] === "string" ? search["span"] : undefined,
    record: typeof search["record"] === "number" ? search["record"] : undefined,
  }),
});

const inbox = createRoute({ getParentRoute: () => root, path: "/inbox", component: InboxPage });
const question = createRoute({ getParentRoute: () => root, path: "/inbox/$questionId", component: InboxPage });
const tools = createRoute({ getParentRoute: () => root, path: "/tools", component: ToolsPage });
const queue = createRoute({ getParentRoute: () => root, path: "/queue", component: QueuePage });
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  component: ComparePage,
  validateSearch: (search: Record<string, unknown>): { a?: string | undefined; b?: string | undefined } => ({
    a: text(search["a"]),
    b: text(search["b"]),
  }),
});

/** Start of the playground: an agent, or a run with one of its model calls. */
interface PlaygroundPlace {
  readonly agent?: string | undefined;
  readonly run?: string | undefined;
  readonly seq?: number | undefined;
}

const playground = createRoute({
  getParentRoute: () => root,
  path: "/playground",
  component: PlaygroundPage,
  validateSearch: (search: Record<string, unknown>): PlaygroundPlace => ({
    agent: text(search["agent"]),
    run: text(search["run"]),
    seq: typeof search["seq"] === "number" ? search["seq"] : undefined,
  }),
});

const memory = createRoute({ getParentRoute: () => root, path: "/memory", component: MemoryPage });

/** The pages. Locations are behind `#`, so the studio works at any mount path. */
export const router = createRouter({
  routeTree: root.addChildren([runs, run, compare, playground, inbox, question, tools, queue, memory]),
  history: createHashHistory(),
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
