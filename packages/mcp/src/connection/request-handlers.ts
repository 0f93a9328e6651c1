import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  ListRootsResult,
} from "@modelcontextprotocol/client";

/** Answers to requests of a server over the connection, in protocols that have sessions. */
export interface RequestHandlers {
  readonly onElicitation: ((request: ElicitRequest, signal: AbortSignal) => Promise<ElicitResult>) | undefined;
  readonly onSampling: ((request: CreateMessageRequest) => Promise<CreateMessageResult>) | undefined;
  readonly onRoots: (() => ListRootsResult) | undefined;
}
