import { currentProcess, type LogLevel } from "./routed-process.ts";

const levels: Readonly<Record<string, LogLevel>> = {
  debug: "debug",
  trace: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
};

/** Routes the console: what a simulated process prints belongs to its history. */
export function routeConsole(): void {
  for (const [name, level] of Object.entries(levels)) {
    const original = Reflect.get(console, name) as (...given: readonly unknown[]) => void;
    const print = (...given: readonly unknown[]): void => {
      const process = currentProcess();
      if (process === undefined) original.apply(console, [...given]);
      else process.log(level, given);
    };
    Reflect.set(console, name, print);
  }
}
