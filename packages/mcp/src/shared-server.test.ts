import { expect, test } from "vitest";
import { until } from "./agents.test.helper.ts";
import { mcp } from "./index.ts";
import { others, reported, runOf } from "./shared-runs.test.helper.ts";
import { faults, faultyServer } from "./shared-server.test.helper.ts";
import type { Fault } from "./shared-server.test.helper.ts";
import { drawn } from "../../testing/src/drawn-cells.fixture.ts";

/** Requests that have the fault: the method, the tool that the run calls, and what makes the client send the request. */
const places = {
  initialize: { method: "initialize", tool: "read", before: [["tools/list", "HTTP 404"]] },
  "tools/list": { method: "tools/list", tool: "read" },
  "tools/call": { method: "tools/call", tool: "read" },
  ping: { method: "ping", tool: "read" },
  "resources/read": { method: "resources/read", tool: "read_resource", args: { uri: "file:///readme.md" } },
  "prompts/get": { method: "prompts/get", tool: "get_prompt", args: { name: "triage" } },
  "the stream of notifications": { method: "GET", tool: "read", before: [["tools/list", "HTTP 404"]] },
} as const satisfies Readonly<Record<string, Place>>;

interface Place {
  readonly method: string;
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly before?: readonly (readonly [string, Fault])[];
}

/** Plays one history. Returns what the other run and the later run report, and the calls that the server executed. */
async function play(place: Place, fault: Fault | undefined, other: (typeof others)[number]) {
  await using server = await faultyServer();
  const isSilent = fault?.startsWith("no answer") === true;
  await using shared = mcp({
    name: "shared",
    url: server.url,
    protocol: "legacy",
    resources: true,
    prompts: true,
    tools: {
      "*": { sideEffectClass: "read-only" },
      held_write: { sideEffectClass: "external-stateful" },
    },
    reconnect: { initialDelayMs: 1 },
    ...(isSilent && place.method === "initialize" && { connectTimeoutMs: 2_000 }),
  });
  const held = runOf(shared, other, {});
  await until(() => server.log.includes(other), "the call of the other run is executed");
  if (place.method === "ping") {
    // A call that was cancelled before its answer makes the client ask if the server still answers.
    const controller = new AbortController();
    server.arm(["tools/call", "no answer"]);
    const cancelled = runOf(shared, "read", {}, controller).catch(() => undefined);
    await until(() => server.isDone, "the call is sent");
    controller.abort(new Error("The user cancelled it."));
    await cancelled;
  }
  const controller = new AbortController();
  if (fault !== undefined) server.arm(...(place.before ?? []), [place.method, fault]);
  const own = runOf(shared, place.tool, place.args ?? {}, { signal: controller.signal, toolTimeoutMs: 400 });
  const settled = own.then(
    ({ status }) => status,
    () => "failed",
  );
  await until(() => server.isDone, "the fault is made");
  // A tool has a time limit; a caller that waits for a connection or a list gives up.
  if (isSilent && ["tools/list", "initialize"].includes(place.method)) controller.abort(new Error("It took too long."));
  await settled;
  const later = reported(await runOf(shared, "read", {}));
  server.release();
  return { other: reported(await held), later, calls: server.log.filter((name) => name === other) };
}

const cases = Object.keys(places).flatMap((place) =>
  (Object.keys(faults) as Fault[]).map((fault) => [place as keyof typeof places, fault] as const),
);

/** Each history without a fault is played once. */
const played = new Map<string, ReturnType<typeof play>>();
function withoutFault(place: keyof typeof places, other: (typeof others)[number]): ReturnType<typeof play> {
  const key = `${place} ${other}`;
  const known = played.get(key) ?? play(places[place], undefined, other);
  played.set(key, known);
  return known;
}

test.concurrent.each(drawn(cases, String, 5))(
  "a fault of one request changes nothing for other runs: %s, %s [mcp.own-failures]",
  async (place, fault) => {
    for (const other of others) {
      const plain = await withoutFault(place, other);
      expect(plain.other).toContain(`answer of ${other}`);
      expect(plain.later).toContain("answer of read");
      expect(await play(places[place], fault, other)).toEqual(plain);
    }
  },
);
