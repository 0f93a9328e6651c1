import { APIError } from "@anthropic-ai/sdk";
import { beginningOf } from "@bailiwick/core/provider";
import type { ModelRequest } from "@bailiwick/core/provider";

/**
 * Features that are dropped after the vendor refused them: `strict`, enforcement of tools' schemas; `thinking`, the
 * requirement that all earlier thinking is valid although the content before it has changed.
 */
export type Concession = "strict" | "thinking";

/** Remembers per session which features the vendor refused, so that each session is refused once. */
export interface Concessions {
  /** Returns the features that are dropped from requests like this one. */
  of(request: ModelRequest): ReadonlySet<Concession>;
  /**
   * Reads a refusal and remembers which feature to drop.
   *
   * @param error - The vendor's error.
   * @param request - The refused request.
   * @param without - Features that are already dropped: no request is refused twice for the same one.
   * @returns true if the request should be sent again without it.
   */
  learn(error: unknown, request: ModelRequest, without: ReadonlySet<Concession>): boolean;
}

const refusals: Readonly<Record<Concession, RegExp>> = {
  strict:
    /compiled grammar is too large|too many strict tools|strict tools supported|schema is too complex|schemas? contains? too many (optional|union|conditional)|too many (optional|union)[- ]?(typed )?param/i,
  thinking: /thinking` block\. The block is bound to a different conversation|prefix_mismatch_behavior/,
};

const none: ReadonlySet<Concession> = new Set();
/** Maximum number of remembered sessions; the oldest is dropped first. */
const maxSessions = 1000;

/** Starts with nothing refused. */
export function createConcessions(): Concessions {
  const sessions = new Map<string, Set<Concession>>();
  // Without a session, the schemas of the tools count: they are what the vendor refuses.
  const toolSets = new WeakMap<object, Set<Concession>>();
  const known = (request: ModelRequest): Set<Concession> | undefined =>
    request.sessionId === undefined ? toolSets.get(request.tools ?? request.messages) : sessions.get(request.sessionId);
  const remember = (request: ModelRequest, concession: Concession): void => {
    const set = new Set(known(request)).add(concession);
    if (request.sessionId === undefined) {
      toolSets.set(request.tools ?? request.messages, set);
      return;
    }
    sessions.delete(request.sessionId);
    sessions.set(request.sessionId, set);
    for (const oldest of sessions.keys()) {
      if (sessions.size <= maxSessions) break;
      sessions.delete(oldest);
    }
  };
  return {
    of: (request) => known(request) ?? none,
    learn(error, request, without) {
      if (!(error instanceof APIError) || error.status !== 400) return false;
      const message = beginningOf(error.message);
      const found = (Object.keys(refusals) as Concession[]).find((name) => refusals[name].test(message));
      if (found === undefined || without.has(found)) return false;
      remember(request, found);
      return true;
    },
  };
}
