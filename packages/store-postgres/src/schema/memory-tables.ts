/** Memories. Their words are in a separate index; the shown value of a memory is its `entry`. */
export function addMemories(schema: string): string {
  return `CREATE TABLE ${schema}.memories (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C",
  namespace text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  entry text NOT NULL,
  data text,
  words text[] COLLATE "C" NOT NULL,
  length integer NOT NULL,
  valid_from double precision NOT NULL,
  valid_to double precision,
  recorded_at double precision NOT NULL,
  superseded_by text COLLATE "C",
  superseded_at double precision,
  superseded_from double precision,
  sources text[] COLLATE "C" NOT NULL,
  model text COLLATE "C",
  dims integer,
  vector real[],
  mark text COLLATE "C" NOT NULL,
  UNIQUE (tenant, owner, id)
);
CREATE INDEX memories_by_age ON ${schema}.memories (tenant, owner, recorded_at DESC);
CREATE INDEX memories_by_words ON ${schema}.memories USING gin (words);
CREATE INDEX memories_by_sources ON ${schema}.memories USING gin (sources);
CREATE INDEX memories_by_successor ON ${schema}.memories (tenant, superseded_by) WHERE superseded_by IS NOT NULL;`;
}
