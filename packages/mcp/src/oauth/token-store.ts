/** Storage of an authorization: the client's registration, tokens, and the state of a flow in progress. */
export interface TokenStore {
  /**
   * The text under a key; `undefined` if there is none.
   *
   * @param key - The name under which the OAuth code stores the text.
   */
  get(key: string): Promise<string | undefined> | string | undefined;
  /**
   * Stores a text under a key. It contains secrets: encrypt it at rest.
   *
   * @param key - The name under which the OAuth code stores the text.
   * @param value - Text to store, such as tokens as JSON.
   */
  set(key: string, value: string): Promise<void> | void;
  /**
   * Removes what is stored under a key.
   *
   * @param key - The name under which the OAuth code stores the text.
   */
  delete(key: string): Promise<void> | void;
}

/** Stores tokens in this process, for its lifetime. */
export function memoryTokens(): TokenStore {
  const kept = new Map<string, string>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
}
