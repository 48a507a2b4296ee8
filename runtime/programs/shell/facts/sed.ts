import { type Arguments, hasOption, operandsOf, optionValues } from "./arguments.ts";

const VALUED = { short: "efl", long: ["expression", "file", "line-length"] };
const SCRIPT = { short: "e", long: ["expression"] };
const IN_PLACE = { short: "i", long: ["in-place"] };
const MAX_SCRIPT = 8192;
const ADDRESS = /^(?:\s|\d|[$,!~+{};]|\/(?:\\.|[^/\\])*\/[IM]*|\\(.)(?:(?!\1).)*\1[IM]*)*/;

/** Says whether a sed script may start programs. An unknown script may. */
export function sedRunsPrograms(args: Arguments): boolean {
  if (hasOption(args, { short: "f", long: ["file"] })) return !hasOption(args, { long: ["sandbox"] });
  return commandsOf(args).some((command) => command === null || command === "e");
}

/** Says whether sed writes files. */
export function writesFiles(args: Arguments): boolean {
  return hasOption(args, IN_PLACE) || commandsOf(args).some((command) => command === "w");
}

function commandsOf(args: Arguments): ("e" | "w" | null)[] {
  const given = optionValues(args, SCRIPT);
  const scripts = given.length > 0 ? given : operandsOf(args, VALUED).slice(0, 1);
  return scripts.flatMap((script) =>
    script === null || script.length > MAX_SCRIPT ? [null] : effects(script)
  );
}

/** Finds the commands `e` and `w` of a script, and the flags `e` and `w` of its substitutions. */
function effects(script: string): ("e" | "w")[] {
  const found: ("e" | "w")[] = [];
  let rest = script;
  while (rest !== "") {
    rest = rest.replace(ADDRESS, "");
    const command = rest[0] ?? "";
    if (command === "s" || command === "y") {
      const [flags, after] = readSubstitution(rest);
      if (command === "s") { for (const flag of flags) if (flag === "e" || flag === "w") found.push(flag); }
      rest = after;
      continue;
    }
    if (command === "e") found.push("e");
    if (command === "w" || command === "W") found.push("w");
    // Texts and file names reach to the end of the line, other commands to the next separator.
    const end = /[aicrRwWe#:btT]/.test(command) ? rest.indexOf("\n") : rest.slice(1).search(/[;\n}]/) + 1;
    rest = end <= 0 ? "" : rest.slice(end + 1);
  }
  return found;
}

function readSubstitution(text: string): [flags: string, after: string] {
  const delimiter = text[1] ?? "";
  let at = 2;
  for (let parts = 0; parts < 2 && at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === delimiter) parts++;
  }
  const flags = /^[gpPiIemMw\d]*/.exec(text.slice(at))?.[0] ?? "";
  const end = text.slice(at).search(flags.includes("w") ? /\n/ : /[;\n}]/);
  return [flags, end < 0 ? "" : text.slice(at + end + 1)];
}
