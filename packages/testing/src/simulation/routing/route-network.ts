import nodeDns from "node:dns";
import nodeHttp from "node:http";
import nodeHttps from "node:https";
import { isIP } from "node:net";
import { currentProcess, type RoutedProcess } from "./routed-process.ts";
import { clientRequest } from "./client-request.ts";

/** Address of each receiver: a public one, so that guards against private addresses let it pass. */
const publicAddress = { address: "93.184.215.14", family: 4 } as const;

/** Routes `fetch`, `node:http`, `node:https` and `dns.lookup`: requests reach the receivers of the world. */
export function routeNetwork(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const process = currentProcess();
    return process === undefined ? fetch(input, init) : sent(process, input, init);
  };
  for (const [module, protocol] of [
    [nodeHttp, "http:"],
    [nodeHttps, "https:"],
  ] as const) {
    const { request, get } = module;
    const routedRequest = (...given: readonly unknown[]): unknown => {
      const process = currentProcess();
      return process === undefined
        ? (Reflect.apply(request, module, given) as unknown)
        : clientRequest(process, protocol, given);
    };
    Object.assign(module, {
      request: routedRequest,
      get(...given: readonly unknown[]) {
        if (currentProcess() === undefined) return Reflect.apply(get, module, given) as unknown;
        const made = routedRequest(...given) as { end(): void };
        made.end();
        return made;
      },
    });
  }

  const { lookup } = nodeDns;
  const { lookup: lookupLater } = nodeDns.promises;
  const resolve = (process: RoutedProcess, host: string, options: unknown): unknown => {
    const family = isIP(host);
    if (family === 0 && !process.knowsHost(host))
      throw process.escape(`a lookup of the host "${host}"`, receiverRemedy(host));
    const found = family === 0 ? publicAddress : { address: host, family };
    return (options as { readonly all?: boolean } | undefined)?.all === true ? [found] : found;
  };
  Object.assign(nodeDns.promises, {
    lookup: async (host: string, options?: object) => {
      const process = currentProcess();
      return process === undefined ? lookupLater(host, options ?? {}) : resolve(process, host, options);
    },
  });
  Object.assign(nodeDns, {
    lookup(host: string, ...given: readonly unknown[]) {
      const process = currentProcess();
      if (process === undefined) return Reflect.apply(lookup, nodeDns, [host, ...given]) as unknown;
      const callback = given.at(-1) as (error: Error | null, ...found: readonly unknown[]) => void;
      const found = resolve(process, host, given.length > 1 ? given[0] : undefined);
      process.setTimer(
        () => {
          if (Array.isArray(found)) callback(null, found);
          else callback(null, publicAddress.address, publicAddress.family);
        },
        0,
        "immediate",
      );
      return {};
    },
  });
}

async function sent(
  process: RoutedProcess,
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
): Promise<Response> {
  return process.fetch(new Request(input, init));
}

/** The remedy for a request to a host that no receiver has. */
export function receiverRemedy(host: string): string {
  return `Add receiver("https://${host}", …) to the receivers of the simulation.`;
}
