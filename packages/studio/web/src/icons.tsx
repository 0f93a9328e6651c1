const paths = {
  runs: "M3 4.5h10M3 8h7M3 11.5h4",
  inbox: "M2.5 9h3l1 2h3l1-2h3M2.5 9v3.5h11V9l-2-5.5h-7z",
  tools: "M9.5 3a3 3 0 0 0-3.6 3.9L2.5 10.3v2.2h2.2l3.4-3.4A3 3 0 0 0 12 5.5L10.2 7.3 8.7 5.8 10.5 4z",
  queue: "M3 3.5h10v3H3zM3 9.5h10v3H3zM5 5h.01M5 11h.01",
  memory: "M5 2.5v2M8 2.5v2M11 2.5v2M5 11.5v2M8 11.5v2M11 11.5v2M3.5 4.5h9v7h-9zM6.5 7h3v2h-3z",
  model: "M8 2.5l1.4 3.6L13 7.5 9.4 8.9 8 12.5 6.6 8.9 3 7.5l3.6-1.4zM12.5 11v3M11 12.5h3",
  tool: "M9.5 3a3 3 0 0 0-3.6 3.9L2.5 10.3v2.2h2.2l3.4-3.4A3 3 0 0 0 12 5.5L10.2 7.3 8.7 5.8 10.5 4z",
  wait: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3.5 13.5c.4-2.6 2.2-4 4.5-4s4.1 1.4 4.5 4",
  sleep: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5A4.2 4.2 0 0 1 8 2.5z",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2",
  copy: "M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2",
  check: "M3.5 8.5l3 3 6-7",
  close: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2",
  back: "M9.5 3.5L5 8l4.5 4.5",
  right: "M6 3.5L10.5 8 6 12.5",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  link: "M6.5 9.5l3-3M7 4.5l1.3-1.3a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.3 1.3a2.8 2.8 0 0 1-4-4L5 7.5",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof paths;

/** A small picture next to a word; screen readers skip it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
