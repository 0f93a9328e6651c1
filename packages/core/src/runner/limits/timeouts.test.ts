import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "../../contracts/ports/clock.ts";
import { systemClock } from "../../journal/default-ports.ts";
import { createTimerWheel } from "./timeouts.ts";

/** A clock that the test moves. */
function handClock(): Clock & { readonly armed: number; advance(ms: number): void } {
  let now = 0;
  let timers: { readonly due: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    setTimer(callback, delayMs) {
      const timer = { due: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    get armed() {
      return timers.length;
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due);
        if (next === undefined) break;
        now = Math.max(now, next.due);
        timers = timers.filter((one) => one !== next);
        next.callback();
      }
      now = end;
    },
  };
}

test("any number of timers share one platform timer; each fires at its time, or never after a cancel", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ delay: fc.nat(100), postpone: fc.option(fc.nat(100)), cancel: fc.boolean() }), {
        maxLength: 20,
      }),
      (given) => {
        const clock = handClock();
        const wheel = createTimerWheel(clock);
        const fired = new Map<number, number>();
        const timers = given.map(({ delay }, index) =>
          wheel.after(delay + 10, () => void fired.set(index, clock.now())),
        );
        expect(clock.armed).toBeLessThanOrEqual(1);
        clock.advance(5);
        for (const [index, { postpone, cancel }] of given.entries()) {
          if (postpone !== null) timers[index]?.postpone(postpone + 10);
          if (cancel) timers[index]?.cancel();
        }
        clock.advance(300);
        for (const [index, { delay, postpone, cancel }] of given.entries()) {
          expect(fired.get(index)).toBe(cancel ? undefined : postpone === null ? delay + 10 : postpone + 15);
        }
        expect(clock.armed).toBe(0);
        expect(wheel.size).toBe(0);
      },
    ),
  );
});

test("a clock that is set back by an hour delays no timer", async () => {
  let setBackMs = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() - setBackMs };
  const wheel = createTimerWheel(clock);
  const order: string[] = [];
  const rang = new Promise<void>((resolve) => {
    wheel.after(40, () => {
      order.push("second");
      resolve();
    });
    wheel.after(20, () => order.push("first"));
  });
  setBackMs = 3_600_000;
  await rang;
  expect(order).toEqual(["first", "second"]);
  await new Promise<void>((resolve) => wheel.after(5, resolve));
});
