import { basename, dirname, resolve } from "@std/path";

import type { ErrorInfo } from "../../../schemas/error.ts";
import type { Grants, Scope } from "../../../schemas/grants.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { CallEnd, Carrier } from "../../calls/catalog/carrier.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";

/** What the walls of a room refused, as Deno names it. */
export interface WallRefusal {
  /** `read`, `write`, `net`, `run`, `env`, `sys`, `ffi` or `import`. */
  kind: string;
  /** The path, host, program or name; `""` for all of the kind. */
  target: string;
}

/** Makes a carrier that says of a refusal which line of the tool's own file, or which flag, is missing. */
export function namingNeeds(carrier: Carrier, file: string, grants: Grants): Carrier {
  return {
    ...carrier,
    async call(tool, input, options) {
      const end = await carrier.call(tool, input, options);
      const refused = refusalOf(end.result.error);
      return refused === null ? end : reworded(end, explainNeed(tool, refused, { file, grants }));
    },
  };
}

/** Says what a tool of one's own needs to do what was refused. */
export function explainNeed(
  tool: Pick<ManifestEntry, "name" | "needs">,
  { kind, target }: WallRefusal,
  { file, grants }: { file: string; grants: Pick<Grants, "allow" | "workspace"> },
): string {
  const place = `to defineTool in ${basename(file)}`;
  const lead = (verb: string) => `${tool.name} may not ${verb}${target === "" ? "" : ` ${target}`}`;
  const add = (needs: string) => `add needs: { ${needs} } ${place}`;
  if (kind === "read" || kind === "write") {
    return `${lead(kind)}: ${fileNeed(tool, { kind, target }, { add, grants })}`;
  }
  if (kind === "net") {
    const host = target.replace(/:\d+$/, "") || "HOST";
    const needs = tool.needs.net === undefined ? `${add(`net: ["${host}"]`)} and ` : "";
    return `${
      lead("connect to")
    }: ${needs}ask by context.web.request({ url }), as run(input, context) gets it; ` +
      "the network has no other way in";
  }
  if (kind === "run") {
    const needs = tool.needs.run === undefined ? `${add('run: "granted"')} and ` : "";
    return `${
      lead("start")
    }: ${needs}start it by context.programs.run({ argv }), as run(input, context) gets it`;
  }
  if (kind === "env") {
    const name = target || "NAME";
    return `${
      lead("read the variable")
    }: add settings: ["${name}"] ${place}, read context.settings.${name}, and pass ` +
      flagWord("--allow-env", [name]);
  }
  return `${lead(`use ${kind}`)}: no tool may, whatever it needs`;
}

function fileNeed(
  { needs }: Pick<ManifestEntry, "needs">,
  { kind, target }: { kind: "read" | "write"; target: string },
  { add, grants: { allow, workspace } }: {
    add(needs: string): string;
    grants: Pick<Grants, "allow" | "workspace">;
  },
): string {
  const path = resolve(workspace, target);
  const isOfWorkspace = isInside(workspace, path);
  const need = needs[kind];
  const named = Object.keys(needs).length === 0 ? "it names no needs" : `its needs name no ${kind}`;
  const scope = isOfWorkspace ? "workspace" : "granted";
  const lacking = need === undefined
    ? [`${named}; ${add(`${kind}: "${scope}"`)}`]
    : need === "workspace" && !isOfWorkspace
    ? [`its needs name the workspace alone; write needs: { ${kind}: "granted" }`]
    : Array.isArray(need)
    ? [`its needs name other paths; add "${path}" to needs.${kind}`]
    : [];
  const flag = isGranted(allow[kind], path)
    ? []
    : [`pass ${showFlags([flagWord(`--allow-${kind}`, [kind === "write" ? dirname(path) : path])])}`];
  const said = [...lacking, ...flag];
  return said.length === 0 ? "that file is a secret, protected or denied" : said.join(", and ");
}

function isGranted(scope: Scope, path: string): boolean {
  return scope === true || scope.some((folder) => isInside(folder, path));
}

function refusalOf(error: ErrorInfo | null): WallRefusal | null {
  const walls = error?.details?.walls as Partial<WallRefusal> | undefined;
  // A tool of one's own may say anything.
  const { kind, target } = walls ?? {};
  return typeof kind === "string" && typeof target === "string" ? { kind, target } : null;
}

function reworded({ result, facts }: CallEnd, message: string): CallEnd {
  const error = { ...result.error!, message };
  return {
    result: { ...result, text: result.text === result.error!.message ? message : result.text, error },
    facts,
  };
}
