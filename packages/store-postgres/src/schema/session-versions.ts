/**
 * Messages get the version of their session that added them, and an edit keeps the former text for the runs that have
 * read it. Runs that are deleted with their conversation leave their id, and their rows of the ledger are found by it.
 */
export function addSessionVersions(schema: string): string {
  return `ALTER TABLE ${schema}.sessions ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE ${schema}.session_messages ADD COLUMN version bigint NOT NULL DEFAULT 1;
CREATE TABLE ${schema}.session_former (
  session bigint NOT NULL REFERENCES ${schema}.sessions (n) ON DELETE CASCADE,
  position bigint NOT NULL,
  until bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (session, position, until)
);
CREATE TABLE ${schema}.deleted_runs (id text COLLATE "C" PRIMARY KEY);
CREATE INDEX ledger_by_run ON ${schema}.ledger (run_id);`;
}
