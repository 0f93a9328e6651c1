import { BailiwickError } from "@bailiwick/core";

/** HTTP statuses of invalid requests. */
export type RequestErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415;

/** A request that cannot be served, with its HTTP status. */
export class RequestError extends BailiwickError {
  /** HTTP status of the answer. */
  readonly status: RequestErrorStatus;

  /**
   * @param status - HTTP status of the answer.
   * @param code - A stable code in capitals, which the client gets.
   * @param message - Text for the client, which gets it.
   */
  constructor(status: RequestErrorStatus, code: string, message: string) {
    super(code, message);
    this.status = status;
  }
}

/** A body or parameter that the route does not accept. */
export function invalid(message: string): RequestError {
  return new RequestError(400, "INVALID_REQUEST", message);
}
