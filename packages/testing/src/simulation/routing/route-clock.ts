import { currentProcess } from "./routed-process.ts";
import { platform } from "./platform.ts";

/** Routes `Date` and `performance.now`. */
export function routeClock(): void {
  const PlatformDate = platform.Date;
  const platformNow = PlatformDate.now.bind(PlatformDate);
  const now = (): number => currentProcess()?.now() ?? platformNow();

  function RoutedDate(this: unknown, ...given: readonly unknown[]): Date | string {
    const process = currentProcess();
    if (new.target === undefined) return new PlatformDate(now()).toString();
    const args = given.length === 0 && process !== undefined ? [process.now()] : given;
    const made = new.target === (RoutedDate as unknown) ? PlatformDate : new.target;
    return Reflect.construct(PlatformDate, args, made) as Date;
  }
  Object.defineProperties(RoutedDate, {
    name: { value: "Date" },
    length: { value: 7 },
    prototype: { value: PlatformDate.prototype },
    now: { value: now, writable: true, configurable: true },
    parse: { value: PlatformDate.parse, writable: true, configurable: true },
    UTC: { value: PlatformDate.UTC, writable: true, configurable: true },
  });
  // A value's constructor stays the `Date` that other code compares it with.
  Object.defineProperty(PlatformDate.prototype, "constructor", {
    value: RoutedDate,
    writable: true,
    configurable: true,
  });
  globalThis.Date = RoutedDate as unknown as DateConstructor;

  const { performance } = globalThis;
  Object.defineProperty(performance, "now", {
    value: () => currentProcess()?.elapsed() ?? platform.now(),
    writable: true,
    configurable: true,
  });
}
