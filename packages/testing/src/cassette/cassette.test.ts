import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cassette, CassetteError, type CassetteOptions } from "@bailiwick/testing";
import { afterAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "cassette-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const place = (): string => join(folder, "deep", `${(count += 1)}.json`);
const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** A vendor with the given answers, which counts requests. */
function vendor(...answers: readonly Response[]): { fetch: typeof globalThis.fetch; calls: () => number } {
  let calls = 0;
  return { calls: () => calls, fetch: async () => answers[calls++] ?? Response.error() };
}

async function recorded(
  answers: readonly Response[],
  requests: readonly Parameters<typeof globalThis.fetch>[],
  options: Partial<CassetteOptions> = {},
): Promise<string> {
  const path = place();
  await using tape = await cassette({ path, mode: "record", fetch: vendor(...answers).fetch, ...options });
  for (const request of requests) await tape.fetch(...request);
  return path;
}

const failure = async (promise: Promise<unknown>): Promise<CassetteError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CassetteError);
  return error as CassetteError;
};

describe("cassettes [feature:X104]", () => {
  const url = "https://vendor.test/v1/answers?alt=sse&key=sk-in-the-url-123";
  const stream = 'event: a\r\ndata: {"n":1}\r\n\r\ndata: "é"\n\ndata: [DONE]\n\n';

  test("JSON, a stream, an error status and bytes are played back unchanged, without the vendor", async () => {
    const path = await recorded(
      [
        Response.json({ text: "Hello.", n: 1.5 }, { headers: { "x-request-id": "r1" } }),
        new Response(stream, { headers: { "content-type": "text/event-stream" } }),
        new Response("Slow down", { status: 429, headers: { "retry-after": "3" } }),
        new Response(new Uint8Array([0xff, 0x00, 0xfe])),
        new Response(null, { status: 204 }),
      ],
      [1, 2, 3, 4, 5].map((n) => [url, post({ n })]),
    );
    await using tape = await cassette({ path });
    const answers = [];
    for (const n of [1, 2, 3, 4, 5])
      answers.push(await tape.fetch("http://127.0.0.1:9/v1/answers?alt=sse", post({ n })));
    const [json, streamed, limited, bytes, empty] = answers;
    expect(await json?.json()).toEqual({ text: "Hello.", n: 1.5 });
    expect(json?.headers.get("x-request-id")).toBe("r1");
    const pieces = [];
    for await (const piece of streamed?.body ?? []) pieces.push(new TextDecoder().decode(piece));
    expect(pieces).toEqual(['event: a\r\ndata: {"n":1}\r\n\r\n', 'data: "é"\n\n', "data: [DONE]\n\n"]);
    expect([limited?.status, limited?.headers.get("retry-after"), await limited?.text()]).toEqual([
      429,
      "3",
      "Slow down",
    ]);
    expect([...new Uint8Array((await bytes?.arrayBuffer()) ?? [])]).toEqual([0xff, 0x00, 0xfe]);
    expect([empty?.status, empty?.body]).toEqual([204, null]);
    expect(tape.unused).toEqual([]);
  });

  test("while recording, the caller gets the answer too", async () => {
    const real = vendor(Response.json({ a: 1 }), new Response(stream));
    await using tape = await cassette({ path: place(), mode: "record", fetch: real.fetch });
    expect(await (await tape.fetch(url)).json()).toEqual({ a: 1 });
    expect(await (await tape.fetch(url)).text()).toBe(stream);
    expect([real.calls(), tape.exchanges.length, tape.unused.length]).toEqual([2, 2, 0]);
  });

  test("keys, tokens, cookies and the owner of the account stay out of the file, in every place", async () => {
    const secret = 'quote"d-and-secret';
    const path = await recorded(
      [
        Response.json(
          { echoed: "sk-header-0123456789 and sk-in-the-url-123", note: secret, owner: "Ada" },
          { headers: { "set-cookie": "session=abcdefgh", "openai-organization": "org-name", "cf-ray": "place" } },
        ),
      ],
      [[url, post({ secret, by: "Ada" }, { authorization: "Bearer sk-header-0123456789", "x-stainless-os": "Linux" })]],
      { secrets: [secret], scrub: (text) => text.replaceAll("Ada", "someone") },
    );
    const text = readFileSync(path, "utf8");
    for (const word of ["sk-header", "sk-in-the-url", "quote", "abcdefgh", "org-name", "cf-ray", "Linux", "Ada"]) {
      expect(text).not.toContain(word);
    }
    expect(text).toContain("[redacted] and [redacted]");
    await using tape = await cassette({ path, secrets: [secret], scrub: (word) => word.replaceAll("Ada", "someone") });
    const again = await tape.fetch(url, post({ secret, by: "Ada" }, { authorization: "Bearer sk-other-0123456789" }));
    expect(await again.json()).toMatchObject({ owner: "someone" });
  });

  test("a secret that cannot be removed is not written", async () => {
    const path = place();
    const key = "sk-hidden-0123456789";
    const hidden = Buffer.from([0xff, ...Buffer.from(key)]);
    const real = vendor(new Response(hidden), Response.json({ basic: Buffer.from(key).toString("base64") }));
    const tape = await cassette({ path, mode: "record", fetch: real.fetch, secrets: [key] });
    await tape.fetch(url);
    await tape.fetch(url);
    expect((await failure(tape.save())).code).toBe("CASSETTE_SECRET");
    expect((await failure(cassette({ path }))).code).toBe("CASSETTE_MISSING");
  });

  test("an unknown option is refused: with a misspelt one, secrets would be written", async () => {
    const misspelt = { path: place(), mode: "record", secret: ["sk-hidden"] } as CassetteOptions;
    await expect(cassette(misspelt)).rejects.toThrow(
      `"secret" is not an option of cassette() (did you mean "secrets"?)`,
    );
  });

  test("a request that was not recorded is reported with its differences from the most similar one", async () => {
    const one = { model: "m", input: [{ role: "user", content: "Refund 1042." }], prompt_cache_key: "a" };
    const other = { model: "m", input: [], tools: [1, 2, 3] };
    const path = await recorded(
      [Response.json({}), Response.json({})],
      [
        [url, post(other)],
        [url, post(one)],
      ],
    );
    await using tape = await cassette({ path });
    const sent = { ...one, input: [{ role: "user", content: "Refund 1043.", id: "x" }], prompt_cache_key: "b" };
    const error = await failure(tape.fetch(url, post(sent)));
    expect(error.code).toBe("CASSETTE_MISMATCH");
    expect(error.differences).toEqual([
      { path: "body.input[0].content", recorded: "Refund 1042.", sent: "Refund 1043." },
      { path: "body.input[0].id", recorded: undefined, sent: "x" },
    ]);
    expect(error.message).toContain('body.input[0].content: recorded "Refund 1042.", sent "Refund 1043."');
    expect(error.message).toContain("body.input[0].id: recorded nothing");
    expect(tape.unused).toHaveLength(2);
    expect((await failure(tape.fetch("https://vendor.test/v1/other?alt=sse", post(one)))).differences).toEqual([
      { path: "path", recorded: "/v1/answers", sent: "/v1/other" },
    ]);
  });

  test("each exchange is played once, in any order, and fields that may differ can be listed", async () => {
    const path = await recorded(
      [Response.json({ n: 1 }), Response.json({ n: 2 })],
      [
        [url, post({ n: 1, at: { time: 1 }, items: [{ id: "a", text: "x" }] })],
        [url, post({ n: 2, at: { time: 2 } })],
      ],
    );
    await using tape = await cassette({ path, ignore: ["at.time", "items.*.id"] });
    expect(await (await tape.fetch(url, post({ at: { time: 7 }, n: 2 }))).json()).toEqual({ n: 2 });
    expect(tape.unused).toHaveLength(1);
    const first = post({ n: 1, at: {}, items: [{ text: "x", id: "b" }] });
    expect(await (await tape.fetch(url, first)).json()).toEqual({ n: 1 });
    const over = await failure(tape.fetch(url, first));
    expect([over.code, over.message.includes("All of its 2 exchanges were played already")]).toEqual([
      "CASSETTE_MISMATCH",
      true,
    ]);
  });

  test("a file that is not a cassette, an unknown mode, and a body that cannot be kept are refused", async () => {
    const path = await recorded([], []);
    for (const text of [
      "{ broken",
      "[]",
      "null",
      '{"bailiwickCassette":9,"exchanges":[]}',
      '{"bailiwickCassette":1,"exchanges":[{}]}',
    ]) {
      writeFileSync(path, text);
      expect((await failure(cassette({ path }))).code).toBe("CASSETTE_INVALID");
    }
    const odd = { path, mode: "auto" } as unknown as CassetteOptions;
    expect((await failure(cassette(odd))).message).toContain('no mode "auto"');
    await using tape = await cassette({ path: place(), mode: "record", fetch: vendor().fetch });
    expect((await failure(tape.fetch(url, { method: "POST", body: new FormData() }))).message).toContain("FormData");
    expect((await failure(tape.fetch(new Request(url)))).code).toBe("CASSETTE_UNSUPPORTED");
    const gone = tape.fetch(url, { signal: AbortSignal.abort(new Error("enough")) });
    await expect(gone).rejects.toThrow("enough");
  });
});
