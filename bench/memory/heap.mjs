// Reads heap snapshots and sampled allocations.

/** Count and bytes of all objects, by kind. */
export async function constructorsOf(session) {
  const pieces = [];
  const take = ({ params }) => pieces.push(params.chunk);
  session.on("HeapProfiler.addHeapSnapshotChunk", take);
  await session.post("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  session.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes, strings } = JSON.parse(pieces.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, nameAt, sizeAt] = ["type", "name", "self_size"].map((field) => fields.indexOf(field));
  const found = new Map();
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = types[0][nodes[node + typeAt]];
    const text = strings[nodes[node + nameAt]];
    const name = type === "string" || type.includes("string") ? `(${type})` : `${type} ${text.slice(0, 80)}`;
    const sum = found.get(name) ?? { count: 0, bytes: 0 };
    sum.count += 1;
    sum.bytes += nodes[node + sizeAt];
    found.set(name, sum);
  }
  return found;
}

/** Lines of what each function allocated itself, the most first, and then of what it and all that it called did. */
export function bySite(profile, per, most = 60) {
  const self = new Map();
  const total = new Map();
  const add = (map, key, bytes) => map.set(key, (map.get(key) ?? 0) + bytes);
  const walk = (node, above) => {
    const { functionName, url, lineNumber } = node.callFrame;
    const name = functionName || "(anonymous)";
    // Built-in code is counted with its caller.
    const key = url === "" ? `${name} in ${above.at(-1)}` : `${name} ${url.replace(/^.*\/(packages|node_modules)\//, "")}:${lineNumber + 1}`;
    add(self, key, node.selfSize);
    const path = above.includes(key) ? above : [...above, key];
    for (const one of path) add(total, one, node.selfSize);
    for (const child of node.children) walk(child, path);
  };
  walk(profile.head, []);
  const lines = (map) => [...map].toSorted((a, b) => b[1] - a[1]).slice(0, most).map(([key, bytes]) => `${Math.round(per(bytes)).toString().padStart(8)} B ${key}`);
  return ["by itself", ...lines(self), "with what it called", ...lines(total)];
}
