/**
 * React hooks and cards for chats with agents that `runRoutes` of `@bailiwick/server` serves.
 *
 * @module
 */
export { agentClient, AgentRequestError } from "./agent-client.ts";
export type {
  AgentClient,
  AgentClientOptions,
  ChatBranchView,
  ChatList,
  ChatView,
  LoadedChat,
  PageOptions,
  RunView,
  SentDecision,
} from "./agent-client.ts";
export { chatRequestBody, type ChatRequest, type ChatRequestBody } from "./chat-request-body.ts";
export { ApprovalCard, type ApprovalCardProps } from "./cards/approval-card.tsx";
export { OpenQuestions, type OpenQuestionsProps } from "./cards/open-questions.tsx";
export { QuestionCard, type QuestionCardProps } from "./cards/question-card.tsx";
export { useAgentChat, type AgentChat, type AgentChatOptions } from "./use-agent-chat.ts";
export {
  agentTransport,
  useAgentTransport,
  type AgentTransport,
  type AgentTransportOptions,
} from "./use-agent-transport.ts";
export { useChatHistory, type ChatHistory } from "./use-chat-history.ts";
export {
  useInterruptions,
  type OpenBatch,
  type OpenInterruption,
  type OpenInterruptions,
} from "./use-interruptions.ts";
export { useRun, type FollowedRun } from "./use-run.ts";
