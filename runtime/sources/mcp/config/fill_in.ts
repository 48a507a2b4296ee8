import type { VariableForm } from "./clients.ts";

/** What variables may stand for. */
export interface VariablePlaces {
  /** Variables of the user. */
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the workspace. */
  workspace: string;
  /** Absolute path of the user's home; `""` if there is none. */
  home: string;
}

/** A text with its variables filled in, and what of it was filled in; or why that is not possible. */
export type Filled = { text: string; values: readonly string[] } | { problem: string };

/** The place of a variable in a text: how it begins, its name, and what stands for it if it is not set. */
const FORMS: Readonly<Record<VariableForm, RegExp>> = {
  braced_default: /\$\{(?<name>[A-Za-z_]\w*):-(?<fallback>[^}]*)\}/y,
  braces: /\$\{(?<name>[A-Za-z_]\w*)\}/y,
  env_braces: /\$\{env:(?<name>[^}]+)\}/y,
  dollar: /\$(?<name>[A-Za-z_]\w*)/y,
  bare_env: /\{env:(?<name>[^}]+)\}/y,
  places: /\$\{(?<place>workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}/y,
  inputs: /\$\{input:(?<input>[^}]+)\}/y,
};

/** Places count before variables of the same look. */
const ORDER: readonly VariableForm[] = [
  ...["places", "inputs", "env_braces", "braced_default", "braces", "dollar", "bare_env"] as const,
];

/**
 * Fills in the variables of a text, in the forms that its client has. What a variable holds is not looked at again.
 *
 * @returns The text, or what is wrong: a variable without a value, or an input that nobody can be asked for
 */
export function fillIn(text: string, forms: readonly VariableForm[], places: VariablePlaces): Filled {
  const known = ORDER.filter((form) => forms.includes(form));
  const values: string[] = [];
  let filled = "";
  for (let at = 0; at < text.length;) {
    const match = text[at] === "$" || text[at] === "{" ? matchAt(text, at, known) : null;
    if (match === null) {
      filled += text[at++];
      continue;
    }
    const value = valueOf(match, places);
    if (value === null) return { problem: problemOf(match, forms) };
    if (match.groups!.place === undefined) values.push(value);
    filled += value;
    at += match[0].length;
  }
  return { text: filled, values };
}

function matchAt(text: string, at: number, forms: readonly VariableForm[]): RegExpExecArray | null {
  for (const form of forms) {
    const pattern = FORMS[form];
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

function valueOf(match: RegExpExecArray, { env, workspace, home }: VariablePlaces): string | null {
  const { name, fallback, place, input } = match.groups!;
  if (input !== undefined) return null;
  if (name !== undefined) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    // As in a shell, an empty variable counts as one that is not set where there is something else to take.
    return fallback === undefined ? value ?? null : value || fallback;
  }
  if (place === "workspaceFolder") return workspace;
  if (place === "workspaceFolderBasename") return workspace.split("/").at(-1) ?? "";
  return place === "userHome" ? home || null : "/";
}

function problemOf(match: RegExpExecArray, forms: readonly VariableForm[]): string {
  const { name, input } = match.groups!;
  if (input !== undefined) {
    return `${match[0]} asks the user of an editor: write \${env:NAME} instead, and set that variable`;
  }
  if (name === undefined) return `${match[0]} is not known: set HOME`;
  const other = forms.includes("braced_default") ? `, or write \${${name}:-…} with what stands for it` : "";
  return `the variable ${name} is not set: set it${other}`;
}
