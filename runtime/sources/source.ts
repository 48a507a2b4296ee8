import type { Carrier } from "../calls/catalog/carrier.ts";
import type { CatalogEntry } from "../calls/catalog/catalog.ts";
import type { Machine } from "../calls/machine.ts";
import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { ProgramNeeds } from "../programs/narrow/program_needs.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { DoorRequest, PortDoor } from "../net/open_gate.ts";
import type { McpServer } from "./mcp/config/mcp_server.ts";
import type { UserPrograms } from "../programs/process/make_program_host.ts";
import type { RoomModule } from "../rooms/profile.ts";
import type { RoomPool } from "../rooms/room_pool.ts";
import type { BoxChoice } from "../walls/box/choose_box.ts";

/** Where tools come from besides the built-in ones: a file, a program, a server, functions of an embedding program. */
export interface ToolSource extends AsyncDisposable {
  /** What messages call it: a path, or the name that the user gave it. */
  readonly name: string;
  /** Longest time that {@linkcode load} may take, in milliseconds. @default 30_000 */
  readonly loadMs?: number;
  /** It still writes while the run goes on. @default false */
  readonly keepsFiles?: boolean;
  /** The user named it for this very run: its failure ends the run. @default a failure is a warning */
  readonly isRequired?: boolean;
  /**
   * Finds out which tools there are. It is asked once, and closed if it fails or takes too long.
   *
   * @throws {ToolError} If the source cannot be used: the message says which one, why, and what helps
   */
  load(): Promise<readonly CatalogEntry[]>;
  /** What is added once it has loaded. @default nothing ever is */
  readonly growth?: SourceGrowth;
}

/** The tools that a source adds while the run goes on. */
export interface SourceGrowth {
  /**
   * Returns the tools that were added since this was asked the last time. It costs next to nothing as long as the source
   * has not said that there are more. Never rejects.
   *
   * @param taken The bare names of all tools of the run, in lower case: a tool that would have one of them is left out,
   * and that is a warning
   */
  added(taken: ReadonlySet<string>): Promise<readonly CatalogEntry[]>;
  /** Has this called whenever there may be more. It must not throw. */
  listen(onMore: () => void): void;
}

/** The gate, as sources use it. */
export interface SourceGate {
  /** Opens a way to the network, for a worker that holds nothing. */
  portDoor(request: Omit<DoorRequest, "form">): Promise<PortDoor>;
  /** Returns what masks in a text what a tool was given; `null` if there is nothing. */
  maskOf(tool: ManifestEntry): ((text: string) => string) | null;
  /** Values that the user gives to all programs by name: none must come back. */
  readonly given: readonly string[];
}

/** What sources may use of the host that they belong to. */
export interface SourceHost {
  machine: Machine;
  /** Variables of the user's environment. */
  env: Readonly<Record<string, string>>;
  /** The user's folder: relative paths of the command line start here. */
  cwd: string;
  /** Rooms for work that runs no tool. */
  rooms: RoomPool;
  /** Makes what runs the tools of a module of one's own: in rooms, as the built-in ones. */
  roomCarrier(module: RoomModule): Carrier;
  /** Programs of tools: judged, boxed and bounded as all others. */
  programs: UserPrograms;
  /**
   * Makes programs of other people: they may touch what they need of what the run is granted, and nothing else. In a
   * sandbox they see an empty home, and of the environment what every program sees and what the needs name.
   */
  programsFor(needs: ProgramNeeds): NarrowPrograms;
  box: BoxChoice;
  gate: SourceGate;
  /** Says which parts of projects count. @default those that the user trusts as they are */
  trust?: TrustJudge | undefined;
  /**
   * Tells the user, in one sentence.
   *
   * @param about With `leftOut`, the message says why tools are left out; a call of such a tool is told so, too
   */
  warn(message: string, about?: { leftOut: boolean }): void;
}

/** A file of a project that adds tools to a run. It comes with the workspace, from anywhere. */
export interface ProjectFile extends Pick<ProjectPart, "folder" | "name" | "adds"> {
  /** A file that names tools, or one that names servers. */
  kind: "settings" | "servers";
  text: string;
  /** Absolute paths of files that define tools, or of folders with them. */
  toolFiles: readonly string[];
}

