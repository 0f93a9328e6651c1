/**
 * The quantile of Student's t that leaves 2.5 % above it, so that plus and minus it cover 95 % (Hill 1970, algorithm 396).
 *
 * @param freedom - Degrees of freedom, at least 1.
 */
export function studentQuantile(freedom: number): number {
  const both = 0.05;
  if (freedom <= 1) return 1 / Math.tan((both * Math.PI) / 2);
  if (freedom < 3) return Math.sqrt(2 / (both * (2 - both)) - 2);
  const a = 1 / (freedom - 0.5);
  const b = 48 / a ** 2;
  const c = ((20_700 * a) / b - 98) * a - 16;
  const scale = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * freedom;
  const near = (scale * both) ** (2 / freedom);
  if (near <= 0.05 + a) {
    const y =
      ((1 / (((freedom + 6) / (freedom * near) - 0.089 * scale - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)) *
        near -
        1) *
        ((freedom + 1) / (freedom + 2)) +
      1 / near;
    return Math.sqrt(freedom * y);
  }
  const normal = -normalQuantile;
  const squared = normal ** 2;
  const c5 = freedom < 5 ? c + 0.3 * (freedom - 4.5) * (normal + 0.6) : c;
  const c6 = (((0.05 * scale * normal - 5) * normal - 7) * normal - 2) * normal + b + c5;
  const y = (((((0.4 * squared + 6.3) * squared + 36) * squared + 94.5) / c6 - squared - 3) / b + 1) * normal;
  return Math.sqrt(freedom * Math.expm1(a * y ** 2));
}

/** The quantile of the normal distribution that leaves 2.5 % above it. */
export const normalQuantile = 1.959_963_984_540_054;
