/** The failure of a callback where no run is at hand: the run that gets it as a cause reports it. */
export class CallbackError extends Error {
  /** The option that holds the callback. */
  readonly callback: string;

  constructor(callback: string, error: Error) {
    super(error.message, { cause: error });
    this.name = error.name;
    this.callback = callback;
  }
}
