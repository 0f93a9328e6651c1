/** Placeholder if nothing of a conversation can be sent: both protocols refuse a request without a message. */
export const nothing = { role: "user", content: "(empty message)" } as const;
