import { BailiwickError, ConfigurationError } from "@bailiwick/core";

/** A setting of the flow policy is impossible or contradicts another. */
export class FlowOptionsError extends ConfigurationError {
  constructor(message: string) {
    super("FLOW_OPTIONS", message);
  }
}

/** A hosted tool that can write runs at the vendor without an approval [hosted.ungoverned-refused]. */
export class UngovernedHostedToolError extends ConfigurationError {
  /** Names of the tools that no rule sees. */
  readonly toolNames: readonly string[];

  constructor(toolNames: readonly string[]) {
    const list = toolNames.map((name) => `"${name}"`).join(", ");
    super(
      "UNGOVERNED_HOSTED_TOOL",
      `The vendor runs ${list} without asking, and no rule of this framework sees the calls. Let the vendor ask before each call that is not a read (mcp() of @bailiwick/providers-openai does; name the tools that only read in its reads), use a tool of your own, or accept it with flow: { allowUngovernedHostedTools: true }.`,
    );
    this.toolNames = toolNames;
  }
}

/** A reference has no value in this run. */
export class ReferenceUnknownError extends BailiwickError {
  constructor(reference: string) {
    super(
      "REFERENCE_UNKNOWN",
      `"${reference.slice(0, 200)}" stands for no value of this run: a reference holds in the run that read the value. Call the tool that has it again, and copy the text of "$ref" exactly.`,
    );
  }
}
