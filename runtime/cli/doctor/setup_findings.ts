import { USER_BROWSER_WORDS } from "../../browser/user_browser_words.ts";
import { CHROMIUM_VARIABLE, findChromium } from "../../browser/find_chromium.ts";
import { findDesktop, menuEntries } from "../../desktop/find_desktop.ts";
import { modelStatus } from "../../agent/model_status.ts";
import type { ConfigPlace } from "../../host/config/find_config.ts";
import type { Host } from "../../host/open_host.ts";
import type { SourceState } from "../../sources/source.ts";
import { plural } from "../../text/plural.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { installWords } from "../../walls/process/install_words.ts";
import type { DoctorFinding } from "./finding.ts";

/** Says where configuration was looked for, and what was read. */
export function configFinding(
  { loaded: { userFile, projectFile } }: Host,
  places: readonly ConfigPlace[],
): DoctorFinding {
  const read: (string | null)[] = [userFile, projectFile].filter((file) => file !== null);
  const others = places.map(({ path }) => path).filter((path) => !read.includes(realOrNull(path)));
  const looked = others.length === 0 ? "" : `; not there: ${others.join(", ")}`;
  return { check: "config", state: "ok", detail: `${read.join(", ") || "no configuration files"}${looked}` };
}

/** Says which model a run would take, by which setting, and whether its key is set. Asks no server. */
export function modelFinding(
  { loaded: { config } }: Host,
  env: Readonly<Record<string, string>>,
): DoctorFinding {
  const { name, from, baseUrl, key, problem } = modelStatus(config, (variable) => env[variable]);
  const check = "model";
  if (name === null) {
    return { check, state: "warn", detail: problem ?? "" };
  }
  const where = baseUrl === null ? "" : ` at ${baseUrl}`;
  const lead = `${name} by ${from}${where}`;
  return problem === null
    ? {
      check,
      state: "ok",
      detail: `${lead}; ${key}; not asked: bulkhead models --base-url ${baseUrl} asks it`,
    }
    : { check, state: "warn", detail: `${lead}; ${problem}` };
}

/**
 * Says which browser tools would use. Starts none.
 *
 * @param find Returns the absolute path of a program, `null` if there is none
 */
export function browserFinding(
  env: Readonly<Record<string, string>>,
  find: (name: string) => string | null,
  userBrowser?: string,
): DoctorFinding {
  const check = "browser";
  if (userBrowser !== undefined) {
    return { check, state: "ok", detail: `${userBrowser}, ${USER_BROWSER_WORDS}` };
  }
  const found = findChromium(env, find);
  const isThere = found !== null && realOrNull(found.path) !== null;
  if (isThere) {
    return { check, state: "ok", detail: `${found.path}${found.named ? ` (${CHROMIUM_VARIABLE})` : ""}` };
  }
  const named = env[CHROMIUM_VARIABLE] ?? "";
  const why = named === "" ? "no browser" : `${CHROMIUM_VARIABLE} names ${named}, which is not there`;
  return {
    check,
    state: "warn",
    detail: `${why}: install chromium or google-chrome, or name one in ${CHROMIUM_VARIABLE}`,
  };
}

/**
 * Says what makes the desktop of tools, and what its menu offers. Starts nothing.
 *
 * @param find Returns the absolute path of a program, `null` if there is none
 */
export function desktopFinding(
  find: (name: string) => string | null,
  { isRoot }: { isRoot: boolean },
): DoctorFinding {
  const check = "desktop";
  const { programs, missing } = findDesktop(find);
  if (programs === null) {
    return {
      check,
      state: "warn",
      detail: `no desktop: install it with: ${installWords(missing)}`,
    };
  }
  const offered = menuEntries([], { find, isRoot }).map(({ program }) => program).join(", ");
  const made = `${programs.display} and ${programs.manager}`;
  if (offered !== "") return { check, state: "ok", detail: `${made}; its menu offers ${offered}` };
  return { check, state: "warn", detail: `${made}; its menu is empty: install a terminal, such as stterm` };
}

/** Says of each source of tools what came of it. */
export function sourceFindings(sources: readonly SourceState[]): DoctorFinding[] {
  return sources.map(({ name, tools, problem }) => ({
    check: "tools",
    state: problem === null ? "ok" : "warn",
    detail: `${name}: ${problem ?? plural(tools, "tool")}`,
    ...(problem !== null && { missing: `the tools of ${name}` }),
  }));
}
