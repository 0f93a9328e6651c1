const jsonBegins: ReadonlySet<string> = new Set(["[", "{", '"']);

/**
 * The JSON of an event's data; `undefined` if it is not JSON, such as the text with which a gateway keeps a connection
 * open. Data that begins as JSON but is incomplete is an error: a piece of the answer is lost.
 *
 * @param data - The data of one event.
 * @throws SyntaxError when the data is broken JSON.
 */
export function eventJson(data: string): unknown {
  const text = data.trim();
  return jsonBegins.has(text.charAt(0)) ? (JSON.parse(text) as unknown) : undefined;
}
