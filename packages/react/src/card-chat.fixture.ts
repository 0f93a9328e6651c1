/** The chat that waits for a refund. */
export const cardChat = "chat-of-a-page-with-cards";
