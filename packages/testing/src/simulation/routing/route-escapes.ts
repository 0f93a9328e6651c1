import nodeChildProcess from "node:child_process";
import nodeNet from "node:net";
import nodeWorkers from "node:worker_threads";
import { currentProcess } from "./routed-process.ts";

/** Refuses what would leave the simulation: sockets, child processes and worker threads. */
export function routeEscapes(): void {
  const refuse = (call: string, remedy: string): void => {
    const process = currentProcess();
    if (process !== undefined) throw process.escape(call, remedy);
  };
  const { connect } = nodeNet.Socket.prototype;
  nodeNet.Socket.prototype.connect = function routedConnect(this: nodeNet.Socket, ...given: readonly unknown[]) {
    refuse(
      `a connection to ${hostOf(given)}`,
      "Give a model adapter the routed fetch, `openai(model, { fetch: (...given) => fetch(...given) })`, use simulatedModel(), or wrap the client with component(name, object).",
    );
    return Reflect.apply(connect, this, given) as nodeNet.Socket;
  };

  const processRemedy =
    "Give the agent a tool or a sandbox that starts no process, or wrap it with component(name, object).";
  for (const name of ["spawn", "exec", "execFile", "fork", "spawnSync", "execSync", "execFileSync"] as const) {
    const original = nodeChildProcess[name] as (...given: readonly unknown[]) => unknown;
    const routed = (...given: readonly unknown[]): unknown => {
      refuse(`a child process, ${name}(${JSON.stringify(given[0])})`, processRemedy);
      return Reflect.apply(original, nodeChildProcess, given);
    };
    Object.assign(nodeChildProcess, {
      [name]: Object.defineProperties(routed, Object.getOwnPropertyDescriptors(original)),
    });
  }

  const { Worker } = nodeWorkers;
  class RoutedWorker extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      refuse(
        `a worker thread, ${String(given[0])}`,
        "Use sqliteStore({ thread: false }), or wrap what starts the thread with component(name, object).",
      );
      super(...given);
    }
  }
  Object.defineProperty(RoutedWorker, "name", { value: "Worker" });
  Object.assign(nodeWorkers, { Worker: RoutedWorker });
}

function hostOf(given: readonly unknown[]): string {
  const [first, second] = Array.isArray(given[0]) ? (given[0] as readonly unknown[]) : given;
  if (typeof first === "object" && first !== null) {
    const {
      host = "localhost",
      port,
      path,
    } = first as { readonly host?: string; readonly port?: number; readonly path?: string };
    return path ?? `${host}:${String(port)}`;
  }
  return `${typeof second === "string" ? second : "localhost"}:${String(first)}`;
}
