import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { listen, type Listening } from "./listen.ts";

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

test("an explicitly requested port that is in use throws an error with its number", async () => {
  const holder = createServer();
  const port = await new Promise<number>((resolve) =>
    holder.listen(0, "127.0.0.1", () => resolve((holder.address() as { port: number }).port)),
  );
  try {
    await expect(
      listen(
        () => new Response("x"),
        port,
        () => undefined,
      ),
    ).rejects.toThrow(`Port ${port} is taken. Set PORT`);
  } finally {
    holder.close();
  }
});

test("without a requested port the next free port is used and printed", async () => {
  const lines: string[] = [];
  for (let count = 0; count < 2; count += 1)
    open.push(
      await listen(
        () => new Response(`server ${count}`),
        null,
        (line) => lines.push(line),
      ),
    );
  const [first, second] = open;
  expect(second?.port).toBeGreaterThan(first?.port ?? 0);
  expect(lines).toContain(`Port ${first?.port} is taken, trying ${(first?.port ?? 0) + 1}.`);
  expect((await fetch(second?.url ?? "")).status).toBe(200);
});
