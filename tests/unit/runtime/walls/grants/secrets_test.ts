import { assertEquals } from "@std/assert";

import { isInside } from "../../../../../runtime/walls/grants/inside.ts";
import { isProtected } from "../../../../../runtime/walls/grants/protected_paths.ts";
import { SECRET_NAMES } from "../../../../../runtime/walls/grants/secret_names.ts";
import { isKernelFolder, isSecret, isSecretEntry } from "../../../../../runtime/walls/grants/secret_paths.ts";
import { listed } from "../../../../support/listed.ts";

const PURE = { permissions: "none" } as const;

const SECRET = listed(
  "/ws/.env, /ws/.env.local, /ws/.ENV, /ws/.envrc, /ws/a/.ssh/config, /ws/.aws/credentials",
  "/ws/server.pem, /ws/deep/er/id_ed25519, /ws/.docker/config.json, /ws/.config/gcloud/token.db",
  "/ws/.netrc, /proc/self/environ, /sys/kernel, /dev/sda",
);
const HARMLESS = listed(
  "/ws/.env.example, /ws/credentials, /ws/config.json, /ws/environment.ts, /ws/.config/app/settings.json",
  "/ws/monkey.txt, /ws/process/x, /dev/shm/ws/a.txt",
);

Deno.test("isSecret() knows secrets by name at any depth", PURE, () => {
  for (const path of SECRET) assertEquals(isSecret(path, "/ws"), true, path);
  for (const path of HARMLESS) assertEquals(isSecret(path, "/ws"), false, path);
});

Deno.test("isKernelFolder() names the kernel's folders alone", PURE, () => {
  for (const path of ["/proc", "/sys", "/dev"]) assertEquals(isKernelFolder(path), true, path);
  for (const path of ["/ws/proc", "/home", "/dev.md"]) assertEquals(isKernelFolder(path), false, path);
});

Deno.test("isSecret() does not hold the workspace's own name against it", PURE, () => {
  assertEquals(isSecret("/home/u/.kube/project/a.yaml", "/home/u/.kube/project"), false);
  assertEquals(isSecret("/home/u/.kube/other/a.yaml", "/home/u/.kube/project"), true);
});

Deno.test("isProtected() covers what other programs execute", PURE, () => {
  const yes = listed(
    "/ws/.git/hooks/pre-commit, /ws/.git/config, /ws/sub/.git/hooks, /ws/.git",
    "/ws/.git/modules/x/hooks/post-checkout, /ws/.vscode/tasks.json, /ws/.mcp.json, /ws/.envrc",
    "/ws/bulkhead.json, /ws/.bulkhead/config.json, /ws/.git/commondir, /ws/.git/gitdir",
    "/ws/.git/rebase-merge/git-rebase-todo, /ws/.git/modules/a/b/commondir",
    "/ws/.git/worktrees/w/info/attributes, /ws/.bash_login, /ws/.zlogin, /ws/.tcshrc",
    "/ws/.config/fish/config.fish, /ws/.config/git/config",
  );
  const no = listed(
    "/ws/.git/description, /ws/.git/info/exclude, /ws/.git/COMMIT_EDITMSG, /ws/.config/app.json",
    "/ws/git/hooks/x, /ws/.gitignore, /ws/mcp.json, /ws/src/.vscodex",
  );
  for (const path of yes) assertEquals(isProtected(path), true, path);
  for (const path of no) assertEquals(isProtected(path), false, path);
});

Deno.test("isInside() compares whole segments", PURE, () => {
  assertEquals(isInside("/r/proj", "/r/proj-evil/x"), false);
  assertEquals(isInside("/r/proj", "/r/proj/x"), true);
  assertEquals(isInside("/r/proj", "/r/proj"), true);
  assertEquals(isInside("/", "/anything"), true);
});

const SECRET_NAMES_HERE = listed(
  "credentials.json, aws-credentials.csv, credentials.xml, secrets.yml, app-secrets.toml, secret.yaml",
  "service-account.json, my_service_account_key.json, client_secret_12.json, prod.env, api.prod.env",
  "terraform.tfstate, terraform.tfstate.backup, a.tfvars, a.auto.tfvars.json, rclone.conf, wallet.dat",
  "AuthKey.p8, private.asc, office.ovpn, vault.kdb, login.keychain-db, deploy_rsa, deploy_ed25519",
  "deploy_ecdsa, id_ecdsa_sk, .bash_history, .python_history, .node_repl_history, .mysql_history",
  "zsh_history, .s3cfg, .boto, .claude.json, .dockercfg, .terraformrc, secret_token.rb, otr.private_key",
  "x.keypair, x.keyring, .codex/auth.json, .gemini/oauth_creds.json, .gradle/gradle.properties",
  ".m2/settings.xml, .config/rclone, .composer/auth.json, .purple/accounts.xml, share/keyrings",
);
const COPIES = [
  ...listed(
    "id_rsa.bak, id_rsa~, .npmrc~, .npmrc.orig, .id_rsa.swp, #secrets.yml#, .#secrets.yml, .env.bak2",
    "server.pem.old, server.key.1, server.key.~1~, server.key (2), server.key.bak.old, ID_RSA.BAK",
    "credentials.json.save, .docker/config.json.bak",
  ),
  "x.key\n",
  "x.key  ",
];
const HARMLESS_NAMES = listed(
  "secrets.py, secret.go, credentials.ts, credentials, secretary.yaml, history, history.ts, HISTORY.md",
  "example.env, sample.env, .env.example, environment.ts, service.ts, service-account.ts, auth.json",
  "settings.xml, gradle.properties, config.json, id_rsa.pub, release.tar.gz.asc, cacert.pem, monkey.txt",
  "schema.rb, settings.py, database.yml, debug.log, dump.sql, backup.sh, password.ts, src/gh, keys.db",
  "accounts.xml, readme.md~, main.tf, op",
);

Deno.test("isSecretEntry() knows the names of secrets by a public set of rules and its own", PURE, () => {
  for (const name of SECRET_NAMES_HERE) assertEquals([name, isSecretEntry(`/ws/${name}`)], [name, true]);
  for (const name of HARMLESS_NAMES) assertEquals([name, isSecretEntry(`/ws/${name}`)], [name, false]);
});

Deno.test("isSecretEntry() knows the copies that editors and people make of secrets", PURE, () => {
  for (const name of COPIES) assertEquals([name, isSecretEntry(`/ws/${name}`)], [name, true]);
  assertEquals(isSecretEntry(`/ws/id_rsa${".bak".repeat(60)}`), true);
  // No file has such a name, and it costs nothing to say so.
  assertEquals(isSecretEntry(`/ws/id_rsa${".bak".repeat(60_000)}`), false);
});

Deno.test("isSecretEntry() knows each listed name, so none lacks what is looked for first", () => {
  assertEquals(SECRET_NAMES.filter((name) => !isSecretEntry(`/ws/${name}`)), []);
});
