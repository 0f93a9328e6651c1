import { BailiwickError } from "@bailiwick/core";

/** Statuses of what a request can do wrong. */
export type RequestErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415;

/** A request that cannot be served, with the status that says so. */
export class RequestError extends BailiwickError {
  readonly status: RequestErrorStatus;

  constructor(status: RequestErrorStatus, code: string, message: string) {
    super(code, message);
    this.status = status;
  }
}

/** A body or parameter that is not what the route takes. */
export function invalid(message: string): RequestError {
  return new RequestError(400, "INVALID_REQUEST", message);
}
