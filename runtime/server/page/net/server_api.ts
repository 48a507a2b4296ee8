import { pageKey } from "./page_key.ts";
import type {
  Answering,
  FolderList,
  Info,
  LeftFiles,
  MoreOfRun,
  NewRun,
  NumberedSource,
  RunNow,
  RunRows,
  Undone,
} from "./shapes.ts";

/** Why the server did not do what was asked. */
export class ApiProblem extends Error {
  /** A code of the closed list, or `offline` if the server cannot be reached. */
  readonly code: string;
  /** HTTP status, 0 without one. */
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const OFFLINE =
  "The server cannot be reached. The page tries again by itself; start the server if it has ended";

/** What the page asks the server for. */
export class ServerApi {
  info(): Promise<Info> {
    return json("GET", "/info");
  }

  folders(path: string): Promise<FolderList> {
    return json("GET", `/folders?path=${encodeURIComponent(path)}`);
  }

  runs(query: { search: string; before: string | null }): Promise<RunRows> {
    const words = new URLSearchParams({ limit: "50" });
    if (query.search !== "") words.set("search", query.search);
    if (query.before !== null) words.set("before", query.before);
    return json("GET", `/runs?${words}`);
  }

  start(run: NewRun): Promise<RunNow> {
    return json("POST", "/runs", run);
  }

  run(id: string): Promise<RunNow> {
    return json("GET", runPath(id));
  }

  answer(id: string, answer: Answering): Promise<RunNow> {
    return json("POST", `${runPath(id)}/answer`, answer);
  }

  cancel(id: string): Promise<RunNow> {
    return json("POST", `${runPath(id)}/cancel`);
  }

  resume(id: string, more: MoreOfRun): Promise<RunNow> {
    return json("POST", `${runPath(id)}/resume`, more);
  }

  files(id: string): Promise<LeftFiles> {
    return json("GET", `${runPath(id)}/files`);
  }

  async sources(id: string): Promise<NumberedSource[]> {
    const { sources } = await json<{ sources: NumberedSource[] }>("GET", `${runPath(id)}/sources`);
    return sources;
  }

  async diff(id: string): Promise<string> {
    return await (await request("GET", `${runPath(id)}/diff`)).text();
  }

  undo(id: string): Promise<Undone> {
    return json("POST", `${runPath(id)}/undo`);
  }
}

/** Where a run is on the server. */
export function runPath(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

async function json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  return await (await request(method, path, body)).json();
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const key = { "x-page-key": pageKey() };
  const sent = body === undefined
    ? { headers: key }
    : { headers: { ...key, "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...sent }).catch(() => {
    throw new ApiProblem("offline", OFFLINE, 0);
  });
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { error } = await response.json().catch(() => ({})) as {
    error?: { code?: string; message?: string };
  };
  const message = error?.message ?? `The server answered with status ${response.status}`;
  return new ApiProblem(error?.code ?? "internal", message, response.status);
}
