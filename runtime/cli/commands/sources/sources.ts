import { join, resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { KeptSource } from "../../../../schemas/step/sources.ts";
import { sessionSources } from "../../../state/sessions/read_sources.ts";
import { findSession, listSessions } from "../../../state/sessions/session_folder.ts";
import { SESSION_ID, sessionFolder } from "../../../state/tool_state.ts";
import { lstat, realOrNull } from "../../../walls/files/file_facts.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, print, printError, userFolder } from "../../io/io.ts";
import { stateOf } from "../../setup/state_of.ts";
import { renderSources } from "./render_sources.ts";

/** `sources [SESSION]`: the sources that the tools of a session have found. */
export async function sourcesCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const state = stateOf(io);
  const folder = resolve(userFolder(io), options.workspace ?? ".");
  const workspace = realOrNull(folder) ?? folder;
  const manifest = await io.manifest();
  const [wanted] = positionals;
  const { id, sources } = wanted === undefined
    ? await newest(state, { workspace, manifest })
    : await named(state, wanted, manifest);
  await print(io, renderSources(id, sources, options.json ? "json" : options.as ?? "text"));
  if (sources.length === 0) await printError(io, `bulkhead: session ${id} has no sources\n`);
  return 0;
}

/** A session, and its sources by number. */
interface Book {
  id: string;
  sources: KeptSource[];
}

/** The session with this id, or the only one whose id begins so. Sessions of single calls have no trace. */
async function named(state: string, id: string, manifest: Manifest): Promise<Book> {
  const isThere = SESSION_ID.test(id) && lstat(sessionFolder(state, id))?.isDirectory === true;
  const [begun, ...others] = isThere ? [id] : idsFrom(state, id);
  const found = begun !== undefined && others.length === 0 ? begun : null;
  return await open(state, found ?? await findSession(state, { id, workspace: "" }), manifest);
}

/** Ids of all sessions that begin so. */
function idsFrom(state: string, start: string): string[] {
  const folder = join(state, "sessions");
  if (start === "" || lstat(folder)?.isDirectory !== true) return [];
  const names = [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => isDirectory ? [name] : []);
  return names.filter((name) => name.startsWith(start) && SESSION_ID.test(name));
}

/** The session of the workspace that changed last, of those that have sources. */
async function newest(
  state: string,
  { workspace, manifest }: { workspace: string; manifest: Manifest },
): Promise<Book> {
  for (const session of await listSessions(state)) {
    if (session.workspace !== workspace) continue;
    const book = await open(state, session.id, manifest);
    if (book.sources.length > 0) return book;
  }
  throw new ToolError("invalid_input", `No session of "${workspace}" has sources, see: bulkhead sessions`);
}

async function open(state: string, id: string, manifest: Manifest): Promise<Book> {
  return { id, sources: await sessionSources(state, id, manifest) };
}
