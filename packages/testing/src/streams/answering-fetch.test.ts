import { answeringFetch, jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";

const bytes = new TextEncoder().encode("data: first\n\ndata: sécond\n\n");

async function read(response: Response): Promise<{ pieces: string[]; error: unknown }> {
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) pieces.push(decoder.decode(piece, { stream: true }));
  } catch (error) {
    return { pieces, error };
  }
  return { pieces, error: undefined };
}

test("bytes arrive split at the given positions, and the ones before a cut are kept", async () => {
  const send = answeringFetch(bytes, { splitAt: [13, 20], broken: true, status: 201, headers: { "x-id": "7" } });
  const response = await send("http://vendor.test/v1", { method: "POST", body: '{"input":[{"text":"Hi"}]}' });
  expect([response.status, response.headers.get("x-id")]).toEqual([201, "7"]);
  expect(await read(response)).toEqual({
    pieces: ["data: first\n\n", "data: s", "écond\n\n"],
    error: new TypeError("terminated"),
  });
  expect(jsonAt(send.requests[0]?.body, "input", 0, "text")).toBe("Hi");
  expect(jsonAt(send.requests[0]?.body, "input", 3, "text")).toBeUndefined();
});

test("without a cut it ends, and each request is answered from the start", async () => {
  const send = answeringFetch(bytes);
  const responses = await Promise.all([send("http://a.test"), send(new URL("http://b.test/x"))]);
  for (const response of responses)
    expect((await read(response)).pieces.join("")).toBe(new TextDecoder().decode(bytes));
  expect(send.requests.map(({ url }) => url)).toEqual(["http://a.test", "http://b.test/x"]);
});
