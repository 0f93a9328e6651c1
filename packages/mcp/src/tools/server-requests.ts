import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { InputRequest } from "@modelcontextprotocol/client";
import { ToolError } from "@bailiwick/core";
import type { ToolExecutionContext } from "@bailiwick/core";
import type { RequestHandlers } from "../connection/request-handlers.ts";
import type { McpOptions } from "../options.ts";
import { askRun, formOf, wire } from "./elicitation.ts";
import { sample } from "./sampling.ts";
import type { SamplingUse } from "./sampling.ts";

/** A call that is under way. */
export interface CallUnderWay {
  readonly ctx: ToolExecutionContext;
  readonly sampled: SamplingUse;
}

/** Questions of a server, and their answers. */
export interface ServerRequests extends RequestHandlers {
  /** Registers a call until the returned function is called. */
  enter(call: CallUnderWay): () => void;
  /** Answers a request that came as the result of a call, as servers of 2026-07-28 ask. */
  answer(call: CallUnderWay, request: InputRequest): Promise<unknown>;
}

/** Answers the requests of a server as configured; others are refused. */
export function serverRequests({ name, elicitation: mode, sampling, roots }: McpOptions): ServerRequests {
  const underWay = new Set<CallUnderWay>();
  const terms = sampling === true ? {} : sampling || undefined;
  /** The protocol does not say which call a request belongs to. With two of them it belongs to neither. */
  const only = (): CallUnderWay | undefined => (underWay.size === 1 ? [...underWay][0] : undefined);
  const onElicitation: RequestHandlers["onElicitation"] = async (request, signal) => {
    if (request.params.mode === "url" || mode === undefined) return { action: "decline" };
    if (mode !== "suspend") return wire(await mode({ server: name, ...formOf(request), signal }), request);
    const call = only();
    return call === undefined ? { action: "cancel" } : wire(await askRun(call.ctx, name, request), request);
  };
  const rootList = roots?.map(({ uri, name: title }) => ({ uri, ...(title !== undefined && { name: title }) }));
  return {
    onElicitation: mode === undefined ? undefined : onElicitation,
    onSampling:
      terms === undefined
        ? undefined
        : async ({ params }) => {
            const call = only();
            if (call === undefined)
              throw new ProtocolError(
                ProtocolErrorCode.InvalidRequest,
                "Ask for an answer of the model while exactly one tool call is under way.",
              );
            return sample({ server: name, terms, use: call.sampled, ctx: call.ctx }, params);
          },
    onRoots: rootList === undefined ? undefined : () => ({ roots: rootList }),
    enter(call) {
      underWay.add(call);
      return () => void underWay.delete(call);
    },
    async answer({ ctx, sampled }, request) {
      if (request.method === "elicitation/create" && mode !== undefined) {
        if (request.params.mode === "url") return { action: "decline" };
        if (mode === "suspend") return wire(await askRun(ctx, name, request), request);
        return wire(await mode({ server: name, ...formOf(request), signal: ctx.signal }), request);
      }
      if (request.method === "sampling/createMessage" && terms !== undefined)
        return sample({ server: name, terms, use: sampled, ctx }, request.params);
      if (request.method === "roots/list" && rootList !== undefined) return { roots: rootList };
      // A user cannot answer requests for a model or files that the operator did not offer.
      throw new ToolError(`The server wants "${request.method}" answered, which this client does not offer.`);
    },
  };
}
