import { isSameOwner, type StoredRun } from "@bailiwick/core";
import { askForRequest, checkedCaller } from "@bailiwick/core/extension";
import type { Context } from "hono";
import type { AccessRequest, Authorize, Caller, RunAction, Share } from "./authorize.ts";
import type { JsonBody } from "./read-body.ts";
import { invalid, RequestError } from "./request-error.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

/** A run and the caller who asks for it. */
interface Reached {
  readonly run: StoredRun;
  readonly caller: Caller;
}

/** Parts of a run that a caller reads: the run, or its questions, which a caller who may decide them reads too. */
export type Seen = "read" | "questions";

/** An action on one run. */
type RunOnlyAction = Exclude<RunAction, "start" | "list" | "edit" | "delete">;

/** An action on one run, or the reading of its questions. */
type Asked = RunOnlyAction | "questions";

/** The checks of every route. */
export interface Access {
  /** @throws RequestError `FORBIDDEN` if `authorize` refuses. */
  permit(context: Context, access: AccessRequest): Promise<Caller>;
  /** @throws RequestError `RUN_NOT_FOUND` for a run of another owner, as for one that does not exist. */
  reach(context: Context, action: Asked, runId: string, body?: JsonBody): Promise<Reached>;
  /**
   * Refuses a session id that no store accepts, and one that strangers could guess if the id alone protects a caller's
   * conversation.
   */
  checkSessionId(caller: Caller, sessionId: string | undefined): void;
  /**
   * The runs of other users that a list of the caller has; `undefined` if no rule opens any. The rules are the ones of
   * `reach`, so that a list has what its entries show.
   */
  shared(context: Context, seen: Seen, caller: Caller): ((run: StoredRun) => Promise<boolean>) | undefined;
  /** True if a list has to name its session: an anonymous caller does not see the runs of other anonymous callers. */
  needsSession(caller: Caller): boolean;
}

/** Minimum length of the session id of an anonymous caller, and maximum length of any id: stores index them. */
const leastCharacters = 16;
const mostCharacters = 512;

/** False for an invalid id: too long, or with control characters such as NUL. */
const isStorable = (id: string): boolean => id.length <= mostCharacters && !/\p{Cc}/u.test(id) && id.isWellFormed();

function checkStorable(sessionId: string | undefined): void {
  if (sessionId === undefined || isStorable(sessionId)) return;
  throw invalid(`A session id has at most ${mostCharacters} characters and no control characters. Choose another one.`);
}

const sharedAs: Readonly<Record<Asked, readonly (keyof Share)[]>> = {
  read: ["read"],
  questions: ["read", "decide"],
  audit: ["read"],
  decide: ["decide"],
  steer: ["continue"],
  cancel: ["continue"],
  fork: ["fork"],
};

/** Without `authorize`, the server is only reached from this machine, by one person without a name. */
const onlyPerson: Authorize = () => ({});

interface AccessOptions extends Pick<RunRoutesOptions, "agent" | "store" | "authorize" | "share"> {
  /** The status if `authorize` refuses the caller; default 403. */
  readonly refusal?: 401 | 403 | undefined;
}

/** Makes the checks of the routes. */
export function createAccess({ agent, store, authorize, share, refusal = 403 }: AccessOptions): Access {
  const ask = authorize ?? onlyPerson;
  const isAnonymous = ({ userId }: Caller): boolean => authorize !== undefined && userId === undefined;

  const answerOf = async (context: Context, access: AccessRequest): Promise<Caller | undefined> =>
    checkedCaller(
      await askForRequest("authorize", context.req.raw.signal, () => ask(context.req.raw, access)),
      "the routes",
      ["channel"],
    );
  const permit = async (context: Context, access: AccessRequest): Promise<Caller> => {
    checkStorable(access.session?.id);
    const caller = await answerOf(context, access);
    if (caller === undefined) throw new RequestError(refusal, "FORBIDDEN", "You may not do this.");
    return caller;
  };
  /** True if a rule opens the run of another user to the caller. A rule never reaches another tenant. */
  const isOpened = async (context: Context, action: Asked, caller: Caller, run: StoredRun): Promise<boolean> => {
    if ((run.tenantId ?? undefined) !== caller.tenantId) return false;
    const { signal } = context.req.raw;
    for (const kind of sharedAs[action]) {
      const rule = share?.[kind];
      // A rule without types may return anything; only true grants access to a run.
      const allowed: unknown = rule && (await askForRequest(`share.${kind}`, signal, () => rule(caller, run)));
      if (allowed === true) return true;
    }
    return false;
  };
  const isReached = async (context: Context, action: Asked, caller: Caller, run: StoredRun): Promise<boolean> =>
    isSameOwner(run, caller) || (await isOpened(context, action, caller, run));

  return {
    permit,
    async reach(context, action, runId, body) {
      const found = isStorable(runId) ? await store.getRun(runId) : undefined;
      const run = found?.agentId === agent.name ? found : undefined;
      const asked = {
        action: action === "questions" ? ("read" as const) : action,
        ...(body !== undefined && { body }),
      };
      const notFound = new RequestError(404, "RUN_NOT_FOUND", `There is no run "${runId}". Check its id.`);
      if (run === undefined) {
        await permit(context, asked);
        throw notFound;
      }
      const caller = await answerOf(context, { ...asked, run, session: { id: run.sessionId } });
      if (caller !== undefined && (await isReached(context, action, caller, run))) return { run, caller };
      // A refusal because of the run would tell another user that the run exists.
      const other = caller ?? (await permit(context, asked));
      throw (await isReached(context, action, other, run)) ? forbidden() : notFound;
    },
    shared(context, seen, caller) {
      if (sharedAs[seen].every((name) => share?.[name] === undefined)) return undefined;
      return async (run) => isOpened(context, seen, caller, run);
    },
    checkSessionId(caller, sessionId) {
      checkStorable(sessionId);
      if (sessionId === undefined || !isAnonymous(caller) || sessionId.length >= leastCharacters) return;
      throw invalid(
        `The session id of a caller without a user needs at least ${leastCharacters} characters that cannot be guessed, such as a random UUID: it is all that keeps others out.`,
      );
    },
    needsSession: isAnonymous,
  };
}

function forbidden(): RequestError {
  return new RequestError(403, "FORBIDDEN", "You may not do this.");
}
