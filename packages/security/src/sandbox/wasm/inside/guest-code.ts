/** The beginning of both: functions that the code can no longer change, because they are captured before it runs. */
const taken = `
  "use strict";
  const { parse, stringify } = JSON;
  const { freeze, create, defineProperty } = Object;
  const text = String;
  const ErrorHere = Error;
  const PromiseHere = Promise;
  const describe = (thrown) => {
    try {
      if (typeof thrown !== "object" || thrown === null) return { name: "Error", message: text(thrown) };
      const { name, message } = thrown;
      return { name: text(name === undefined ? "Error" : name), message: text(message === undefined ? "" : message) };
    } catch {
      return { name: "Error", message: "It threw something that cannot be read." };
    }
  };
`;

/**
 * Runs inside, before the module: makes the function that calls its export. The result is one text: `v` and the value
 * as JSON, `u` for no value, `e` and an error, or `m` and the kind of value that is exported instead of a function. The
 * module reaches the host only through `tell`.
 */
export const callerSource: string = `((tell) => {
  ${taken}
  const nothingOf = (what) => async () => {
    throw new ErrorHere("A wasm sandbox has no " + what + ".");
  };
  const contextOf = (contextJson) =>
    freeze({
      ...parse(contextJson),
      log: (message) => tell("log", stringify([text(message)])),
      reportProgress: (progress) => tell("reportProgress", stringify([progress === undefined ? null : progress])),
      fetch: nothingOf("network"),
      secretHeader: nothingOf("secrets"),
    });
  return async (namespace, name, inputJson, contextJson) => {
    try {
      const exported = (await namespace)[name];
      if (typeof exported !== "function") return "m" + typeof exported;
      if (inputJson === undefined) return "u";
      const written = stringify(await exported(parse(inputJson), contextOf(contextJson)));
      return written === undefined ? "u" : "v" + written;
    } catch (thrown) {
      return "e" + stringify(describe(thrown));
    }
  };
})`;

/**
 * Runs inside, before a program: provides `tools` and `console`, and collects its calls. Random numbers follow from the
 * seed, and features that depend on garbage collection are removed: the same results give the same program run.
 */
export const programSource: string = `((toolNames, seed) => {
  ${taken}
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const { imul } = Math;
  Math.random = random;
  delete globalThis.WeakRef;
  delete globalThis.FinalizationRegistry;
  // The time limit starts when the interpreter is created.
  delete globalThis.performance;

  const places = new WeakMap();
  const kinds = [
    [Map, "a Map"], [Set, "a Set"], [WeakMap, "a WeakMap"], [WeakSet, "a WeakSet"], [Promise, "a Promise"],
    [RegExp, "a RegExp"], [Error, "an Error"], [ArrayBuffer, "bytes"], [DataView, "bytes"],
    [Object.getPrototypeOf(Uint8Array), "bytes"],
  ];
  const lostOf = (value) => {
    if (typeof value === "number") return value - value === 0 ? undefined : text(value);
    if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return "a " + typeof value;
    if (typeof value !== "object" || value === null) return undefined;
    for (let at = 0; at < kinds.length; at += 1) if (value instanceof kinds[at][0]) return kinds[at][1];
    return undefined;
  };
  // JSON, or an error with the place of the first value that JSON would lose.
  const plain = (given, what) =>
    stringify(given, function (key, value) {
      const inside = places.get(this);
      const place = inside === undefined ? "" : inside === "" ? key : inside + "." + key;
      const lost = lostOf(value);
      if (lost !== undefined)
        throw new TypeError(what + " has " + lost + (place === "" ? "" : ' at "' + place + '"') + ". Make plain JSON of it first.");
      if (typeof value === "object" && value !== null) places.set(value, place);
      return value;
    });

  let calls = [];
  let waiting = [];
  let logs = [];
  let outcome;
  const put = (list, value) =>
    defineProperty(list, list.length, { value, writable: true, enumerable: true, configurable: true });
  const toolCalled = (name) => (args) =>
    new PromiseHere((resolve, reject) => {
      const written = plain(args === undefined ? {} : args, "The argument of " + name);
      if (written === undefined) throw new TypeError(name + " takes an object of arguments.");
      put(calls, { name, args: written });
      put(waiting, { name, resolve, reject });
    });
  const tools = create(null);
  for (let at = 0; at < toolNames.length; at += 1) {
    const [name, identifier] = toolNames[at];
    const call = freeze(toolCalled(name));
    tools[name] = call;
    if (!(identifier in tools)) tools[identifier] = call;
  }
  const shown = (value) => {
    if (typeof value === "string") return value;
    try {
      const written = stringify(value);
      return written === undefined ? text(value) : written;
    } catch {
      return text(value);
    }
  };
  const log = (...values) => {
    let line = "";
    for (let at = 0; at < values.length; at += 1) line += (at === 0 ? "" : " ") + shown(values[at]);
    put(logs, line);
  };
  const console = freeze({ log, info: log, warn: log, error: log, debug: log });
  return freeze({
    start: async (program) => {
      try {
        outcome = { ok: true, json: plain(await program(freeze(tools), console), "The result of the program") };
      } catch (thrown) {
        outcome = { ok: false, error: describe(thrown) };
      }
    },
    settle: (resultsJson) => {
      const results = parse(resultsJson);
      const settled = waiting;
      waiting = [];
      for (let at = 0; at < settled.length; at += 1) {
        const { name, resolve, reject } = settled[at];
        const { ok, json, message } = results[at];
        if (ok) resolve(json === undefined ? undefined : parse(json));
        else {
          const error = new ErrorHere(message);
          error.name = "ToolError";
          error.toolName = name;
          reject(error);
        }
      }
    },
    take: () => {
      const made = calls;
      calls = [];
      return stringify({ calls: made, outcome, logs });
    },
  });
})`;
