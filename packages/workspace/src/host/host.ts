/** The parts of a machine that a host keeps from the commands that run in it. */
export interface WorkspaceEnforcement {
  /** True if commands reach no file outside the copy and the granted folders. */
  readonly files: boolean;
  /** True if commands reach only the granted hosts. */
  readonly network: boolean;
  /** True if commands reach no process outside. */
  readonly processes: boolean;
  /** True if commands cannot reach the snapshots: an interrupted call is only repeated then. */
  readonly snapshots: boolean;
}

/** A request to open the place in which the model works on one copy. */
export interface WorkspacePlace {
  /** Id of the copy: a host that outlives the process finds it again by this. */
  readonly id: string;
  /** Folder of the host process that is kept with the copy, for hosts on this machine. */
  readonly folder: string;
  /** Folders that the sandbox gets, by their path inside. */
  readonly mounts: readonly { readonly source: string; readonly target: string; readonly readOnly: boolean }[];
  /** Environment of the commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that commands may reach. */
  readonly hosts: readonly string[];
  /** Limits of all commands together. */
  readonly limits: WorkspaceLimits;
}

/** Limits of a workspace. */
export interface WorkspaceLimits {
  /** Memory of all processes together, in MiB. Default 1,024. */
  readonly memoryMB: number;
  /** Number of processes and threads. Default 256. */
  readonly processes: number;
  /** Size of one file that a command writes, in MiB. Default 512. */
  readonly fileMB: number;
  /** Size of the copy, in MiB. Default 4,096. */
  readonly diskMB: number;
  /** Time of one command, in milliseconds, if the model asks for no other. Default 120,000. */
  readonly commandMs: number;
  /** Time after the last call until the sandbox is ended, in milliseconds. Default 600,000. */
  readonly idleMs: number;
  /** Output of one command that the model reads, in tokens of 4 bytes; the rest is in a file. Default 8,000. */
  readonly outputTokens: number;
}

/** One entry of a folder in the copy. */
export interface WorkspaceEntry {
  /** Name in its folder. */
  readonly name: string;
  /** Kind of the entry; `other` is a socket, a pipe or a device. */
  readonly kind: "file" | "folder" | "link" | "other";
  /** Size in bytes. */
  readonly size: number;
  /** True if the owner may execute it. */
  readonly executable: boolean;
  /** Changes when the content may have changed; an empty text is read each time. */
  readonly stamp: string;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/** A command to run. */
export interface WorkspaceCommand {
  /** Text for the shell. */
  readonly command: string;
  /** Absolute working directory inside. */
  readonly cwd: string;
  /** Time limit in milliseconds. */
  readonly timeoutMs: number;
  /** Number of bytes of output that are returned; the rest is in `file`. */
  readonly outputBytes: number;
  /** Stops the command. */
  readonly signal?: AbortSignal | undefined;
}

/** The end of a command. */
export interface WorkspaceExit {
  /** Exit code; `null` if a signal or the time limit ended it. */
  readonly code: number | null;
  /** Reason of an end without a code, such as `timeout` or `SIGKILL`. */
  readonly ended?: string | undefined;
  /** Output and error output, in their order; the middle is left out beyond `outputBytes`. */
  readonly output: string;
  /** Number of bytes of the whole output. */
  readonly bytes: number;
  /** Path inside of the whole output, if a part of it is left out. */
  readonly file?: string | undefined;
  /** Working directory after the command. */
  readonly cwd: string;
}

/** A command that runs in the background. */
export interface WorkspaceBackground {
  /** Id of the process. */
  readonly id: string;
}

/** State of a background process since the last question. */
export interface WorkspaceBackgroundState {
  /** New output. */
  readonly output: string;
  /** `running`, or its exit code or signal. */
  readonly status: string;
}

/** The place in which the model works on one copy. Paths are absolute inside; the copy is at `/workspace`. */
export interface WorkspaceSandbox {
  /**
   * Runs a command in a fresh shell.
   *
   * @param request - The command and its limits.
   */
  exec(request: WorkspaceCommand): Promise<WorkspaceExit>;
  /**
   * Starts a command that outlives the call; absent if the host has no background processes.
   *
   * @param request - The command and its working directory.
   */
  readonly start?: ((request: Pick<WorkspaceCommand, "command" | "cwd">) => Promise<WorkspaceBackground>) | undefined;
  /**
   * Output of a background process since the last question; `undefined` if there is no such process.
   *
   * @param id - Id of the process.
   * @param end - Ends it.
   */
  readonly background?: ((id: string, end: boolean) => Promise<WorkspaceBackgroundState | undefined>) | undefined;
  /**
   * Lists folders; a folder that is missing or cannot be read has no entries.
   *
   * @param paths - Absolute paths inside.
   */
  list(paths: readonly string[]): Promise<readonly (readonly WorkspaceEntry[])[]>;
  /**
   * Reads a file, or the target of a link.
   *
   * @param path - Absolute path inside.
   * @param follow - Follows links; without it, a link is read as its target.
   * @returns `undefined` if it is missing or no file.
   */
  read(path: string, follow: boolean): Promise<Uint8Array | undefined>;
  /**
   * Writes a file, with its folders.
   *
   * @param path - Absolute path inside.
   * @param content - The bytes, or the target of a link.
   * @param kind - `link` makes a symbolic link. Without `follow`, whatever is at the path is replaced.
   */
  write(
    path: string,
    content: Uint8Array,
    kind: { readonly type: "file" | "executable" | "link"; readonly follow: boolean },
  ): Promise<void>;
  /**
   * Removes files, and the folders that are empty then.
   *
   * @param paths - Absolute paths inside.
   * @param recursive - Removes folders with their content.
   */
  remove(paths: readonly string[], recursive: boolean): Promise<void>;
  /** Ends the place; the copy itself stays. */
  close(): Promise<void>;
}

/** A kind of place for copies: a sandbox of this machine, a simulated shell, or your own. */
export interface WorkspaceHost {
  /** Name of the host, such as `bubblewrap`. */
  readonly id: string;
  /** The parts of the machine that it keeps from the commands. */
  readonly enforces: WorkspaceEnforcement;
  /** First line of the instructions, if the model must know a limit of the host. */
  readonly notice?: string | undefined;
  /** True if it cannot mount folders, run `setup` or reach hosts. */
  readonly simulated?: boolean | undefined;
  /**
   * Opens the place of a copy. It is empty if the host has not kept it.
   *
   * @param place - The copy, its mounts and its limits.
   */
  open(place: WorkspacePlace): Promise<WorkspaceSandbox>;
}
