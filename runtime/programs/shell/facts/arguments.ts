/** Arguments as analysed. `null` means that the value is unknown. */
export type Arguments = readonly (string | null)[];

/** An option by its letters and its long names, without dashes. */
export interface OptionNames {
  /** Letters that each mean the option. */
  short?: string;
  long?: readonly string[];
}

/** Says whether an option is among arguments: alone, in a cluster such as `-xf`, long, or long and shortened. */
export function hasOption(args: Arguments, option: OptionNames): boolean {
  return givenOptions(args).some((arg) => isOption(arg, option));
}

/** Returns the values given to an option: in the same argument or in the next one. */
export function optionValues(args: Arguments, option: OptionNames): (string | null)[] {
  const values: (string | null)[] = [];
  for (const [at, arg] of args.entries()) {
    if (arg === "--") break;
    if (arg === null || !isOption(arg, option)) continue;
    const attached = attachedValue(arg, option);
    values.push(attached === "" ? args[at + 1] ?? null : attached);
  }
  return values;
}

/**
 * Returns the arguments that are not options.
 *
 * @param valued Options whose value is the next argument
 */
export function operandsOf(args: Arguments, valued: OptionNames = {}): (string | null)[] {
  const operands: (string | null)[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null;
    if (arg === "--") return [...operands, ...args.slice(at + 1)];
    if (arg === null || !arg.startsWith("-") || arg === "-") operands.push(arg);
    else if (isOption(arg, valued) && attachedValue(arg, valued) === "") at++;
  }
  return operands;
}

/** Returns the arguments before `--` that are options. */
export function givenOptions(args: Arguments): string[] {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).filter((arg) => arg !== null && /^-./.test(arg)) as string[];
}

/** Says whether one argument is an option. */
export function isOption(arg: string, { short = "", long = [] }: OptionNames): boolean {
  if (arg.startsWith("--")) {
    const given = arg.slice(2).split("=", 1)[0] ?? "";
    return given !== "" && long.some((name) => name.startsWith(given));
  }
  return arg.startsWith("-") && [...arg.slice(1)].some((letter) => short.includes(letter));
}

/** Returns the value that an option carries, `""` if the next argument holds it: `--user=x`, `-n5`. */
export function attachedValue(arg: string, { short = "" }: OptionNames): string {
  if (arg.startsWith("--")) return arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : "";
  const at = [...arg].findIndex((letter, index) => index > 0 && short.includes(letter));
  return arg.slice(at + 1);
}
