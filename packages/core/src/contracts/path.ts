/** Limited to five levels so that type checking stays fast; deeper paths are plain strings below a known root. */
type Depth = [never, 0, 1, 2, 3, 4];

type Key = string | number;

type Segment<K extends Key> = `${K}` extends `${string}.${string}` | `${string}[${string}` ? `["${K}"]` : `${K}`;

type PathsOf<T, D extends number> = [D] extends [never]
  ? string
  : T extends readonly (infer Item)[]
    ? `[]` | Join<`[]`, Item, Depth[D]>
    : T extends object
      ? { [K in keyof T & Key]-?: Segment<K> | Join<Segment<K>, NonNullable<T[K]>, Depth[D]> }[keyof T & Key]
      : never;

type Join<Prefix extends string, T, D extends number> = [D] extends [never]
  ? `${Prefix}.${string}`
  : T extends readonly (infer Item)[]
    ? `${Prefix}[]` | Join<`${Prefix}[]`, NonNullable<Item>, D>
    : T extends object
      ? `${Prefix}.${PathsOf<T, D> & string}`
      : never;

/**
 * A path into a tool's arguments as JSON: `name`, `a.b`, `a[].b`, `["a.b"]`; typed to depth 5.
 * Plain `string` where the shape is not known.
 */
export type Path<T = unknown> = unknown extends T ? string : PathsOf<T, 5> & string;
