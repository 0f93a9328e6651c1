import nodeCrypto, { type UUID } from "node:crypto";
import { currentProcess, type RoutedProcess } from "./routed-process.ts";

/** Routes `Math.random`, the random functions of `crypto` and of `node:crypto`, and the thread pool of `crypto.subtle`. */
export function routeRandom(): void {
  const { random } = Math;
  Math.random = () => currentProcess()?.random() ?? random();

  const { crypto } = globalThis;
  const platformUuid = crypto.randomUUID.bind(crypto);
  const platformFill = crypto.getRandomValues.bind(crypto) as (into: NodeJS.TypedArray) => NodeJS.TypedArray;
  const uuid = (): UUID => {
    const process = currentProcess();
    return process === undefined ? platformUuid() : uuidOf(process);
  };
  const fill = (into: NodeJS.TypedArray): NodeJS.TypedArray => {
    const process = currentProcess();
    if (process === undefined) return platformFill(into);
    fillFrom(process, into);
    return into;
  };
  define(crypto, { randomUUID: uuid, getRandomValues: fill });

  const { subtle } = crypto;
  const names = new Set(Object.getOwnPropertyNames(Object.getPrototypeOf(subtle)));
  names.delete("constructor");
  for (const name of names) {
    const method: unknown = Reflect.get(subtle, name);
    if (typeof method !== "function") continue;
    const call = (...given: readonly unknown[]): unknown => {
      const answer: unknown = Reflect.apply(method, subtle, given);
      const process = currentProcess();
      return process === undefined || !(answer instanceof Promise) ? answer : process.native(answer);
    };
    define(subtle, { [name]: call });
  }

  const { randomBytes, randomInt, randomFillSync } = nodeCrypto;
  Object.assign(nodeCrypto, {
    randomUUID: uuid,
    randomBytes(size: number, callback?: (error: Error | null, bytes: Buffer) => void) {
      const process = currentProcess();
      if (process === undefined) return callback === undefined ? randomBytes(size) : randomBytes(size, callback);
      const bytes = Buffer.alloc(size);
      fillFrom(process, bytes);
      if (callback === undefined) return bytes;
      process.setTimer(() => callback(null, bytes), 0, "immediate");
      return undefined;
    },
    randomInt(...given: readonly unknown[]) {
      const process = currentProcess();
      if (process === undefined) return Reflect.apply(randomInt, nodeCrypto, given) as unknown;
      const numbers = given.filter((value) => typeof value === "number");
      const [low, high] = numbers.length > 1 ? [numbers[0] ?? 0, numbers[1] ?? 0] : [0, numbers[0] ?? 0];
      const value = low + Math.floor(process.random() * (high - low));
      const callback = given.find((one) => typeof one === "function");
      if (callback === undefined) return value;
      process.setTimer(() => (callback as (error: null, value: number) => void)(null, value), 0, "immediate");
      return undefined;
    },
    randomFillSync(into: NodeJS.TypedArray, ...given: readonly number[]) {
      const process = currentProcess();
      if (process === undefined) return Reflect.apply(randomFillSync, nodeCrypto, [into, ...given]) as unknown;
      fillFrom(process, into);
      return into;
    },
  });
}

function define(target: object, functions: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(functions))
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

function fillFrom(process: RoutedProcess, into: ArrayBufferView): void {
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(process.random() * 256);
}

function uuidOf(process: RoutedProcess): UUID {
  const bytes = new Uint8Array(16);
  fillFrom(process, bytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
