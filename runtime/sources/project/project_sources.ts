import { join } from "@std/path";

import { hashOfPart, readTrust } from "../../state/trust/trust_store.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { quoteWord } from "../../text/shell_quote.ts";
import { describeServers } from "../mcp/started/describe_servers.ts";
import type { McpPlace, ProjectFile, ProjectPart, SourceHost, ToolPath, TrustJudge } from "../source.ts";

/** What a project adds to a run. */
export interface ProjectSources {
  files: readonly ToolPath[];
  mcp: readonly McpPlace[];
  /** Says which parts were left out because the user does not trust them; `null` if none was. For after the load. */
  leftOut(): string | null;
}

/**
 * Finds what a project adds to a run: nothing of it before the user trusts exactly what it says. Needs `read` of the state.
 */
export async function projectSources(
  project: readonly ProjectFile[],
  { env, trust }: Pick<SourceHost, "env" | "trust">,
): Promise<ProjectSources> {
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  const missing = new Map<string, string[]>();
  const judge = trust ?? storedTrust(state, ({ folder, name }, isChanged) => {
    const names = missing.get(folder) ?? [];
    missing.set(folder, [...names, `${JSON.stringify(name)}${isChanged ? " (it has changed)" : ""}`]);
  });
  const files: ToolPath[] = [];
  const mcp: McpPlace[] = [];
  for (const { text, toolFiles, ...part } of project) {
    if (!await judge({ ...part, ...await wholeOf({ ...part, text }, env) })) continue;
    const { folder, name } = part;
    if (part.kind === "servers") mcp.push({ file: join(folder, name), text });
    files.push(...toolFiles.map((path) => ({ path, isRequired: false, project: { folder, judge } })));
  }
  return {
    ...{ files, mcp },
    leftOut() {
      const told = [...missing].map(([folder, names]) =>
        `the project adds tools by ${names.join(", ")}, which you have not trusted, so they are left out; ` +
        `to look at them and decide: bulkhead trust ${quoteWord(folder)}`
      );
      return told.length === 0 ? null : told.join("; ");
    },
  };
}

/** A file of servers is what it starts as well. */
async function wholeOf(
  { kind, folder, text }: Pick<ProjectFile, "kind" | "folder" | "text">,
  env: SourceHost["env"],
): Promise<Pick<ProjectPart, "content" | "details">> {
  if (kind !== "servers") return { content: text };
  const { lines, print } = await describeServers(text, { folder, env, home: env.HOME ?? "" });
  return { content: print === "" ? text : `${text}\0${print}`, details: lines };
}

/** Trusts what the user has trusted, as it was then. */
function storedTrust(
  state: string | null,
  refused: (part: ProjectPart, isChanged: boolean) => void,
): TrustJudge {
  return async (part) => {
    const { folder, name, content } = part;
    const { parts = {} } = (state === null ? null : await readTrust(state, folder)) ?? {};
    const trusted = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (trusted !== undefined && trusted === await hashOfPart(content)) return true;
    refused(part, trusted !== undefined);
    return false;
  };
}
