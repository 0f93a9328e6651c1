import { BailiwickError, type RunHandle, type RunOptions, type StoredRun } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { RequestError } from "@bailiwick/server";
import type { Context, Hono } from "hono";
import { modelRequestOf } from "../views/model-request.ts";
import { recordedResults } from "../views/recorded-results.ts";
import type { StudioAction, StudioAgent, StudioOptions, StudioViewer } from "./options.ts";
import { playOf, type Play } from "./play-request.ts";
import type { StudioPrompt } from "../views/view-types.ts";
import { simulation, type PlayMetadata } from "./simulation.ts";
import type { RunReader } from "./run-reader.ts";

/** Parts that the playground shares with the other routes. */
export interface PlaygroundParts {
  readonly agents: ReadonlyMap<string, StudioAgent>;
  readonly models: StudioOptions["models"];
  readonly reader: RunReader;
  readonly permit: (context: Context, action: StudioAction) => Promise<StudioViewer>;
  readonly onError: (error: unknown) => void;
}

/** Adds the routes that show the instructions of an agent, and start a run from an edited conversation. */
export function addPlaygroundRoutes(app: Hono, parts: PlaygroundParts): void {
  const { agents, models = [], reader, permit } = parts;
  const agentNamed = (name: string): StudioAgent => {
    const agent = agents.get(name);
    if (agent === undefined)
      throw new RequestError(404, "AGENT_MISSING", `The studio has no agent "${name}". Pass it to studio({ agents }).`);
    return agent;
  };
  app.get("/api/agents/:name/prompt", async (context) => {
    const viewer = await permit(context, "read");
    const agent = agentNamed(context.req.param("name"));
    const instructions = agentRuntimeOf(agent)?.definition.options.instructions ?? "";
    const prompt: StudioPrompt =
      typeof instructions === "string"
        ? { text: instructions }
        : { newest: await newestPrompt(agent, await reader.newest(viewer, context.req.param("name"))) };
    return context.json(prompt);
  });

  app.post("/api/agents/:name/play", async (context) => {
    const viewer = await permit(context, "operate");
    const agent = agentNamed(context.req.param("name"));
    const play = playOf(await context.req.json().catch(() => undefined));
    const recorded =
      play.fromRunId === undefined ? [] : recordedResults((await reader.read(viewer, play.fromRunId)).events);
    const handle = agent.stream(play.input, {
      messages: play.messages,
      userId: viewer.userId,
      tenantId: viewer.tenantId,
      detached: true,
      metadata: {
        playground: true,
        ...(play.effects === "simulate" && { simulated: true }),
        ...(play.fromRunId !== undefined && { fromRunId: play.fromRunId }),
      } satisfies PlayMetadata,
      ...settingsOf(play, models),
      ...(play.effects === "simulate" && simulation(async () => recorded)),
    });
    return context.json({ runId: await begun(handle, parts.onError) }, 201);
  });
}

/** The system prompt of a run's first turn; `undefined` where the run has none, or the agent's code cannot rebuild it. */
async function newestPrompt(agent: StudioAgent, run: StoredRun | undefined): Promise<StudioPrompt["newest"]> {
  if (run === undefined || agent.rebuildRequest === undefined) return undefined;
  try {
    const { events } = await agent.inspect(run.id);
    const turn = events.find((event) => event.type === "model.intent" && (event.purpose ?? "turn") === "turn");
    if (turn === undefined) return undefined;
    return { runId: run.id, text: modelRequestOf(await agent.rebuildRequest(run.id, turn.seq)).system };
  } catch (error) {
    if (BailiwickError.isInstance(error)) return undefined;
    throw error;
  }
}

function settingsOf(play: Play, models: NonNullable<StudioOptions["models"]>): RunOptions {
  const { model, instructions, temperature } = play;
  const known = models.find(({ provider, modelId }) => `${provider}/${modelId}` === model);
  if (model !== undefined && known === undefined)
    throw new RequestError(
      400,
      "INVALID_REQUEST",
      `The studio has no model "${model}". Pass it to studio({ models }).`,
    );
  return {
    ...(known !== undefined && { model: known }),
    ...(instructions !== undefined && { instructions }),
    ...(temperature !== undefined && { temperature }),
  };
}

/** Waits for the first event, because an invalid option is refused before it. */
async function begun(handle: RunHandle, onError: (error: unknown) => void): Promise<string> {
  const events = handle[Symbol.asyncIterator]();
  try {
    await events.next();
  } catch (error) {
    if (BailiwickError.isInstance(error)) throw new RequestError(400, "INVALID_REQUEST", error.message);
    throw error;
  }
  // The run continues without a client; its end is in its journal.
  void events.return?.();
  handle.result.catch((error: unknown) => {
    if (!BailiwickError.isInstance(error)) onError(error);
  });
  return handle.runId;
}
