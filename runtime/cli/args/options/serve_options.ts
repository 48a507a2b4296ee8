import type { Option } from "./option_kinds.ts";

/** How runs tell their calls to clients of OpenAI's API. */
export const STREAM_STYLES = ["reasoning", "openai", "open_webui"] as const;

/** The options of the server alone. */
export const SERVE_OPTIONS = {
  host: {
    kind: "text",
    value: "HOST",
    group: "running",
    default: "127.0.0.1",
    summary: "Listen on this address of the machine",
  },
  port: {
    kind: "integer",
    unit: "a port",
    min: 0,
    max: 65_535,
    value: "PORT",
    group: "running",
    default: 8686,
    summary: "Listen on this port; 0 for any that is free",
  },
  workspaces: {
    kind: "names",
    value: "DIRS",
    complete: "folder",
    group: "grants",
    summary: "Folders in which requests may work, and below; default: the workspace alone",
    says: { run: "With --tasks: folders in which tasks may work, and below; default: the workspace alone" },
  },
  maxRuns: {
    kind: "integer",
    unit: "runs",
    min: 1,
    max: 1_000,
    value: "N",
    group: "running",
    default: 4,
    summary: "Most runs at work at once; more wait for their turn",
    says: { run: "With --tasks: most runs at work at once" },
  },
  stopOnDisconnect: {
    kind: "flag",
    group: "running",
    summary: "Stop a run when the client that started it has gone",
  },
  names: {
    kind: "names",
    value: "NAMES",
    group: "running",
    summary: "Names by which clients call the server besides its host, as behind a proxy",
  },
  cors: {
    kind: "names",
    value: "ORIGINS",
    group: "running",
    summary: "Web pages of other origins that may ask, such as https://chat.example",
  },
  tlsCert: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "running",
    summary: "Serve HTTPS with this chain of certificates, in PEM",
  },
  tlsKey: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "running",
    summary: "The key of the certificate, in PEM",
  },
  streamStyle: {
    kind: "choice",
    choices: STREAM_STYLES,
    value: "STYLE",
    group: "running",
    default: "reasoning",
    summary: "How clients of OpenAI's API see what an agent does besides its answer",
  },
  apiRunsDir: {
    kind: "text",
    value: "DIR",
    complete: "folder",
    group: "running",
    summary: "Make a folder for each chat completion here, with its workspace and its trace",
  },
} as const satisfies Record<string, Option>;
