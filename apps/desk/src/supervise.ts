import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

// Starts the desk's server, and starts it again at the same port when it is killed. The page's crash scene kills it.
const server = fileURLToPath(new URL("./main.ts", import.meta.url));
const stopping = new AbortController();
let child: ChildProcess | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stopping.abort();
    // A terminal sends Ctrl-C to both processes.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child?.kill(signal);
  });
}

let port = process.env.PORT;
for (;;) {
  const { signal, code } = await serve(port);
  if (signal !== "SIGKILL" || stopping.signal.aborted) {
    process.exitCode = code ?? 1;
    break;
  }
  console.log("The server was killed. It starts again, and its runs continue.");
}

/** Runs the server until it ends. It reports its port, so that the next one has the same address. */
async function serve(
  at: string | undefined,
): Promise<{ readonly signal: string | null; readonly code: number | null }> {
  child = spawn(process.execPath, [...process.execArgv, server], {
    // The channel closes with this process, and the server ends with it.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, DESK_RESTARTS: "1", ...(at !== undefined && { PORT: at }) },
  });
  child.on("message", (message: { readonly port?: number }) => {
    if (message.port !== undefined) port = String(message.port);
  });
  return new Promise((resolve) => child?.once("exit", (code, signal) => resolve({ signal, code })));
}
