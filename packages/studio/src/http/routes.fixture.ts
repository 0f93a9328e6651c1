// The routes of the studio that other tenants and viewers try.

/** Every route of the studio that writes, with the action that it needs. */
export const writes = (runId: string) =>
  [
    ["decide", "POST", `runs/${runId}/decisions`, { decisions: [] }],
    ["decide", "POST", `runs/${runId}/assign`, { questionId: "q", from: "", to: "olga" }],
    ["operate", "POST", `runs/${runId}/cancel`, {}],
    ["operate", "POST", `runs/${runId}/steer`, { message: "Stop." }],
    ["operate", "POST", `runs/${runId}/fork`, { atSeq: 1 }],
    ["operate", "POST", `runs/${runId}/retry`, {}],
    ["operate", "DELETE", `runs/${runId}`, {}],
    ["operate", "POST", "schedules/morning/pause", {}],
    ["operate", "POST", "schedules/morning/resume", {}],
    ["operate", "PUT", "memories/m1?user=ada", { text: "Ada lives in Bonn." }],
    ["operate", "DELETE", "memories/m1?user=ada", {}],
    ["operate", "POST", "agents/shop/play", { messages: [], effects: "run" }],
    ["operate", "POST", "agents/shop/chat", {}],
  ] as const;

/** Every route about one run. */
export const runRoutes = (runId: string, intent: number | undefined) =>
  ["", "/records", "/authority", "/audit", "/fork", `/model/${intent}`, `/model/${intent}/request`, "/export/test"].map(
    (rest) => `runs/${runId}${rest}`,
  );

/** Lists, which the test of another tenant reads, and routes that show no object of a tenant. */
export const lists = ["info", "inbox", "runs", "queue", "tools", "memories", "agents/shop/prompt"];
export const withoutOwner = ["agents/shop/tools"];
