export { claimChat } from "./claim-chat.ts";
export { fromUIMessages, type StoredUiMessage } from "./from-ui-messages.ts";
export { sessionToUIMessages, type SessionMessagesOptions } from "./session-to-ui-messages.ts";
export type { ChatBranch } from "./chat-record.ts";
export type { ChatView } from "./list-chats.ts";
export type { UiApproval, UiMessage, UiMessagePart, UiToolPart } from "./ui-message.ts";