/** A part of a project, with all that decides what it does. */
export interface ProjectPart {
  /** Real path of the project. */
  folder: string;
  /** The part's path in it. */
  name: string;
  /** A file that names tools, a file of tools with all that it imports, or a file that names servers. */
  kind: "settings" | "tools" | "servers";
  /** What counts is exactly this text, not what the file says later. */
  content: string;
  /** What it adds to a run, for people. */
  adds: string;
  /** All that it starts and gives away, in lines of a terminal. @default `adds` says it all */
  details?: readonly string[];
}

/** Says whether a part of a project counts. What does not is neither imported nor started. */
export type TrustJudge = (part: ProjectPart) => Promise<boolean>;

/** Makes a source for a host. */
export type MakeSource = (host: SourceHost) => ToolSource;

/** Where tools of one's own are defined. */
export interface ToolPath {
  /** Absolute path of a file, or of a folder with files. */
  path: string;
  /** The user named it for this run: its failure ends the run. */
  isRequired: boolean;
  /** It belongs to a project: it must lie in this folder, and so must all that it imports. @default it is the user's */
  project?: { folder: string; judge: TrustJudge } | undefined;
}

/** Where MCP servers are named: a file in the form of any common client, or the field `mcpServers` of some settings. */
export type McpPlace =
  /** Absolute path; `text` is what counts, if it was read before. One that is not `isRequired` may be gone. */
  | { file: string; text?: string; isRequired?: boolean }
  /** `from` names the settings in messages; `folder` is the one that they came with. @default the user's own settings */
  | {
    servers: Readonly<Record<string, unknown>> | readonly unknown[];
    from: string;
    folder?: string | undefined;
  };

/** A script that the user made a tool. */
export interface NamedScript {
  /** What the user says about it, which is not read yet. */
  said: unknown;
  /** What messages call it: `script_tools[0]`. */
  at: string;
  /** Absolute path of the folder where its relative path starts. */
  folder: string;
  /** The user named it for this run: its failure ends the run. */
  isRequired: boolean;
}

/** Something that is done with one MCP server, in the place of offering tools. */
export interface ServerWork {
  /** As its file names it. */
  name: string;
  work(server: McpServer, host: SourceHost): Promise<void>;
}

/** A server that some file names, and how it stands. */
export interface ListedServer {
  name: string;
  /** The file that names it. */
  file: string;
  /** What starts it, or its address; `""` if that could not be read. */
  start: string;
  state: "ready" | "off" | "needs login" | "failed";
  /** How many tools it offers; `null` unless it is ready. */
  tools: number | null;
  /** Why it is not ready. */
  why: string | null;
}

/** Who hears how the MCP servers stand. */
export interface ServerList {
  list(servers: readonly ListedServer[]): void;
}

/** The sources of a run, as its settings name them. */
export interface SourceSettings {
  /** Files, or folders with files, that define tools of one's own. */
  files?: readonly ToolPath[];
  /** Files of the project that add tools, once the user trusts them. */
  project?: readonly ProjectFile[];
  /** Scripts that are tools. */
  scripts?: readonly NamedScript[];
  /** Sources that the caller makes. */
  made?: readonly MakeSource[];
  /** Where MCP servers are named. The first of two servers of one name counts. */
  mcp?: readonly McpPlace[];
  /** Most characters of a text that an MCP server gives. @default no other bound than that of all results */
  mcpContextLimit?: number | undefined;
  /** Takes the place of all sources: something is done with one of the MCP servers, or all of them are listed. */
  only?: ServerWork | ServerList | undefined;
}

/** How a source is doing, for people. */
export interface SourceState {
  /** What messages call it. */
  name: string;
  /** How many tools it gave. */
  tools: number;
  /** Why it gave no tools, `null` if it did. */
  problem: string | null;
  /** It still writes while the run goes on. */
  keepsFiles: boolean;
}
