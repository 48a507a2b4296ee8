import type { CommandAnalysis, CommandPolicy, SimpleCommand } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import { effectOf, usesNetwork } from "./judge/effect_of.ts";
import { shortened } from "./read/record_command.ts";
import { isShell, namesInterpreter } from "./facts/languages.ts";
import { holdsDenied, isAllowed, isDenied } from "./command_rule.ts";

/** Why a command is refused. */
interface Reason {
  /** Name of a built-in rule, or the kind of thing that the policy does not allow. */
  rule: string;
  program: string | null;
  /** What was found, as the end of a sentence about the command. */
  because: string;
  next: string;
}

const URL_ARGUMENT = /\b(?:https?|ftp):\/\//i;
const WIDER = "pass --policy=coder to allow it";
/** Rules against texts that nobody can judge before they run. */
const UNREADABLE: ReadonlySet<string> = new Set(["bash-eval", "backtick-subst", "dollar-paren"]);
const READ_ONLY = "do it with a command that only reads";

/**
 * Decides whether a policy lets a command start. First come the rules of every policy, then what the user
 * denies, then what the user allows, then what the policy's level allows. With `isNamed` it is the user's own program: the
 * level is held by its walls.
 *
 * @returns `denied_by_policy` with `{ policy, rule, rules, program?, risk }` as details, `null` if it may start
 */
export function refuseCommand(
  analysis: CommandAnalysis,
  policy: CommandPolicy,
  options: { isPart?: boolean; unforeseen?: boolean; isNamed?: boolean } = {},
): ToolError | null {
  const { isPart = false, unforeseen = false, isNamed = false } = options;
  // Of what comes later, only the program can be judged here. The commands that a shell gets are judged when they come.
  const judged = unforeseen || isNamed ? { ...analysis, opaque: [] } : analysis;
  const isWaitingShell = unforeseen && analysis.commands.every(({ program }) => isShell(program));
  const reason = brokenRule(analysis) ?? denied(analysis, policy) ??
    (isPart ? null : notAllowed(judged, policy)) ??
    (isWaitingShell || isNamed ? null : aboveLevel(judged, policy, { isPart }));
  if (!reason) return null;
  const { rule, program, because, next } = reason;
  const subject = program ? `Cannot run "${shortened(program)}"` : "Cannot run this command";
  return new ToolError("denied_by_policy", `${subject}: ${because}; ${next}`, {
    details: {
      policy: policy.name,
      rule,
      rules: analysis.rules,
      ...(program ? { program } : {}),
      // The only refusal by a policy that a flag lifts.
      ...(next === WIDER ? { flags: ["--policy=coder"] } : {}),
      risk: analysis.risk,
    },
  });
}

function brokenRule({ rules }: CommandAnalysis): Reason | null {
  const [rule] = rules;
  if (rule === undefined) return null;
  if (rules.every((one) => UNREADABLE.has(one))) {
    return {
      rule,
      program: null,
      because: `what it runs is known only when it runs, which ${namesOf(rules)} under every policy`,
      next: "first find that out with a command of its own, then write out what shall run",
    };
  }
  return {
    rule,
    program: null,
    because: `${namesOf(rules)} it under every policy`,
    next: "do it another way, or leave it to the user",
  };
}

function namesOf(rules: readonly string[]): string {
  return rules.length > 1 ? `rules ${rules.join(", ")} forbid` : `rule ${rules[0]} forbids`;
}

function denied({ commands, opaque }: CommandAnalysis, { deny, name }: CommandPolicy): Reason | null {
  for (const command of commands) {
    const rule = deny.find((one) => isDenied(one, command) || holdsDenied(one, command, { opaque }));
    if (!rule) continue;
    const text = [rule.program, ...rule.words ?? [], ...rule.options ?? []].join(" ");
    return {
      rule: "deny",
      program: command.program || command.path,
      because: `policy "${name}" denies "${text}"`,
      next: "use another command, or remove that rule from the policy",
    };
  }
  return null;
}

