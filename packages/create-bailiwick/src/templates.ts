/** A template of a project. */
export interface Template {
  /** Folder below `templates`, and value of `--template`. */
  readonly name: string;
  readonly title: string;
  /** Commands that start the project, after the install. */
  readonly start: string;
  /** Stores that the project can have; the first one is the default. */
  readonly stores: readonly Store[];
}

/** Store of a project. */
export type Store = "sqlite" | "postgres" | "durable-object";

/** Every template. */
export const templates: readonly Template[] = [
  { name: "chat", title: "Chat page: Vite, Hono, React, approvals", start: "run dev", stores: ["sqlite"] },
  { name: "next", title: "Next.js: chat page and routes in one app, approvals", start: "run dev", stores: ["sqlite"] },
  { name: "worker", title: "Worker: runs from a queue and schedules", start: "start", stores: ["sqlite", "postgres"] },
  { name: "coder", title: "Coding agent for the terminal: diff, undo, resume", start: "start", stores: ["sqlite"] },
  { name: "mcp", title: "MCP server: agents for other programs", start: "start", stores: ["sqlite"] },
  {
    name: "cloudflare",
    title: "Cloudflare Worker: runs in a Durable Object",
    start: "run dev",
    stores: ["durable-object"],
  },
];
