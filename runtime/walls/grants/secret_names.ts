// Names of files and folders that hold secrets: a public set of rules, and what it lacks. Names are compared without case:
// some file systems do that.

import PUBLIC_RULES from "./secret_names.json" with { type: "json" };

/** Folders in which everything is a secret. */
const FOLDERS = new Set([
  ...[
    ".ssh",
    ".aws",
    ".gnupg",
    ".kube",
    ".azure",
    ".oci",
    ".password-store",
    ".electrum",
    ".bitcoin",
    ".ethereum",
  ],
]);
const FILES = new Set([
  ...PUBLIC_RULES.names.map((name) => name.toLowerCase()),
  // Logins of services and of their programs.
  ...[
    ".git-credentials",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".vault-token",
    ".dockercfg",
    ".dockerconfigjson",
  ],
  ...[
    ".boto",
    ".terraformrc",
    ".databrickscfg",
    ".claude.json",
    "oauth_creds.json",
    "rclone.conf",
    "kubeconfig",
  ],
  ...[".msmtprc", ".fetchmailrc", ".offlineimaprc", ".smbcredentials", "wallet.dat"],
  // Passwords of databases and servers.
  ...[".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".rhosts"],
  // Keys, and the list of the hosts that they open.
  ...[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "known_hosts",
    "authorized_keys",
  ],
]);
/** Files and folders that hold secrets in such a folder only. */
const PAIRS = new Set([
  ...[".docker/config.json", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials"],
  ...[
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/rclone",
    ".config/op",
    ".config/doctl",
    ".config/heroku",
  ],
  ...[".codex/auth.json", ".claude/.credentials.json", ".gemini/oauth_creds.json", ".composer/auth.json"],
  ...[".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".fly/config.yml"],
  ...[".terraform.d/credentials.tfrc.json", "keyrings/login.keyring", "share/keyrings", "share/kwalletd"],
]);
/** What Python and curl call the list of public certificates that they bring along, and a list of names only. */
const PUBLIC_FILES = new Set([".env.example", "cacert.pem"]);
const ENDINGS = [
  ...PUBLIC_RULES.endings.filter((ending) => ending !== "asc"),
  ...["key", "jks", "keystore", "kdbx", "p8", "keychain-db", "kubeconfig"],
].map((ending) => `.${ending}`);

const SERIAL = "(?:ya?ml|json|toml|ini|properties|env|xml|csv|conf|cfg)";
const PATTERNS = [
  ...PUBLIC_RULES.namePatterns.map((pattern) => new RegExp(pattern)),
  ...PUBLIC_RULES.endingPatterns.map((pattern) => new RegExp(`\\.(?:${pattern.slice(1, -1)})$`)),
  // Shells and consoles keep what was typed.
  /^\.[\w-]*history$/,
  new RegExp(`^(?:[\\w.-]*[._-])?(?:secrets?|credentials?)\\.${SERIAL}$`),
  /^(?:[\w.-]*[._-])?(?:service[._-]?account|client[._-]secrets?)(?:[._-][\w.-]*)?\.json$/,
  /\.tfstate(?:\.[\w.-]+)?$/,
  /\.tfvars(?:\.json)?$/,
  // `prod.env`; what an example shows is not in use.
  /^(?!(?:.*[._-])?(?:example|sample|template)\.env$).+\.env$/,
  // With one more ending, it is the signature of another file.
  /^[^.]+\.asc$/,
];
const PATHS = PUBLIC_RULES.pathPatterns.map((pattern) => new RegExp(`(?:^|/)${pattern.replace(/^\^/, "")}`));

/** Every name of a secret starts with a dot, or has one of these in it. */
const HINT = new RegExp(
  [
    ...[
      "netrc",
      "id_",
      "known_hosts",
      "authorized_keys",
      "config\\.",
      "gcloud",
      "gh",
      "hub",
      "rclone",
      "op",
      "doctl",
    ],
    ...[
      "heroku",
      "credential",
      "secret",
      "oauth",
      "auth\\.json",
      "settings",
      "gradle\\.",
      "keyring",
      "kwallet",
      "pgpass",
    ],
    ...[
      "_[rd]sa",
      "_ed25519",
      "_ecdsa",
      "history",
      "tfstate",
      "tfvars",
      "\\.env",
      "\\.asc",
      "private_key",
      "jenkins",
    ],
    ...[
      "service",
      "wallet",
      "kubeconfig",
      "accounts\\.xml",
      "keys\\.db",
      "dbeaver",
      "s3cfg",
      "htpasswd",
      "\\.keypair",
    ],
    ...ENDINGS.map((ending) => `\\${ending}`),
  ].join("|"),
  "i",
);
/** What editors and people add to the name of a copy. */
const COPY_MARKS = [
  /^\.(.+)\.sw[a-p]$/,
  /^#(.+)#$/,
  /^\.#(.+)$/,
  /^(.+?)(?:[~\s\p{Cc}]+|\.~\d+~|[._ -](?:bak|old|orig|save[d]?|backup|copy|tmp|disabled)\d*|\.\d+| \(\d+\))$/u,
];

/** No file system has longer ones, in characters. */
const LONGEST_NAME = 255;

/** Names in the root of a granted folder that a box masks, because they may exist there. */
export const SECRET_NAMES: readonly string[] = [...FOLDERS, ...FILES, ...PAIRS];

/** All that {@linkcode isSecretName} decides by: what was decided by other rules does not hold. */
export const NAME_RULES: string = [
  ...SECRET_NAMES,
  ...PUBLIC_FILES,
  ...ENDINGS,
  ...PATTERNS,
  ...PATHS,
  ...COPY_MARKS,
].join(" ");

/** Says whether the name of a file or a folder is one of a secret, or of a copy of a secret. */
export function isSecretName(name: string, folder: string): boolean {
  // Walks ask this for every file, so the common case is fast.
  if (name.length > LONGEST_NAME || (!name.startsWith(".") && !HINT.test(name))) return false;
  const within = folder.toLowerCase();
  for (let at: string | null = name.toLowerCase(); at !== null; at = original(at)) {
    if (PUBLIC_FILES.has(at) || at === "history") return false;
    if (isOne(at, within)) return true;
  }
  return false;
}

/** All patterns in one: to make many takes longer than to ask them. */
let joined: RegExp | undefined;

function anyPattern(): RegExp {
  return joined ??= new RegExp(PATTERNS.map(({ source }) => source).join("|"));
}

function isOne(name: string, folder: string): boolean {
  if (name.startsWith(".env") || FILES.has(name) || FOLDERS.has(name)) return true;
  if (ENDINGS.some((ending) => name.endsWith(ending)) || anyPattern().test(name)) {
    return true;
  }
  const pair = `${folder}/${name}`;
  return PAIRS.has(pair) || PATHS.some((pattern) => pattern.test(pair));
}

/** Returns the name of which this is a copy, `null` if it is no copy. */
function original(name: string): string | null {
  for (const mark of COPY_MARKS) {
    const found = mark.exec(name)?.[1];
    if (found !== undefined && found !== "") return found;
  }
  return null;
}
