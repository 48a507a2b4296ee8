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
  RunRow,
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

const OFFLINE = "The server cannot be reached";
/** Characters of a run's events in which its prompt is looked for. */
const MOST_OF_EVENTS = 1_000_000;

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

  remove(id: string): Promise<RunRow> {
    return json("DELETE", runPath(id));
  }

  chooseModel(model: string): Promise<{ model: string }> {
    return json("POST", "/model", { model });
  }

  /** Gives all of what a run was asked for first; an empty text if its events do not tell. */
  async promptOf(id: string): Promise<string> {
    const { body } = await request("GET", `${runPath(id)}/events`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      text += piece.value;
      const [, data] = /^event: prompt\ndata: (.*)\n/m.exec(text) ?? [];
      if (data === undefined && text.length < MOST_OF_EVENTS) continue;
      await reader?.cancel();
      return data === undefined ? "" : JSON.parse(data).text;
    }
    return "";
  }

  /** Gives the recorded run that the page shows without a model. */
  async demo(): Promise<string> {
    return await (await request("GET", "/demo.jsonl")).text();
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
