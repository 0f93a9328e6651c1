import { sharedResource, type SharedParts } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";

interface Rates {
  rate(of: number): Promise<number>;
}

/** A client that connects once for all of its callers. */
function connecting({ component }: SharedParts, keepsFailures: boolean): Rates {
  const server = component("server", { open: async () => "session-1", read: async (of: number) => of * 2 });
  let opened: Promise<string> | undefined;
  const connect = async (isLast = false): Promise<string> => {
    const mine = (opened ??= server.open());
    try {
      return await mine;
    } catch (error) {
      if (keepsFailures) throw error;
      if (opened === mine) opened = undefined;
      if (isLast) throw error;
      return connect(true);
    }
  };
  return {
    async rate(of) {
      await connect();
      return server.read(of);
    },
  };
}

test("sharedResource() names the run that is hurt by a failure of another run's request, and the request [simulation.shared]", async () => {
  const run = async (rates: Rates, number: number): Promise<number> => rates.rate(number);
  const kept = await sharedResource({ make: (parts) => connecting(parts, true), run, runs: 3 });
  expect(kept.passed).toBe(false);
  expect(kept.hurt[0]).toMatchObject({ run: 2, request: "run1/server.open#1", fault: "refused", order: "together" });
  expect(kept.hurt.map(({ order }) => order)).toContain("in turn");
  expect(kept.text).toContain(
    'Run 2 is hurt by run1/server.open#1=refused, together: it returned {"error":"fetch failed"}, and without the fault 4.',
  );
  const repaired = await sharedResource({ make: (parts) => connecting(parts, false), run, runs: 3 });
  expect(repaired.text).toBe("16 faults in one request of one of 3 runs: no other run is hurt");
});

test("sharedResource() refuses a resource without requests and results that differ between two plays [simulation.shared]", async () => {
  await expect(sharedResource({ make: () => ({}), run: async () => 1 })).rejects.toMatchObject({
    code: "SIMULATION_EMPTY",
  });
  let count = 0;
  await expect(
    sharedResource({
      make: ({ component }) => component("counter", { next: async () => (count += 1) }),
      run: (counter) => counter.next(),
    }),
  ).rejects.toMatchObject({ code: "NOT_REPEATABLE" });
  await expect(sharedResource({ make: () => ({}), run: async () => 1, runs: 1 })).rejects.toThrow(/"runs"/u);
});
