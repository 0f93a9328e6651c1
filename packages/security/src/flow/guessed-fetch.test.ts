import { expect, test } from "vitest";

import { GuessedReaderError, readingFetch } from "./guessed-fetch.ts";

test("a guessed reader sends only GET, for every way to set the method [flow.guess.fetch]", async () => {
  const sent: unknown[] = [];
  const read = readingFetch("look", async (input) => {
    sent.push(input);
    return new Response("ok");
  });
  const url = "https://a.example/x";
  await read(url);
  await read(new URL(url));
  await read(url, {});
  await read(url, { method: "get" });
  await read(new Request(url));
  await read(new Request(url, { method: "POST" }), { method: "GET" });
  expect(sent).toHaveLength(6);
  const refused = (input: string | Request, init?: RequestInit): Promise<void> =>
    expect(read(input, init)).rejects.toThrow(GuessedReaderError);
  await refused(url, { method: "post" });
  await refused(new Request(url, { method: "DELETE" }));
  await refused(new Request(url), { method: "PUT" });
  await expect(read(new Request(url, { method: "POST" }))).rejects.toThrow("POST request to a.example");
  await expect(read(url, { method: "POST" })).rejects.toThrow("POST request to a.example");
  expect(sent).toHaveLength(6);
});
