import type { SimpleCommand } from "../../../../schemas/command.ts";
import { searches, some } from "./matching.ts";
import { hasOption } from "../facts/arguments.ts";
import type { Rule, Structure, Syntax } from "../read/structure.ts";

const FETCHES = new Set(["curl", "fetch", "http", "https", "xh", "aria2c", "axel", "lynx", "links", "w3m"]);
const CONNECTS = new Set(["nc", "ncat", "netcat", "nc.openbsd", "nc.traditional"]);
const STARTS = { short: "ec", long: ["exec", "sh-exec", "lua-exec"] };
const SOCKET = /\/dev\/(?:tcp|udp)\//;

/** Rules about texts that become programs. */
export const SHELL_RULES: Readonly<Record<string, Rule>> = {
  "curl-pipe-sh": (structure) => runsOutputOf(structure, ({ program }) => FETCHES.has(program)),
  "wget-pipe-sh": (structure) => runsOutputOf(structure, ({ program }) => /^wget2?$/.test(program)),
  "nc-exec": (structure) => some(structure, connectsProgram),
  "bash-reverse": (structure) =>
    structure.opened.some((path) => SOCKET.test(path)) ||
    some(structure, (one) =>
      !searches(one) && one.args.some((arg) => /^[<>&\d]*\/dev\/(?:tcp|udp)\//.test(arg ?? ""))),
  "fork-bomb": ({ multiplies }) => multiplies,
  "bash-eval": ({ evalsVariable }) => evalsVariable,
  "backtick-subst": (structure) => runsSubstitution(structure, "backtick"),
  "dollar-paren": (structure) => runsSubstitution(structure, "dollar-paren"),
};

function runsOutputOf({ feeds }: Structure, isMeant: (command: SimpleCommand) => boolean): boolean {
  return feeds.some(({ from }) => from.some(isMeant));
}

function connectsProgram({ program, args }: SimpleCommand): boolean {
  if (program === "socat") return args.some((arg) => /(?:^|!!)(?:EXEC|SYSTEM|SHELL)(?::|$)/i.test(arg ?? ""));
  return CONNECTS.has(program) && hasOption(args, STARTS);
}

/** A substitution may stand for a word, never for what is run. */
function runsSubstitution({ substitutions }: Structure, wanted: Syntax): boolean {
  return substitutions.some(({ syntax, place }) => syntax === wanted && place !== "word");
}
