import { measure } from "./measure.test.helper.ts";

/** Prints what is measured before and after something grows: 100 timers, and 100 listeners on a signal. */
const { signal } = new AbortController();
const before = await measure(signal);
const timers = Array.from({ length: 100 }, () => setInterval(() => undefined, 1e6));
for (let run = 0; run < 100; run += 1) signal.addEventListener("abort", () => run);
const after = await measure(signal);
for (const timer of timers) clearInterval(timer);
console.log(JSON.stringify({ before, after }));
