import type { Studio } from "@bailiwick/studio";

const base = "http://127.0.0.1:4311";

/** A client of a studio's routes. */
export function client({ fetch, token }: Studio) {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("host", "127.0.0.1:4311");
    if (token !== undefined && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    return fetch(new Request(`${base}/${path}`, { ...init, headers }));
  };
  const send = (method: string, path: string, body: unknown): Promise<Response> =>
    ask(`api/${path}`, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const read = async <Answer>(path: string): Promise<Answer> => (await (await ask(`api/${path}`)).json()) as Answer;
  return { ask, read, send, post: (path: string, body: unknown) => send("POST", path, body) };
}
