import { isObject } from "../../../schemas/json/shape.ts";
import { COMMAND_SHAPES, redactArgv } from "./command_secrets.ts";
import { formsOf } from "./secret_forms.ts";
import { afterLead, FIELD, REDACTED, type Replace, SECRET_FIELD } from "./secret_shapes.ts";
import { maskTokens } from "./token_rules.ts";

/** Shortest text that counts as a secret: shorter texts are part of other words. */
const MIN_SECRET = 6;
/** Longest text that is remembered as one without a secret, and how many are. */
const MAX_PLAIN = 64;
const MOST_PLAIN = 1_000;

/** Words in the names of variables whose value always counts as a secret. */
const STRONG =
  /(?:^|[_-])(?:PG|DB)?(?:PASS|PASSWORDS?|PASSWD|PASSPHRASE|(?<=_)PWD|SECRETS?|TOKENS?|CREDENTIALS?|(?:API|ACCESS|PRIVATE|AUTH|ENCRYPTION|SIGNING)_?KEY)(?:[_-]|$)/i;
/** Words in names that also stand for harmless things: only a value that looks random counts as a secret. */
const WEAK =
  /^(?!XDG_|DESKTOP_|DBUS_|SESSION_MANAGER)(?:.*[_-])?(?:KEYS?|AUTH|COOKIES?|SESSION|DSN|PAT|SIGNATURE|SALT)(?:[_-]|$)/i;
/** Values of such variables that are not secrets. */
const PLAIN =
  /^(true|false|enabled?|disabled?|required|optional|default|always|never|string|number|boolean|integer|undefined|unknown|object|password|secret|token|(?:\/(?:home|root|tmp|run|etc|usr|var|opt|mnt|srv|dev|proc|nix|Users|private)\b|~\/).*)$/i;

/** Picks the secrets from an environment: values of variables with such names, and passwords in URLs. */
export function secretValues(env: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(env).flatMap(([name, value]) => {
    const passwords = passwordsOf(value);
    const named = STRONG.test(name) || (WEAK.test(name) && /[0-9A-Z]|.{16}/.test(value));
    if (HEADERS.test(name)) return [...passwords, ...listedSecrets(value)];
    return named && !PLAIN.test(value) ? [value, ...passwords] : passwords;
  });
  return [...new Set(found)].filter((value) => value.length >= MIN_SECRET);
}

/** Values that say so little that they stand everywhere. */
const COMMON = /^(?:production|development|testing|staging|localhost|[\w.-]*utf-?8|[\d.:]+)$/i;

/** Picks the values that must not come back from whom they were given to, whatever their variables are called. */
export function givenSecrets(env: Readonly<Record<string, string>>): string[] {
  return Object.values(env).filter((value) =>
    value.length >= MIN_SECRET && !PLAIN.test(value) && !COMMON.test(value)
  );
}

/** Names of variables that hold headers, as `name=value` with commas between. */
const HEADERS = /_HEADERS$/i;

function listedSecrets(text: string): string[] {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const];
  });
  return pairs.flatMap(([name, value]) =>
    [value, decode(value)].flatMap((one) => headerSecrets({ [name]: one }))
  );
}

/** Headers whose values are no secrets. */
const PLAIN_HEADER =
  /^(?:accept(?:-.*)?|content-.*|user-agent|(?:http-)?referer|origin|x-title|(?:openai|anthropic)-(?:beta|version))$/i;

/** Picks the secrets from headers: their values, and what follows a word such as `Bearer`. */
export function headerSecrets(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    PLAIN_HEADER.test(name) ? [] : [value.trim(), value.trim().replace(/^\w+\s+/, "")]
  );
}

/**
 * Makes a function that masks secrets in a text: the given ones, and texts that look like a key, a token or a
 * password. Takes time linear in the length of the text.
 */
export function makeRedactor(secrets: readonly string[]): (text: string) => string {
  const maskKnown = makeMasker(secrets);
  /** Short texts without a secret, such as names of fields: they come again and again. */
  const plain = new Set<string>();
  return (text) => {
    if (text.length < MIN_SECRET || plain.has(text)) return text;
    let masked = maskKeyBlocks(maskKnown(text));
    for (const [pattern, replace] of SHAPES) masked = masked.replace(pattern, replace);
    masked = maskTokens(masked);
    if (masked === text && text.length <= MAX_PLAIN) {
      if (plain.size >= MOST_PLAIN) plain.clear();
      plain.add(text);
    }
    return masked;
  };
}

/** Makes a function that masks the given secrets in a text, also as they are often encoded, and changes nothing else. */
export function makeMasker(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET);
  const known = [...new Set(long.flatMap(formsOf))]
    // A secret may be part of another one.
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, REDACTED), text);
}

/** Masks the secrets in all texts of a value, and whole texts in fields that are named like one. */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === "string")
      ? redactArgv(value, redact)
      : value.map((item) => redactValue(item, redact));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      return [redact(name), SECRET_FIELD.test(name) ? maskTexts(inner) : redactValue(inner, redact)];
    }),
  );
}

