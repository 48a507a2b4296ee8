import { assertEquals } from "@std/assert";

import { SECRET_NAMES } from "../../../../../runtime/walls/grants/secret_names.ts";
import { isSecretEntry } from "../../../../../runtime/walls/grants/secret_paths.ts";

const SECRET = [
  ...[
    "credentials.json",
    "aws-credentials.csv",
    "credentials.xml",
    "secrets.yml",
    "app-secrets.toml",
    "secret.yaml",
  ],
  ...[
    "service-account.json",
    "my_service_account_key.json",
    "client_secret_12.json",
    "prod.env",
    "api.prod.env",
  ],
  ...[
    "terraform.tfstate",
    "terraform.tfstate.backup",
    "a.tfvars",
    "a.auto.tfvars.json",
    "rclone.conf",
    "wallet.dat",
  ],
  ...[
    "AuthKey.p8",
    "private.asc",
    "office.ovpn",
    "vault.kdb",
    "login.keychain-db",
    "deploy_rsa",
    "deploy_ed25519",
    "deploy_ecdsa",
    "id_ecdsa_sk",
  ],
  ...[
    ".bash_history",
    ".python_history",
    ".node_repl_history",
    ".mysql_history",
    "zsh_history",
    ".s3cfg",
    ".boto",
  ],
  ...[
    ".claude.json",
    ".dockercfg",
    ".terraformrc",
    "secret_token.rb",
    "otr.private_key",
    "x.keypair",
    "x.keyring",
  ],
  ...[".codex/auth.json", ".gemini/oauth_creds.json", ".gradle/gradle.properties", ".m2/settings.xml"],
  ...[".config/rclone", ".composer/auth.json", ".purple/accounts.xml", "share/keyrings"],
];
const COPIES = [
  ...[
    "id_rsa.bak",
    "id_rsa~",
    ".npmrc~",
    ".npmrc.orig",
    ".id_rsa.swp",
    "#secrets.yml#",
    ".#secrets.yml",
    ".env.bak2",
  ],
  ...[
    "server.pem.old",
    "server.key.1",
    "server.key.~1~",
    "server.key (2)",
    "server.key.bak.old",
    "x.key\n",
    "x.key  ",
  ],
  ...["ID_RSA.BAK", "credentials.json.save", ".docker/config.json.bak"],
];
const HARMLESS = [
  ...[
    "secrets.py",
    "secret.go",
    "credentials.ts",
    "credentials",
    "secretary.yaml",
    "history",
    "history.ts",
    "HISTORY.md",
  ],
  ...[
    "example.env",
    "sample.env",
    ".env.example",
    "environment.ts",
    "service.ts",
    "service-account.ts",
    "auth.json",
  ],
  ...[
    "settings.xml",
    "gradle.properties",
    "config.json",
    "id_rsa.pub",
    "release.tar.gz.asc",
    "cacert.pem",
    "monkey.txt",
  ],
  ...[
    "schema.rb",
    "settings.py",
    "database.yml",
    "debug.log",
    "dump.sql",
    "backup.sh",
    "password.ts",
    "src/gh",
  ],
  ...["keys.db", "accounts.xml", "readme.md~", "main.tf", "op"],
];

Deno.test("isSecretEntry() knows the names of secrets by a public set of rules and its own", {
  permissions: "none",
}, () => {
  for (const name of SECRET) assertEquals([name, isSecretEntry(`/ws/${name}`)], [name, true]);
  for (const name of HARMLESS) assertEquals([name, isSecretEntry(`/ws/${name}`)], [name, false]);
});

Deno.test(
  "isSecretEntry() knows the copies that editors and people make of secrets",
  { permissions: "none" },
  () => {
    for (const name of COPIES) assertEquals([name, isSecretEntry(`/ws/${name}`)], [name, true]);
    assertEquals(isSecretEntry(`/ws/id_rsa${".bak".repeat(60)}`), true);
    // No file has such a name, and it costs nothing to say so.
    assertEquals(isSecretEntry(`/ws/id_rsa${".bak".repeat(60_000)}`), false);
  },
);

Deno.test("isSecretEntry() knows each listed name, so none lacks what is looked for first", () => {
  assertEquals(SECRET_NAMES.filter((name) => !isSecretEntry(`/ws/${name}`)), []);
});