function notAllowed(analysis: CommandAnalysis, { allow, name }: CommandPolicy): Reason | null {
  if (allow.length === 0) return null;
  const other = analysis.commands.find((command) => !allow.some((rule) => isAllowed(rule, command)));
  const names = allow.map(({ program, words = [] }) => [program, ...words].join(" ")).join(", ");
  const next = "use one of these, or add a rule to the policy";
  if (other) {
    const program = other.program || other.path;
    return { rule: "allow", program, because: `policy "${name}" allows only ${names}`, next };
  }
  return analysis.opaque.length === 0 ? null : opaqueReason(analysis, name);
}

/** The part of a line may be no command at all: only what is known to do more than reading is refused. */
function aboveLevel(
  analysis: CommandAnalysis,
  policy: CommandPolicy,
  { isPart }: { isPart: boolean },
): Reason | null {
  if (policy.level === "free") return null;
  if (isPart) return writesFiles(analysis, policy) ?? doesMore(analysis, { ...policy, level: "no-write" });
  const known = writesFiles(analysis, policy) ?? doesMore(analysis, policy);
  if (known) return known;
  return analysis.opaque.length === 0 ? null : opaqueReason(analysis, policy.name);
}

function writesFiles({ commands }: CommandAnalysis, { name }: CommandPolicy): Reason | null {
  const writer = commands.find(({ writes }) => writes.length > 0);
  if (!writer) return null;
  const [file] = writer.writes;
  const target = typeof file === "string" ? `"${shortened(file)}"` : "a file";
  return {
    rule: "writes",
    program: writer.program || null,
    because: `its output is redirected to ${target}, and policy "${name}" allows only reading`,
    next: WIDER,
  };
}

function doesMore({ commands }: CommandAnalysis, policy: CommandPolicy): Reason | null {
  for (const command of commands) {
    const reason = policy.level === "listed" ? unlisted(command, policy) : writes(command, policy);
    if (reason) return reason;
  }
  return null;
}

function writes(command: SimpleCommand, { name }: CommandPolicy): Reason | null {
  const { program } = command;
  switch (effectOf(command)) {
    case "writes":
      return {
        rule: "writes",
        program,
        because: `it changes files or the system, and policy "${name}" allows only reading`,
        next: WIDER,
      };
    case "code":
      return {
        rule: "code",
        program: program || command.path,
        because: `it runs code that is not known, and policy "${name}" allows only reading`,
        next: WIDER,
      };
    case "unknown": {
      const started = command.args.map((arg) => arg?.replace(/^-[^=]*=/, "") ?? "").find(namesInterpreter);
      return started === undefined ? null : {
        rule: "code",
        program,
        because: `it may start "${shortened(started)}", and policy "${name}" allows only reading`,
        next: WIDER,
      };
    }
    default:
      return null;
  }
}

function unlisted(command: SimpleCommand, policy: CommandPolicy): Reason | null {
  const { program, args } = command;
  const { name } = policy;
  const effect = effectOf(command);
  if (usesNetwork(command) || args.some((arg) => URL_ARGUMENT.test(arg ?? ""))) {
    const because = `it uses the network, and policy "${name}" does not allow that`;
    return { rule: "network", program: program || command.path, because, next: WIDER };
  }
  const reason = writes(command, policy);
  if (reason || effect === "reads" || program === "") return reason;
  const because = `policy "${name}" allows only programs that are known to read`;
  return { rule: "not-listed", program, because, next: READ_ONLY };
}

function opaqueReason({ opaque, commands }: CommandAnalysis, name: string): Reason {
  const program = commands.length === 1 ? commands[0]!.program || null : null;
  return {
    rule: "opaque",
    program,
    because: `${opaque[0]}, and policy "${name}" allows only what is clear before it runs`,
    next: "write the command out plainly",
  };
}
