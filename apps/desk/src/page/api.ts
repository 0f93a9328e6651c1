import type { Decision, InterruptionData } from "@bailiwick/core";
import type { DeskConfig, MailDetail, RunRow } from "../desk-api.ts";
import type { MailSummary } from "../mailbox/mailbox.ts";

/** Texts of the server's refusals. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The only place of the page that talks to the server, apart from the chat's own transport. */
export const api = {
  config: () => get<DeskConfig>("/api/config"),
  mails: () => get<MailSummary[]>("/api/mails"),
  mail: (mailId: string) => get<MailDetail>(`/api/mails/${encodeURIComponent(mailId)}`),
  markRead: (mailId: string) => post(`/api/mails/${encodeURIComponent(mailId)}/read`, {}),
  runs: () => get<RunRow[]>("/api/desk/runs"),
  interruptions: async (runId: string) =>
    (await get<{ interruptions: InterruptionData[] }>(`${runPath(runId)}/interruptions`)).interruptions,
  decide: (runId: string, decisions: readonly Decision[]) => post(`${runPath(runId)}/decisions`, { decisions }),
  kill: () => post("/api/desk/kill", {}),
  cancel: (runId: string) => post(`${runPath(runId)}/cancel`, {}),
};

/** Address at which the run's stream can be read from its beginning at any time. */
export function runStreamPath(runId: string): string {
  return `${runPath(runId)}/stream`;
}

function runPath(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`;
}

async function get<Body>(path: string): Promise<Body> {
  return (await request(path)) as Body;
}

async function post(path: string, body: unknown): Promise<unknown> {
  return request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

async function request(path: string, init?: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, "UNREACHABLE", "The desk's server does not answer. Is it still running?");
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const { code, message } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {};
  throw new ApiError(response.status, code ?? "HTTP_ERROR", message ?? `The server answered ${response.status}.`);
}
