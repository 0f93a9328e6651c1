import type { IncomingMessage, ServerResponse } from "node:http";
import { estimateUsage } from "../script/estimate-usage.ts";
import type { ScriptPlayer } from "../script/play-script.ts";
import type { ResolvedTurn } from "../script/resolved-turn.ts";
import type { ScriptRequest } from "../script/script-request.ts";
import { ScriptFaultError } from "../script/script-error.ts";
import type { VendorIds } from "../script/vendor-ids.ts";
import type { IssuedMemory } from "./issued-memory.ts";
import { isObject, parseJson, type JsonObject } from "./json.ts";
import type { ModelServerOptions } from "./model-server-options.ts";
import { flatHeaders, readBody } from "./read-request.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { openSending, sendError, sendEvents, sendJson, type Sending } from "./send-answer.ts";
import { faultyEvents, refuseStreamFaults, toWireError } from "./stream-faults.ts";
import type { Answer, Wire, WireRoute } from "./wire.ts";
import type { WireError } from "./wire-error.ts";
import { wires } from "./wires.ts";

/** The state of a running server. */
export interface ServerState {
  readonly player: ScriptPlayer;
  readonly options: ModelServerOptions;
  readonly ids: VendorIds;
  readonly memory: IssuedMemory;
  readonly requests: RecordedRequest[];
  readonly closing: AbortController;
}

/** Reads, checks, plays and answers one request. */
export async function answerRequest(
  state: ServerState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const method = request.method ?? "GET";
  const text = await readBody(request);
  const matched = matchWire(method, url);
  const recorded: Writable<RecordedRequest> = {
    wire: matched?.wire.name ?? "unknown",
    method,
    path: `${url.pathname}${url.search}`,
    headers: flatHeaders(request),
    body: parseJson(text),
    text,
    aborted: false,
    refusedBy: undefined,
    failure: undefined,
  };
  state.requests.push(recorded);
  while (state.requests.length > (state.options.keepRequests ?? Infinity)) state.requests.shift();
  const sending = openSending(response, state.closing.signal, () => {
    recorded.aborted = true;
  });
  if (matched === undefined) {
    const error = {
      message: `Invalid URL (${method} ${url.pathname})`,
      type: "invalid_request_error",
      param: null,
      code: null,
    };
    response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    return;
  }
  const { wire, route } = matched;
  sending.headers = wire.headers(state.ids);
  const body = recorded.body;
  if (!isObject(body)) {
    sendError(sending, wire, { status: 400, message: "We could not parse the JSON body of your request." });
    return;
  }
  const asked = wire.decode(body, route, state.memory);
  const refused = refuse(state, wire, { body, asked, headers: recorded.headers, key: wire.key(recorded.headers, url) });
  if (refused !== undefined) {
    recorded.refusedBy = refused.id;
    sendError(sending, wire, refused.error);
    return;
  }
  try {
    await play(state, { wire, body, asked }, sending);
  } catch (error) {
    recorded.failure = error instanceof Error ? error : new Error(String(error));
    // 400, because clients repeat a 500, and a wrong script fails each time.
    if (!response.headersSent)
      sendError(sending, wire, {
        status: 400,
        type: "script_error",
        code: error instanceof ScriptFaultError ? error.code : "SCRIPT_FAILED",
        message: recorded.failure.message,
      });
    else response.destroy();
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function matchWire(method: string, url: URL): { wire: Wire; route: WireRoute } | undefined {
  for (const wire of wires) {
    const route = wire.match(method, url);
    if (route !== undefined) return { wire, route };
  }
  return undefined;
}

interface Checked {
  readonly body: JsonObject;
  readonly asked: ScriptRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | undefined;
}

function refuse(
  { options, memory }: ServerState,
  wire: Wire,
  { body, asked, headers, key }: Checked,
): { id: string; error: WireError } | undefined {
  if (options.strict === false) return undefined;
  for (const refusal of wire.refusals) {
    if (options.allow?.includes(refusal.id)) continue;
    if (refusal.servers?.includes(options.server ?? "openai") === false) continue;
    const error = refusal.find({
      body,
      request: asked,
      headers,
      key,
      keys: options.keys,
      models: options.models,
      memory,
    });
    if (error !== undefined) return { id: refusal.id, error };
  }
  return undefined;
}

async function play(
  state: ServerState,
  { wire, body, asked }: { wire: Wire; body: JsonObject; asked: ScriptRequest },
  sending: Sending,
): Promise<void> {
  const unplayable = wire.unplayable(body);
  if (unplayable !== undefined) {
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `The vendor takes "${unplayable}", but the model server cannot play it: leave it out, or use a recording.`,
    );
  }
  const turn: ResolvedTurn = await state.player.next(asked);
  const { faults } = turn;
  await sending.wait(faults.delayMs);
  if (sending.gone.aborted) return sending.cut();
  if (faults.hangAfterEvents === 0) return sending.hang();
  if (faults.error !== undefined) return sendError(sending, wire, toWireError(faults.error));
  const answer: Answer = {
    request: asked,
    body,
    turn,
    usage: estimateUsage(asked, turn),
    ids: state.ids,
    memory: state.memory,
    createdAt: Math.floor((state.options.now ?? Date.now)() / 1000),
    chatReasoning: state.options.chatReasoning ?? "hidden",
  };
  if (asked.stream) return sendEvents(sending, wire, faultyEvents(wire, wire.encodeStream(answer), faults), faults);
  refuseStreamFaults(faults);
  await sending.wait(faults.delayPerEventMs);
  if (sending.gone.aborted) return sending.cut();
  return sendJson(sending, wire.encodeJson(answer), faults);
}
