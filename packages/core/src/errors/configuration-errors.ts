import { BailiwickError, type BailiwickErrorOptions } from "./bailiwick-error.ts";

/** An option is invalid, conflicts with another, or cannot be honoured; thrown when it is given. */
export class ConfigurationError extends BailiwickError {}

/** A tool's definition is invalid. */
export class InvalidToolError extends ConfigurationError {
  /** Name of the tool. */
  readonly toolName: string;

  constructor(toolName: string, message: string, options?: BailiwickErrorOptions) {
    super("INVALID_TOOL", `${toolName ? `Tool "${toolName}"` : "A tool"}: ${message}`, options);
    this.toolName = toolName;
  }
}

/** A value has to be sealed or opened, but the agent has no key for it (`keys.seal`). */
export class SealKeyMissingError extends ConfigurationError {
  /** The tool whose results or arguments have to be sealed, if one is involved. */
  readonly toolName: string | undefined;

  constructor(message: string, options: BailiwickErrorOptions & { readonly toolName?: string | undefined } = {}) {
    const { toolName, ...rest } = options;
    super("SEAL_KEY_MISSING", message, rest);
    this.toolName = toolName;
  }
}

/** A schema cannot be turned into JSON Schema; the message names its library and the wrapper to use. */
export class SchemaNotConvertibleError extends ConfigurationError {
  /** The library, as the schema's `~standard.vendor` says. */
  readonly vendor: string;

  constructor(vendor: string, message: string, options?: BailiwickErrorOptions) {
    super("SCHEMA_NOT_CONVERTIBLE", message, options);
    this.vendor = vendor;
  }
}

/** Two first-party tools share a name. */
export class DuplicateToolNameError extends ConfigurationError {
  /** The name that two tools have. */
  readonly toolName: string;

  constructor(toolName: string) {
    super(
      "DUPLICATE_TOOL_NAME",
      `Two first-party tools are named "${toolName}". Rename one of them: first-party names are never changed silently.`,
    );
    this.toolName = toolName;
  }
}

/** Tools from different sources share a name, and `collisions` is `manual`. */
export class ToolCollisionError extends ConfigurationError {
  /** The name that tools of several sources have. */
  readonly toolName: string;
  /** The sources that offer a tool of this name, such as names of MCP servers. */
  readonly sources: readonly string[];
  /** The value of `collisions` that applied. */
  readonly strategy: string;

  constructor(toolName: string, sources: readonly string[], strategy: string) {
    super(
      "TOOL_COLLISION",
      `Tool "${toolName}" comes from ${sources.join(" and ")}. Rename one, or set collisions to "auto-prefix" or "priority" (now "${strategy}").`,
    );
    this.toolName = toolName;
    this.sources = sources;
    this.strategy = strategy;
  }
}

/** A policy, stop condition or grant names a tool that does not exist, or a name that two tools share. */
export class UnknownToolNameError extends ConfigurationError {
  /** The name that is unknown or ambiguous. */
  readonly toolName: string;

  constructor(toolName: string, message: string) {
    super("UNKNOWN_TOOL_NAME", message);
    this.toolName = toolName;
  }
}

/** An example of a tool does not match its schemas. */
export class InvalidExampleError extends ConfigurationError {
  /** Name of the tool with the example. */
  readonly toolName: string;
  /** Index of the example, from 0. */
  readonly index: number;
  /** The path in the example. */
  readonly path: string;

  constructor(toolName: string, index: number, path: string, message: string) {
    super("INVALID_EXAMPLE", `Tool "${toolName}", example ${index}, at "${path}": ${message}`);
    this.toolName = toolName;
    this.index = index;
    this.path = path;
  }
}
