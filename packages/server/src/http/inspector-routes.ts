import { BailiwickError, type JournalEvent, type Message, type UserMessage } from "@bailiwick/core";
import { messageText } from "@bailiwick/core/store";
import type { Context, Hono } from "hono";
import { runTimeline } from "../inspect/index.ts";
import type { LiveRuns } from "../runs/live-runs.ts";
import type { ServedAgent } from "../runs/served-agent.ts";
import type { Access } from "./access.ts";
import { asCount, asOptionalText, asTexts, readBody } from "./read-body.ts";
import { invalid } from "./request-error.ts";
import { runDetail } from "./run-view.ts";
import type { WaitUntil } from "./wait-until.ts";

/** Parts that the inspector's routes share with the others. */
export interface InspectorParts {
  readonly agent: ServedAgent;
  readonly runs: LiveRuns;
  readonly reach: Access["reach"];
  /** Keeps the host of a request alive until a run ends, on hosts that need it. */
  readonly keepFor: (context: Context) => WaitUntil | undefined;
}

/** The user's own messages among records: the only ones that a fork over HTTP may edit. */
function ownMessages(events: readonly JournalEvent[]): readonly UserMessage[] {
  return events
    .flatMap((event): readonly Message[] => {
      if (event.type === "run.start") return [...event.history, ...event.input];
      return event.type === "message.inserted" ? [event.message] : [];
    })
    .filter((message) => message.role === "user");
}

/**
 * Refuses edits of anything but the user's own words. An edited text keeps its label: a caller who wrote the result of a
 * trusted tool would be trusted like the tool.
 */
function checkOwnWords(edits: Readonly<Record<string, string>>, events: readonly JournalEvent[]): void {
  const own = new Set(ownMessages(events).map(({ id }) => id));
  for (const id of Object.keys(edits)) {
    if (!own.has(id))
      throw invalid(
        `"messages" edits only user messages up to "atSeq", and ${JSON.stringify(id)} is not such a message. Your code can edit the others with agent.fork().`,
      );
  }
}

/** Adds the routes that inspect a run: its records, their timeline, their verification, and forks. */
export function addInspectorRoutes(app: Hono, { agent, runs, reach, keepFor }: InspectorParts): void {
  app.get("/runs/:id/journal", async (context) => {
    const { run } = await reach(context, "audit", context.req.param("id"));
    const after = asCount(context.req.query("after"), "after", Number.MAX_SAFE_INTEGER) ?? 0;
    const { events } = await agent.inspect(run.id);
    return context.json({ events: events.filter(({ seq }) => seq > after) });
  });

  app.get("/runs/:id/timeline", async (context) => {
    const { run } = await reach(context, "audit", context.req.param("id"));
    const report = await agent.inspect(run.id);
    return context.json({ run: runDetail(report), rows: runTimeline(report.events) });
  });

  app.get("/runs/:id/audit", async (context) => {
    const { run } = await reach(context, "audit", context.req.param("id"));
    return context.json(await agent.verifyAudit(run.id));
  });

  app.post("/runs/:id/replay", async (context) => {
    const { run } = await reach(context, "audit", context.req.param("id"));
    try {
      const output = await agent.replay(run.id);
      if (output === undefined) return context.json({ holds: true });
      const { status, stopReason, text } = output;
      return context.json({ holds: true, status, stopReason, text });
    } catch (error) {
      if (!BailiwickError.isInstance(error) || error.code !== "REPLAY_DIVERGENCE") throw error;
      return context.json({ holds: false, reason: error.message });
    }
  });

  app.get("/runs/:id/fork", async (context) => {
    const { run } = await reach(context, "fork", context.req.param("id"));
    const atSeq = asCount(context.req.query("atSeq"), "atSeq", run.head.seq) ?? run.head.seq;
    const { events } = await agent.inspect(run.id);
    const messages = ownMessages(events.slice(0, atSeq)).map((message) => ({
      id: message.id,
      text: messageText(message),
    }));
    return context.json({ messages });
  });

  app.post("/runs/:id/fork", async (context) => {
    const body = await readBody(context);
    const { atSeq, message, messages } = body;
    if (typeof atSeq !== "number" || !Number.isSafeInteger(atSeq) || atSeq < 1)
      throw invalid('"atSeq" has to be the number of a record of the run.');
    const text = asOptionalText(message, '"message"');
    const { run } = await reach(context, "fork", context.req.param("id"), body);
    if (atSeq > run.head.seq) throw invalid(`"atSeq" is ${atSeq}, and the run has ${run.head.seq} records.`);
    const edits = messages === undefined ? undefined : asTexts(messages, '"messages"');
    if (edits !== undefined) {
      const { events } = await agent.inspect(run.id);
      checkOwnWords(edits, events.slice(0, atSeq));
    }
    const { runId } = await agent.fork(run.id, { atSeq, edit: { message: text, messages: edits } });
    await runs.wake(runId, keepFor(context));
    return context.json({ runId }, 201);
  });
}
