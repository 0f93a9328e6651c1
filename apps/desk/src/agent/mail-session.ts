const prefix = "mail-";

/** The session of the conversation about one mail. */
export function sessionOfMail(mailId: string): string {
  return `${prefix}${mailId}`;
}

/** The mail that a session is about, or `null`. */
export function mailOfSession(sessionId: string): string | null {
  return sessionId.startsWith(prefix) ? sessionId.slice(prefix.length) : null;
}

/** The agent's input when a person hands it a mail. */
export function handleMailTask(mailId: string): string {
  return `Handle mail ${mailId}.`;
}
