/** Ends an attempt of a call that waits for a person: the call starts again from its top when the answer is there. */
export class CallPaused extends Error {
  constructor() {
    super("The call waits for a person.");
    this.name = "CallPaused";
  }
}
