import type { Decision, MemoryEntry, ToolExplanation } from "@bailiwick/core";
import type { StudioAuthority } from "../../src/views/authority-types.ts";
import type {
  StudioExport,
  StudioInbox,
  StudioInfo,
  StudioModelCall,
  StudioModelRequest,
  StudioPrompt,
  StudioQueue,
  StudioRecord,
  StudioRunDetail,
  StudioRunPage,
  StudioTools,
} from "../../src/views/view-types.ts";
import type { PlayBody } from "./playground.ts";

/** A refusal of the studio's server. */
export class StudioApiError extends Error {
  readonly code: string;
  /** True if the server refused the viewer; otherwise it failed, or another server answered. */
  readonly isRefusal: boolean;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.isRefusal = code !== "INTERNAL";
  }
}

async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`./api/${path}`, init);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body as Answer;
  const { error } = (body ?? {}) as { readonly error?: { readonly code: string; readonly message: string } };
  throw new StudioApiError(
    error?.code ?? "INTERNAL",
    error?.message ?? `The studio's server answered ${response.status}.`,
  );
}

const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const of = (runId: string): string => `runs/${encodeURIComponent(runId)}`;

/** Filters of the list of runs, parsed from the address. */
export interface RunFilters {
  readonly text?: string | undefined;
  readonly state?: string | undefined;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly tool?: string | undefined;
  readonly cost?: string | undefined;
  /** Hours back from now. */
  readonly hours?: string | undefined;
}

/** The routes of the studio's server. */
export const api = {
  info: (): Promise<StudioInfo> => ask("info"),
  runs({ hours, ...filters }: RunFilters, after: string | undefined): Promise<StudioRunPage> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters))
      if (value !== undefined && value !== "") query.set(name, value);
    if (hours !== undefined && hours !== "") query.set("from", String(Date.now() - Number(hours) * 3_600_000));
    if (after !== undefined) query.set("after", after);
    query.set("limit", "60");
    return ask(`runs?${query}`);
  },
  run: (runId: string): Promise<StudioRunDetail> => ask(of(runId)),
  records: (runId: string, seqs: readonly number[]): Promise<{ readonly records: readonly StudioRecord[] }> =>
    ask(`${of(runId)}/records?seqs=${seqs.join(",")}`),
  recordPage: (
    runId: string,
    from: number,
  ): Promise<{ readonly records: readonly StudioRecord[]; readonly total: number }> =>
    ask(`${of(runId)}/records?from=${from}&limit=100`),
  modelCall: (runId: string, seq: number): Promise<StudioModelCall> => ask(`${of(runId)}/model/${seq}`),
  modelRequest: (runId: string, seq: number): Promise<StudioModelRequest> => ask(`${of(runId)}/model/${seq}/request`),
  exported: (runId: string, kind: "test" | "case"): Promise<StudioExport> => ask(`${of(runId)}/export/${kind}`),
  prompt: (agent: string): Promise<StudioPrompt> => ask(`agents/${encodeURIComponent(agent)}/prompt`),
  play: (agent: string, body: PlayBody): Promise<{ readonly runId: string }> =>
    post(`agents/${encodeURIComponent(agent)}/play`, body),
  assign: (runId: string, questionId: string, from: string, to: string): Promise<unknown> =>
    post(`${of(runId)}/assign`, { questionId, from, to }),
  setSchedule: (id: string, action: "pause" | "resume"): Promise<unknown> =>
    post(`schedules/${encodeURIComponent(id)}/${action}`, {}),
  authority: (runId: string): Promise<StudioAuthority> => ask(`${of(runId)}/authority`),
  inbox: (after: string | undefined): Promise<StudioInbox> =>
    ask(after === undefined ? "inbox" : `inbox?${new URLSearchParams({ after })}`),
  toolsOf: (agent: string): Promise<{ readonly tools: readonly ToolExplanation[] }> =>
    ask(`agents/${encodeURIComponent(agent)}/tools`),
  tools: (): Promise<StudioTools> => ask("tools"),
  queue: (): Promise<StudioQueue> => ask("queue"),
  decide: (runId: string, ...decisions: readonly Decision[]): Promise<unknown> =>
    post(`${of(runId)}/decisions`, { decisions }),
  cancel: (runId: string): Promise<unknown> => post(`${of(runId)}/cancel`, {}),
  retry: (runId: string): Promise<unknown> => post(`${of(runId)}/retry`, {}),
  discard: (runId: string): Promise<unknown> => ask(of(runId), { method: "DELETE" }),
  /** The messages that a fork may edit. */
  forkMessages: (
    runId: string,
    atSeq: number,
  ): Promise<{ readonly messages: readonly { readonly id: string; readonly text: string }[] }> =>
    ask(`${of(runId)}/fork?atSeq=${atSeq}`),
  fork: (
    runId: string,
    atSeq: number,
    message: string,
    edits: Readonly<Record<string, string>>,
  ): Promise<{ readonly runId: string }> =>
    post(`${of(runId)}/fork`, {
      atSeq,
      ...(message !== "" && { message }),
      ...(Object.keys(edits).length > 0 && { messages: edits }),
    }),
  audit: (
    runId: string,
  ): Promise<{
    readonly verdict: string;
    readonly records?: number;
    readonly seq?: number;
    readonly reason?: string;
  }> => ask(`${of(runId)}/audit`),
  memories: (owner: string): Promise<{ readonly memories: readonly MemoryEntry[] }> => ask(`memories?${owner}`),
  history: (id: string, owner: string): Promise<{ readonly history: readonly MemoryEntry[] }> =>
    ask(`memories/${encodeURIComponent(id)}/history?${owner}`),
  editMemory: (id: string, owner: string, text: string): Promise<unknown> =>
    ask(`memories/${encodeURIComponent(id)}?${owner}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
    }),
  forget: (id: string, owner: string): Promise<unknown> =>
    ask(`memories/${encodeURIComponent(id)}?${owner}`, { method: "DELETE" }),
};
