import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { ElicitRequest, InputRequest } from "@modelcontextprotocol/client";
import { ToolError } from "@bailiwick/core";
import type { RequestHandlers } from "../connection/request-handlers.ts";
import type { McpOptions } from "../options.ts";
import type { CallUnderWay } from "./call-under-way.ts";
import type { QuestionAnswer } from "../questions.ts";
import { answerByFunction } from "./ask-function.ts";
import { askRun, wire } from "./elicitation.ts";
import { sample } from "./sampling.ts";

/** Questions of a server, and their answers. */
export interface ServerRequests extends RequestHandlers {
  /** Registers a call until the returned function is called. */
  enter(call: CallUnderWay): () => void;
  /**
   * Answers a request that is the result of a call, as servers of 2026-07-28 ask.
   *
   * @param place - Key of the request in its task.
   */
  answer(call: CallUnderWay, request: InputRequest, place?: string): Promise<unknown>;
  /** Answers the requests that a task sent over this connection in an earlier attempt, and that its server still waits for. */
  answerOpen(call: CallUnderWay): Promise<void>;
}

/** A request that a server of 2025-11-25 waits for while its call waits for a person. */
interface OpenRequest {
  readonly taskId: string;
  readonly request: ElicitRequest;
  readonly resolve: (answer: QuestionAnswer) => void;
}

/** Maximum number of open requests. */
const mostOpen = 1_000;
/** Member of a request's metadata that names the task that sends it. */
const relatedTaskKey = "io.modelcontextprotocol/related-task";

/** Answers the requests of a server as configured; all others are refused. */
export function serverRequests({ name, elicitation: mode, sampling, roots }: McpOptions): ServerRequests {
  const underWay = new Set<CallUnderWay>();
  const terms = sampling === true ? {} : sampling || undefined;
  /** Requests of tasks whose call waits for a person. */
  const open = new Set<OpenRequest>();
  /** The protocol names the call of a request only for tasks. If two calls are pending, it is assigned to neither. */
  const callOf = (taskId: string | undefined): CallUnderWay | undefined => {
    const all = [...underWay];
    return (
      all.find(({ task }) => task !== undefined && task.taskId === taskId) ?? (all.length === 1 ? all[0] : undefined)
    );
  };
  const onElicitation: RequestHandlers["onElicitation"] = async (request, signal) => {
    if (request.params.mode === "url" || mode === undefined) return { action: "decline" };
    const call = callOf(relatedTask(request));
    if (mode !== "suspend") {
      const signals = call === undefined ? [signal] : [signal, call.ctx.signal];
      const question = { server: name, signal: AbortSignal.any(signals) };
      return answerByFunction(mode, request, question, failureLog(call ?? [...underWay][0]));
    }
    if (call === undefined) return { action: "cancel" };
    const asked = askRun(call, name, request);
    if (call.task === undefined) return wire(await asked, request);
    // The attempt that asks ends here. The next one answers, if it uses this connection.
    const { taskId } = call.task;
    const later = new Promise<QuestionAnswer>((resolve) => {
      if (open.size >= mostOpen) return resolve({ action: "cancel" });
      const one = { taskId, request, resolve };
      open.add(one);
      signal.addEventListener("abort", () => open.delete(one), { once: true });
    });
    return wire(await Promise.race([asked, later]), request);
  };
  /** A failure goes to the log of the agent whose call the server asked in; the console is for questions outside of calls. */
  const failureLog =
    (call: CallUnderWay | undefined) =>
    (message: string, error: Error): void =>
      (call?.ctx.logger ?? console).error(`MCP server "${name}": ${message}`, { error });
  const rootList = roots?.map(({ uri, name: title }) => ({ uri, ...(title !== undefined && { name: title }) }));
  return {
    onElicitation: mode === undefined ? undefined : onElicitation,
    onSampling:
      terms === undefined
        ? undefined
        : async ({ params }) => {
            const call = callOf(relatedTask({ params }));
            if (call === undefined)
              throw new ProtocolError(
                ProtocolErrorCode.InvalidRequest,
                "Ask for an answer of the model while exactly one tool call is under way.",
              );
            return sample({ server: name, terms, call }, params);
          },
    onRoots: rootList === undefined ? undefined : () => ({ roots: rootList }),
    enter(call) {
      underWay.add(call);
      return () => void underWay.delete(call);
    },
    async answerOpen(call) {
      for (const one of open) {
        if (one.taskId !== call.task?.taskId) continue;
        one.resolve(await askRun(call, name, one.request));
        open.delete(one);
      }
    },
    async answer(call, request, place) {
      if (request.method === "elicitation/create" && mode !== undefined) {
        if (request.params.mode === "url") return { action: "decline" };
        if (mode === "suspend") return wire(await askRun(call, name, request, place), request);
        return answerByFunction(mode, request, { server: name, signal: call.ctx.signal }, failureLog(call));
      }
      if (request.method === "sampling/createMessage" && terms !== undefined)
        return sample({ server: name, terms, call }, request.params);
      if (request.method === "roots/list" && rootList !== undefined) return { roots: rootList };
      // A user cannot answer requests for a model or files that the operator did not offer.
      throw new ToolError(`The server wants "${request.method}" answered, which this client does not offer.`);
    },
  };
}

function relatedTask({ params }: { readonly params: { readonly _meta?: unknown } }): string | undefined {
  const meta = params._meta as Readonly<Record<string, { readonly taskId?: unknown } | undefined>> | undefined;
  const taskId = meta?.[relatedTaskKey]?.taskId;
  return typeof taskId === "string" ? taskId : undefined;
}
