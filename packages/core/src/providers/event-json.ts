/**
 * The JSON of an event's data; `undefined` for what is no JSON at all, such as the words with which a gateway keeps a
 * connection alive. Data that begins as JSON and does not end as it is an error: a piece of the answer is lost.
 *
 * @param data - The data of one event.
 * @throws SyntaxError when the data is broken JSON.
 */
export function eventJson(data: string): unknown {
  const text = data.trim();
  return /^[[{"]/.test(text) ? (JSON.parse(text) as unknown) : undefined;
}
