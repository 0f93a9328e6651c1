import { errorCodes, type ErrorCode } from "@bailiwick/core/extension";

/** Kinds of errors that the run did not cause: those of its store, its lease, its process or its build. */
const hostKinds: ReadonlySet<string> = new Set(["away", "broken", "handedOver", "hostPasses", "refusedByHost"]);

/** True for the code of an error that belongs to the host and not to the run. */
export function isHostCode(code: string | undefined): boolean {
  return code !== undefined && Object.hasOwn(errorCodes, code) && hostKinds.has(errorCodes[code as ErrorCode]);
}
