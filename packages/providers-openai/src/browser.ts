/** Globals of servers that run workers like browsers. */
const serverMarks = ["process", "Deno", "Bun", "EdgeRuntime", "WebSocketPair"] as const;

/** True in a page or its worker, whose content every visitor can read. */
export function isBrowser(): boolean {
  const scope = globalThis as {
    readonly window?: { readonly document?: unknown };
    readonly navigator?: unknown;
    readonly WorkerNavigator?: unknown;
  };
  if (scope.window?.document !== undefined) return true;
  const { WorkerNavigator: worker, navigator } = scope;
  return typeof worker === "function" && navigator instanceof worker && !serverMarks.some((mark) => mark in globalThis);
}
