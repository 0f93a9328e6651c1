/** One statement in the form of `pg`. */
export interface PostgresStatement {
  /** SQL with `$1` for the first value. */
  readonly text: string;
  /** Values of the parameters, in order. */
  readonly values: unknown[];
  /**
   * Every value is returned as PostgreSQL wrote it: parsers that an application set for all of `pg` have no effect
   * here.
   */
  readonly types: { getTypeParser(): (value: string) => string };
}

/** A connection of a pool, with the methods that the store uses. */
export interface PostgresConnection {
  /**
   * Runs a statement and returns its rows.
   *
   * @param statement - The SQL text with `$1` for each parameter, and their values.
   */
  query(statement: PostgresStatement): Promise<unknown>;
  /**
   * Gives the connection back; with `true` it is closed.
   *
   * @param destroy - `true` closes the connection, since it is in an unknown state. Default `false`.
   */
  release(destroy?: boolean): void;
  /**
   * Adds a listener, for errors or for messages of `LISTEN`.
   *
   * @param event - `error`, or `notification` for a message of `LISTEN`.
   * @param listener - Called with the error or the message.
   */
  on(event: "error" | "notification", listener: (given: unknown) => void): unknown;
  /**
   * Removes a listener.
   *
   * @param event - The event of the listener.
   * @param listener - The function that was passed to `on`.
   */
  removeListener(event: "error" | "notification", listener: (given: unknown) => void): unknown;
}

/** A pool of connections: a `Pool` of `pg`, or any object with its methods. */
export interface PostgresPool {
  /** Takes a connection from the pool. */
  connect(): Promise<PostgresConnection>;
  /**
   * Adds a listener for errors of idle connections.
   *
   * @param event - `error` for an error of an idle connection, `connect` for a new connection.
   * @param listener - Called with the error or the connection.
   */
  on(event: "error", listener: (error: Error) => void): unknown;
  /**
   * A new connection, before its first use.
   *
   * @param event - `error` for an error of an idle connection, `connect` for a new connection.
   * @param listener - Called with the error or the connection.
   */
  on(event: "connect", listener: (connection: PostgresConnection) => void): unknown;
  /**
   * Removes a listener.
   *
   * @param event - The event of the listener.
   * @param listener - The function that was passed to `on`.
   */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /**
   * @param event - The event of the listener.
   * @param listener - The function that was passed to `on`.
   */
  removeListener(event: "connect", listener: (connection: PostgresConnection) => void): unknown;
  /**
   * Number of open connections, including those being made; with `options.max`, errors distinguish an exhausted pool
   * from an unreachable server.
   */
  readonly totalCount?: number | undefined;
  /** Settings with which the pool was made. */
  readonly options?: { readonly max?: number | undefined } | undefined;
}
