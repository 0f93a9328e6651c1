export { answerText } from "./answer-text.ts";
export { compileHistory } from "./compile-history.ts";
export { createHistoryCompiler, type HistoryCompiler } from "./history-compiler.ts";
export { historyTarget, type CompiledHistory, type HistoryTarget } from "./history-target.ts";
export { toChatMessage } from "./to-chat-message.ts";
export { fromChatMessage, fromChatMessages, type FromChatMessageOptions } from "./from-chat-message.ts";
export type { WireChatMessage, WireChatPart, WireChatToolCall } from "./wire-chat-message.ts";
