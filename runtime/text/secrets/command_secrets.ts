import { afterLead, FIELD, REDACTED, type Replace, SECRET_FIELD } from "./secret_shapes.ts";

/** `--allow-secrets` of this program takes paths, which a session must keep. */
const SECRET_OPTION = new RegExp(`^(?!--allow-secrets$)--?(?:[\\w-]*[_-])?(?:${FIELD})$`, "i");

/** Programs, and their options whose next word is a secret. */
const NEXT: readonly (readonly [program: string, options: readonly string[]])[] = [
  ["redis-cli", ["-a"]],
  ["sshpass|mongosh?|mongodump|mongorestore|az", ["-p"]],
  ["zip|unzip|zipcloak|mosquitto_pub|mosquitto_sub", ["-P"]],
  ["ldap(?:search|modify|add|delete|passwd|whoami)", ["-w"]],
  ["keytool|jarsigner", ["-storepass", "-keypass"]],
  ["openssl", ["-passin", "-passout", "-pass", "-k", "-K"]],
  ["rclone", ["obscure"]],
  ["(?:docker|podman|nerdctl|buildah|skopeo|oras|helm\\s{1,3}registry)\\s{1,3}login", ["-p"]],
];
/** Programs, and their options that a secret follows without a space. */
const JOINED: readonly (readonly [program: string, options: readonly string[]])[] = [
  ["mysql\\w*|mariadb[\\w-]*|sshpass|7z[arz]?|rar|unrar", ["-p"]],
];

const next = NEXT.map(([program, options]) => ({ program: wholeName(program), options }));
const joined = JOINED.map(([program, options]) => ({ program: wholeName(program), options }));

/** Masks the secrets in the words of a command: also a word after an option that takes a secret. */
export function redactArgv(argv: readonly string[], redact: (text: string) => string): string[] {
  const program = /[^/]*$/.exec(argv[0] ?? "")![0];
  const named = argv.includes("login") ? `${program} login` : program;
  const ofNext = next.filter((entry) => entry.program.test(program) || entry.program.test(named))
    .flatMap(({ options }) => options);
  const ofJoined = joined.filter((entry) => entry.program.test(program)).flatMap(({ options }) => options);
  const sets = argv.includes("set");
  return argv.map((word, at) => {
    const before = argv[at - 1] ?? "";
    if (word === "") return word;
    if (SECRET_OPTION.test(before) || ofNext.includes(before)) return REDACTED;
    if (sets && SECRET_FIELD.test(before)) return REDACTED;
    if (program === "htpasswd" && at === argv.length - 1 && argv.some(isBatch)) return REDACTED;
    if (program === "curl" && before === "-b") return REDACTED;
    if (before === "-u" || before === "--user") return maskUser(word, ":");
    if (program === "smbclient" && before === "-U") return maskUser(word, "%");
    const option = ofJoined.find((option) => word.startsWith(option) && word.length > option.length);
    return option === undefined ? redact(word) : `${option}${REDACTED}`;
  });
}

/** The option of htpasswd by which the password is its last word. */
function isBatch(word: string): boolean {
  return /^-[a-zA-Z]*b/.test(word);
}

/** `name:password`; numbers are a user and a group. */
function maskUser(word: string, mark: string): string {
  const at = word.indexOf(mark);
  return at < 0 || /^\d*:\d*$/.test(word) ? word : `${word.slice(0, at + 1)}${REDACTED}`;
}

function wholeName(program: string): RegExp {
  return new RegExp(`^(?:${program})$`);
}

/** The other words of a command between its name and an option. */
const WORDS = "\\s(?:[^\\n;|&]{0,200}?\\s)?";

/** The same for a command in a text. */
export const COMMAND_SHAPES: readonly (readonly [RegExp, Replace])[] = [
  ...NEXT.map(([program, options]) => shape(`(?:${program})${WORDS}(?:${options.join("|")})[\\s=]{1,3}`)),
  ...JOINED.map(([program, options]) => shape(`(?:${program})${WORDS}(?:${options.join("|")})(?=[^\\s-])`)),
  shape("htpasswd\\s{1,3}-[a-zA-Z]*(?:n[a-zA-Z]*b|b[a-zA-Z]*n)[a-zA-Z]*\\s{1,3}[^\\s-]\\S*\\s{1,3}"),
  shape("htpasswd\\s{1,3}-(?![a-zA-Z]*n)[a-zA-Z]*b[a-zA-Z]*\\s{1,3}\\S+\\s{1,3}\\S+\\s{1,3}"),
  shape(`curl${WORDS}(?:-b|--cookie)[\\s=]{0,3}["']?[^\\s"'=/.]{1,64}=`),
  shape(`smbclient${WORDS}-U\\s{0,3}["']?[^\\s"'%]{1,64}%`),
  shape(`config(?:ure)?\\s{1,3}set\\s{1,3}\\S{0,200}?(?<![A-Za-z0-9])(?:${FIELD})\\s{1,3}(?!-)`, "gi"),
];

function shape(lead: string, flags = "g"): readonly [RegExp, Replace] {
  return [new RegExp(`(?<![\\w-])(${lead}["']?)[^\\s"']+`, flags), afterLead];
}
