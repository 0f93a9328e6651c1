/** [flow.r2.low-capacity-leaves] Bits of untrusted origin that a run may read without raising its control label. */
export const bitsPerRun = 64;
