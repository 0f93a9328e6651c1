/** What is where nothing of a conversation can be sent: both wires refuse a request without a message. */
export const nothing = { role: "user", content: "(empty message)" } as const;
