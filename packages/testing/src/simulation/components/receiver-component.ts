import type { FaultKind } from "../world/fault.ts";
import { exchange } from "../world/exchange.ts";
import type { Network, SimulatedProcess } from "../world/simulated-process.ts";
import type { World } from "../world/world.ts";
import { receiverRemedy } from "../routing/route-network.ts";
import { effectsIn, idText, type Effect, type EffectRequest, type OpenCall } from "./effects.ts";
import { findRoute, type ReceivedRequest, type Receiver, type RouteContext } from "./receiver.ts";

/** The receivers of a world, and the functions to which they report. */
export interface ReceiverHost {
  readonly world: World;
  readonly receivers: readonly Receiver[];
  readonly kinds: readonly FaultKind[];
  /** Every request for an effect, in order. */
  readonly requests: EffectRequest[];
  /** Calls that a process has begun. */
  readonly openCalls: (process: string) => readonly OpenCall[];
  /** Called when a process gets an error instead of an answer; the calls are those that it had begun. */
  readonly onFailure: (calls: readonly OpenCall[]) => void;
  /** Called when a route throws. */
  readonly onThrow: (receiver: string, route: string, error: unknown) => void;
  /** Answers other hosts, such as the app's own server; `undefined` for a host that no server answers. */
  readonly other?: ((process: SimulatedProcess, request: Request) => Promise<Response> | undefined) | undefined;
}

/** The network of simulated processes: requests reach the receivers of their world. */
export function receiverNetwork(host: ReceiverHost): Network {
  const { world, receivers, requests } = host;
  const byOrigin = new Map(receivers.map((one) => [one.origin, one]));
  const made = new Map<string, Effect[]>();

  const effectsOf = (receiver: Receiver): Effect[] => {
    const list = made.get(receiver.origin) ?? [];
    made.set(receiver.origin, list);
    return list;
  };

  const contextFor = (receiver: Receiver, from: SimulatedProcess, calls: readonly OpenCall[]): RouteContext => {
    const list = effectsOf(receiver);
    return {
      effects: effectsIn(list),
      effect(name, id, { key } = {}) {
        const known = key === undefined ? undefined : list.find((one) => one.key === key && one.name === name);
        const effect = known ?? { name, id: idText(id), ...(key !== undefined && { key }), number: list.length + 1 };
        requests.push({ ...effect, at: world.time, process: from.name, isRepetition: known !== undefined, calls });
        if (known !== undefined) return known;
        list.push(effect);
        world.log(from.name, `effect ${name} ${effect.id}`);
        world.tell(from.name, `makes ${name} ${effect.id}.`);
        return effect;
      },
    };
  };

  const answer = async (
    receiver: Receiver,
    request: ReceivedRequest,
    from: SimulatedProcess,
    calls: readonly OpenCall[],
  ): Promise<Response> => {
    const found = findRoute(receiver, request.method, request.path);
    if (found === undefined) return new Response(`No route "${request.method} ${request.path}".`, { status: 404 });
    try {
      const value = await found.route({ ...request, params: found.params }, contextFor(receiver, from, calls));
      return responseOf(value);
    } catch (error) {
      host.onThrow(receiver.origin, found.name, error);
      return new Response(String(error), { status: 500 });
    }
  };

  return {
    knowsHost: (name) => receivers.some(({ origin }) => new URL(origin).hostname === name),
    async fetch(process, request) {
      const url = new URL(request.url);
      const receiver = byOrigin.get(url.origin);
      if (receiver === undefined) {
        const other = host.other?.(process, request);
        if (other !== undefined) return other;
        throw process.escape(`a request to ${url.origin}`, receiverRemedy(url.host));
      }
      const text = await request.text();
      const calls = host.openCalls(process.name);
      const received: ReceivedRequest = {
        method: request.method,
        path: url.pathname,
        params: {},
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(request.headers),
        body: bodyOf(text),
        text,
      };
      const component = world.component(url.host, { isOrdered: false, kinds: host.kinds });
      const route = findRoute(receiver, request.method, url.pathname)?.name;
      return exchange(world, process, component, {
        operation: request.method,
        detail: route === undefined ? url.pathname : route.slice(request.method.length + 1),
        work: () => answer(receiver, received, process, calls),
        refuse: () =>
          new TypeError("fetch failed", {
            cause: Object.assign(new Error("The connection was reset."), { code: "ECONNRESET" }),
          }),
        signal: request.signal,
        story: () => `sends ${request.method} ${url.pathname} to ${url.host}`,
        onRefused: () => host.onFailure(calls),
      });
    },
  };
}

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function responseOf(value: unknown): Response {
  if (value instanceof Response) return value;
  if (value === undefined) return new Response(null, { status: 204 });
  if (typeof value === "object" && value !== null && "status" in value && typeof value.status === "number") {
    const { status, headers, body } = value as {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    };
    const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { status, ...(headers !== undefined && { headers }) });
  }
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
}