/** Masks every text of a value, except empty texts. */
function maskTexts(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? value : REDACTED;
  if (Array.isArray(value)) return value.map(maskTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskTexts(inner)]));
}

function passwordsOf(value: string): string[] {
  const [, userinfo] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)@/i.exec(value) ?? [];
  if (userinfo === undefined) return [];
  const colon = userinfo.indexOf(":");
  const password = colon < 0 ? (looksRandom(userinfo) ? userinfo : "") : userinfo.slice(colon + 1);
  return [password, decode(password)].filter((text) => text !== "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Letters and digits mixed, or very long without a space. */
function looksRandom(text: string): boolean {
  if (/\s/.test(text) || PLAIN.test(text)) return false;
  return (text.length >= 12 && /\d/.test(text) && /[A-Za-z]/.test(text)) || text.length >= 32;
}

const DASHES = "-----";

/** Masks private keys; one without an end is masked to the end of the text. */
function maskKeyBlocks(text: string): string {
  const begins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY( BLOCK)?-----/g;
  let masked = "";
  let at = 0;
  for (let begin = begins.exec(text); begin; begin = begins.exec(text)) {
    masked += text.slice(at, begin.index) + REDACTED;
    const last = text.indexOf(`${DASHES}END `, begin.index);
    const end = last < 0 ? -1 : text.indexOf(DASHES, last + DASHES.length);
    at = end < 0 ? text.length : end + DASHES.length;
    begins.lastIndex = at;
  }
  return masked + text.slice(at);
}

const whole: Replace = () => REDACTED;

// Each pattern starts where a run of its own characters starts, so that it reads each run once.
const SHAPES: readonly (readonly [RegExp, Replace])[] = [
  ...COMMAND_SHAPES,
  [/(?<![\w-])sk-[\w-]{16,}/g, (match) => /[0-9A-Z]|\w{16}/.test(match.slice(3)) ? REDACTED : match],
  [/(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|[srp]k_(?:live|test)_[A-Za-z0-9]{10,})/g, whole],
  [/(?<!\w)(?:npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w))/g, whole],
  [/(?<![\w:])\d{6,12}:AA[\w-]{33}(?![\w-])/g, whole],
  [/(?<!\w)(discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/)[\w-]{20,}/g, afterLead],
  [/(?<![\w-])(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|glpat-[\w-]{20,}|AIza[\w-]{35})/g, whole],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, whole],
  [
    /(?<![\w-])(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|digest)\s{1,3})?)[^\s"',;]+/gi,
    afterLead,
  ],
  [
    /(?<![\w-])(bearer\s{1,3})([\w.~+/=-]{8,})/gi,
    (match, lead = "", token = "") => /\d/.test(token) || token.length >= 24 ? `${lead}${REDACTED}` : match,
  ],
  [
    /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,15}:\/\/[^\s/@:?#"'<>]*:)[^\s/@?#"'<>]+@/gi,
    (_, lead) => `${lead}${REDACTED}@`,
  ],
  [
    /(?<![a-z0-9+.-])(https?:\/\/)([^\s/@:?#"'<>]{12,})@/gi,
    (match, lead = "", user = "") => looksRandom(user) ? `${lead}${REDACTED}@` : match,
  ],
  [/(?<![\w-])((?:set-)?cookie["']?:\s{0,3})[^"'\n]+/gi, afterLead],
  [/(?<![\w-])((?:-u|--user)[\s=]{1,3}["']?[^\s:"'=]{1,64}:)(?!\d+(?!\S))[^\s"']+/g, afterLead],
  [
    new RegExp(
      `(?<![\\w-])(?!--allow-secrets=)(--?(?:[a-z0-9]{1,20}[_-]){0,4}(?:${FIELD})(?:=|\\s{1,3})["']?)(?!-)[^\\s"']+`,
      "gi",
    ),
    afterLead,
  ],
  [
    new RegExp(
      `(?<![A-Za-z0-9])(?<!--allow-)(?!allow-secrets=)((?:[A-Za-z0-9]{1,20}[_-]){0,4}(?:${FIELD})(?:\\\\{0,2}["'])?\\s{0,3}[:=]\\s{0,3}\\\\{0,2})("[^"\\n]*"|'[^'\\n]*'|[^\\s"',;&|)}\\]]+)`,
      "gi",
    ),
    maskAssigned,
  ],
];

/** The text after a name such as `password` may also be code or a type. */
function maskAssigned(match: string, lead = "", value = ""): string {
  const quote = /^["']/.exec(value)?.[0] ?? "";
  const bare = quote === "" ? value : value.slice(1, -1);
  if (bare.length < MIN_SECRET || bare.startsWith(REDACTED.slice(0, -1)) || PLAIN.test(bare)) return match;
  const code = quote === "" && (/^[=>]/.test(bare) || /^[A-Za-z_$][\w$.]*[([]/.test(bare));
  return code ? match : `${lead}${quote}${REDACTED}${quote}`;
}
