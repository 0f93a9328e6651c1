import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { worker } from "@bailiwick/worker";
import { openDesk } from "./desk.ts";
import { DeskError } from "./desk-error.ts";
import { oneLine } from "./one-line.ts";
import { createDeskApp } from "./server/app.ts";
import { listen } from "./server/listen.ts";
import { readSettings } from "./settings.ts";

try {
  await serve();
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}

/** Opens the desk, drives its stored runs, and serves until Ctrl-C. */
async function serve(): Promise<void> {
  const settings = readSettings(process.env);
  const page = fileURLToPath(new URL("../dist/page", import.meta.url));
  if (!existsSync(page)) {
    throw new DeskError(
      "PAGE_NOT_BUILT",
      "The page is not built. Start with npm start, or build it: pnpm --filter @bailiwick/desk build",
    );
  }
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

  await using desk = await openDesk(settings);
  const server = await listen(createDeskApp(desk, page).fetch, settings.port, (line) => console.log(line));
  console.log(`The desk is open at ${server.url} (${desk.config.model.label})`);
  // A process that starts this one again needs the port, and this one ends with it.
  process.send?.({ port: Number(new URL(server.url).port) });
  process.once("disconnect", () => stopped.abort());

  const crew = worker({ agents: [desk.agent], store: desk.store, signal: stopped.signal, stopOn: [] });
  await new Promise<void>((resolve) => stopped.signal.addEventListener("abort", () => resolve(), { once: true }));
  await server.close();
  await crew.drain();
  if (process.connected) process.disconnect();
}
