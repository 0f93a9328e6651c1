const today = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const earlier = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The time for today's dates, else the day. */
export function shortTime(time: string | number): string {
  const date = new Date(time);
  return date.toDateString() === new Date().toDateString() ? today.format(date) : earlier.format(date);
}

/** Day and time. */
export function fullTime(time: string | number): string {
  return full.format(new Date(time));
}

/** Zero-width characters, invisible ones, those that change the text direction, and tags. */
const hidden =
  /[\u200b-\u200d\u2060-\u2064\ufeff\u00ad\u180e\u115f\u1160\u3164]|[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e01ef}]/gu;

/** Characters that are in a text but not on the screen. */
export function countHidden(text: string): number {
  return [...text.matchAll(hidden)].length;
}

/** Names of the desk's tools for people. */
const toolTitles: Readonly<Record<string, string>> = {
  read_mail: "Read the mail",
  find_customer: "Look up the customer",
  find_order: "Look up the order",
  list_orders: "List the customer's orders",
  find_product: "Look up a product",
  issue_refund: "Issue a refund",
  draft_reply: "Draft an answer",
  send_reply: "Send the answer",
  forward_mail: "Forward the mail",
  close_mail: "Put the mail away",
  ask_colleague: "Ask a colleague",
  ask_parcels: "Ask the parcels specialist",
  file_claim: "File a claim with the carrier",
  note_customer: "Note something about the customer",
};

/** A readable tool name; the tool's own name if there is none. */
export function toolTitle(name: string): string {
  return toolTitles[name] ?? name;
}

/** `awaiting_approval` → `awaiting approval`. */
export function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
