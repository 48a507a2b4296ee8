/** A part of a profile: a word, a text in quotes, or a list. */
type Part = string | { text: string } | Part[];

/** A condition of a rule. `all`: it holds where each of these holds. */
interface Filter {
  kind: string;
  text: string;
  all?: readonly Filter[];
}

/** The words that profiles of the system itself use. */
const OPERATIONS =
  /^(?:default|dynamic-code-generation|file-(?:ioctl|map-executable|test-existence|(?:read|write)(?:\*|-\w+))|ipc-posix-(?:sem|shm(?:\*|-read-data))|mach-lookup|network-(?:bind|inbound|outbound)|process-(?:exec|fork|info\*)|pseudo-tty|signal|sysctl-read|system-socket)$/;
const FILTERS =
  /^(?:control-name|extension|global-name|ipc-posix-name(?:-regex)?|literal|local|regex|remote|require-all|socket-(?:domain|protocol)|subpath|sysctl-name(?:-prefix)?|target)$/;

/**
 * Reads a profile of Seatbelt as the system does. Throws at a text or a list that does not end, and at a word that profiles do
 * not have.
 */
export function readProfile(profile: string) {
  const rules = partsOf(profile).filter(Array.isArray).filter(([verb]) => verb !== "version").map((list) => {
    const [verb, ...rest] = list[0] === "if" ? ruleIfKnown(list) : list;
    if (verb !== "allow" && verb !== "deny") throw new Error(`This is no rule: ${JSON.stringify(list)}`);
    const filters = rest.filter(Array.isArray).map(readFilter);
    const operations = rest.filter((part) => typeof part === "string");
    for (const name of operations) if (!OPERATIONS.test(name)) throw new Error(`No operation: ${name}`);
    if (operations.length === 0) throw new Error(`A rule without an operation: ${JSON.stringify(list)}`);
    return { verb, operations, filters };
  });
  return {
    rules,
    /** The verb of the last rule that fits a path, a name, or an address such as `localhost:80`. */
    decide: (operation: string, about: string, extensions: readonly string[] = []) =>
      rules.findLast(({ operations, filters }) =>
        operations.some((name) => fits(name, operation)) &&
        (filters.length === 0 || filters.some((filter) => covers(filter, about, extensions)))
      )?.verb ?? "deny",
  };
}

/** `(if (defined? 'operation) (rule))`: the system is one that knows the operation. */
function ruleIfKnown([, condition, rule, ...more]: Part[]): Part[] {
  if (!Array.isArray(condition) || condition[0] !== "defined?" || !Array.isArray(rule) || more.length > 0) {
    throw new Error(`This is no condition: ${JSON.stringify(condition)}`);
  }
  const name = String(condition[1]);
  if (!name.startsWith("'") || rule[1] !== name.slice(1)) throw new Error(`Another operation than ${name}`);
  return rule;
}

function readFilter([kind, ...values]: Part[]): Filter {
  const name = String(kind);
  if (!FILTERS.test(name) || values.length === 0) throw new Error(`No filter: ${name}`);
  if (name === "require-all") {
    return { kind: name, text: "", all: values.filter(Array.isArray).map(readFilter) };
  }
  const texts = values.map((value) =>
    typeof value === "object" && "text" in value ? value.text : String(value)
  );
  return { kind: name, text: texts.at(-1)! };
}

function fits(name: string, operation: string): boolean {
  return name === "default" || name === operation ||
    (name.endsWith("*") && operation.startsWith(name.slice(0, -1)));
}

function covers({ kind, text, all }: Filter, about: string, extensions: readonly string[]): boolean {
  if (all) return all.every((one) => covers(one, about, extensions));
  if (kind === "extension") return extensions.includes(text);
  if (kind.endsWith("regex")) return new RegExp(text).test(about);
  if (kind.endsWith("-prefix")) return about.startsWith(text);
  if (kind === "local" || kind === "remote") return isAddress(text, about);
  return text === about || (kind === "subpath" && about.startsWith(text === "/" ? "/" : `${text}/`));
}

/** Addresses are written as `HOST:PORT`, and `*` stands for all hosts and all ports. */
function isAddress(pattern: string, about: string): boolean {
  const [[host, port = ""], [atHost, atPort]] = [pattern.split(":"), about.split(":")];
  return !about.includes("/") && atPort !== undefined && ["*", atHost].includes(host) &&
    ["*", atPort].includes(port);
}

const TOKEN = /\s+|;[^\n]*|(\()|(\))|#"([^"]*)"|"((?:[^"\\]|\\[^])*)"|([^\s()"]+)/y;

function partsOf(profile: string): Part[] {
  const open: Part[][] = [[]];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < profile.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(profile);
    if (token === null) throw new Error(`This is no profile: ${profile.slice(at, at + 40)}`);
    const [, begin, end, raw, text, word] = token;
    if (begin) open.push([]);
    else if (end) {
      const list = open.pop()!;
      if (open.length === 0) throw new Error("A list ends that did not begin");
      open.at(-1)!.push(list);
    } else if (raw !== undefined) open.at(-1)!.push({ text: raw });
    else if (text !== undefined) open.at(-1)!.push({ text: unescaped(text) });
    else if (word !== undefined) open.at(-1)!.push(word);
  }
  if (open.length !== 1) throw new Error("A list does not end");
  return open[0]!;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|([^]))/g,
    (_, hex, char) => hex ? String.fromCharCode(parseInt(hex, 16)) : char,
  );
}
