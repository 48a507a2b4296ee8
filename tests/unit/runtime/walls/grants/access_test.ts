import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { isInCopy, refusalError, refusePath } from "../../../../../runtime/walls/grants/path_access.ts";
import {
  decide,
  judge,
  matchesPattern,
  withDefaults,
} from "../../../../../runtime/walls/grants/permission.ts";
import { isProtected } from "../../../../../runtime/walls/grants/protected_paths.ts";
import { SECRET_NAMES } from "../../../../../runtime/walls/grants/secret_names.ts";
import { isSecret, isSecretEntry } from "../../../../../runtime/walls/grants/secret_paths.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";
import type { Permission, PermissionPredicate, Verdict } from "../../../../../schemas/permission.ts";
import { listed } from "../../../../support/listed.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";
import { fileGrants } from "../../../../support/walls/file_grants.ts";

const MUST = 'it must give true, false, "allow", "confirm" or "deny"';

const PATTERNS: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
  ["src/*", "src/a.ts", true],
  ["src/*", "src/", true],
  ["src/*", "lib/src/a.ts", false],
  ["*.ts", "a.ts", true],
  ["*.ts", "a.ts.bak", false],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["a", "a", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*bc*bc", "abc", false],
  ["**", "x", true],
  ["a.c", "abc", false],
  ["[ab]+", "ab", false],
  ["*é*", "café!", true],
  ["git *", "git\npush", false],
  ["git*push", "git\npush", true],
];

Deno.test("matchesPattern() takes `*` for any text and everything else as it stands", () => {
  for (const [pattern, text, matches] of PATTERNS) {
    assertEquals(matchesPattern(pattern, text), matches, `${pattern} ${JSON.stringify(text)}`);
  }
});

Deno.test("matchesPattern() comes to an end with hostile patterns", () => {
  assertEquals(matchesPattern(`${"*a".repeat(200)}*b`, "a".repeat(100_000)), false);
});

const when = (patterns: Record<string, string | string[]>, rest: object = {}): Permission => ({
  when: patterns,
  ...rest,
});

const ASKED = { then: "confirm", otherwise: "allow" };
const DECISIONS: readonly (readonly [Permission, input: unknown, role: string | null, Verdict])[] = [
  ["allow", {}, null, "allow"],
  ["confirm", {}, null, "confirm"],
  ["deny", {}, "admin", "deny"],
  [{ roles: ["admin", "ops"] }, {}, "ops", "allow"],
  [{ roles: ["admin"] }, {}, "guest", "deny"],
  [{ roles: ["admin"] }, {}, null, "deny"],
  [{ roles: [] }, {}, "", "deny"],
  [{ roles: ["admin"], otherwise: "confirm" }, {}, null, "confirm"],
  [when({ path: "src/*" }), { path: "src/a" }, null, "allow"],
  [when({ path: "src/*" }), { path: "etc/a" }, null, "deny"],
  [when({ path: "*" }), {}, null, "deny"],
  [when({ path: "*" }), null, null, "deny"],
  [when({ path: "*" }), "src", null, "deny"],
  [when({}), {}, null, "allow"],
  [when({ path: ["a", "b*"] }), { path: "bc" }, null, "allow"],
  [when({ path: [] }), { path: "" }, null, "deny"],
  [when({ path: "a", mode: "r" }), { path: "a", mode: "w" }, null, "deny"],
  [when({ command: "*rm *" }, ASKED), { command: "rm -r x" }, null, "confirm"],
  [when({ command: "*rm *" }, ASKED), { command: "ls" }, null, "allow"],
  [when({ count: "5" }), { count: 5 }, null, "allow"],
  [when({ force: "true" }), { force: true }, null, "allow"],
  [when({ value: "null" }), { value: null }, null, "allow"],
  [when({ list: '["a",*' }), { list: ["a", "b"] }, null, "allow"],
  [when({ "edits.0.old": "x*" }), { edits: [{ old: "xy" }] }, null, "allow"],
  [when({ "edits.1.old": "x*" }), { edits: [{ old: "xy" }] }, null, "deny"],
  [when({ "a.b": "dot" }), { "a.b": "dot", a: { b: "nested" } }, null, "allow"],
  [when({ toString: "*" }), {}, null, "deny"],
  [when({ "path.length": "*" }), { path: "abc" }, null, "deny"],
];

Deno.test("decide() knows verdicts, roles and conditions", () => {
  for (const [permission, input, role, verdict] of DECISIONS) {
    assertEquals(decide(permission, { input, role }), verdict, JSON.stringify([permission, input, role]));
  }
});

const call = { tool: "test/x", input: { path: "a" }, role: null };

Deno.test("decide() looks at every place that a path may lead to before it allows, and at any before it refuses", () => {
  const forms = (targets: string[][], spelled: string[] = []) => ({ real: [], targets, spelled });
  const told = (when: Permission, path: ReturnType<typeof forms>) =>
    decide(when, { input: { path: "x" }, role: null, paths: new Map([["path", path]]) });
  const allows: Permission = { when: { path: "src/*" } };
  const refuses: Permission = { when: { path: "src/*" }, then: "deny", otherwise: "allow" };
  const inside = ["src/a", "/ws/src/a"];
  assertEquals([told(allows, forms([inside])), told(refuses, forms([inside]))], ["allow", "deny"]);
  const either = forms([inside, ["/etc/a"]]);
  assertEquals([told(allows, either), told(refuses, either)], ["deny", "deny"]);
  // A link that stands there and leads away, and links in a circle.
  const link = forms([["/etc/a"]], ["src/link", "/ws/src/link"]);
  assertEquals([told(allows, link), told(refuses, link)], ["deny", "deny"]);
  assertEquals([told(allows, forms([])), told(refuses, forms([]))], ["deny", "allow"]);
  const composed: Permission = { when: { path: "caf\u00e9" }, then: "deny", otherwise: "allow" };
  assertEquals(told(composed, forms([["cafe\u0301"]])), "deny");
});

Deno.test("judge() lets the strictest of several permissions count", async () => {
  const table: readonly (readonly [Permission[], Verdict, string])[] = [
    [[], "allow", ""],
    [["allow", "confirm"], "confirm", 'its permission is "confirm"'],
    [["deny", "confirm"], "deny", 'its permission is "deny"'],
    [[when({ path: "a" }), { roles: ["ops"] }], "deny", "it is for the roles ops, and no role was given"],
    [[when({ path: "b", mode: "r" })], "deny", 'its permission depends on the arguments ("path", "mode")'],
  ];
  for (const [permissions, verdict, reason] of table) {
    const judged = await judge(permissions, call);
    assertEquals([judged.verdict, judged.reason], [verdict, reason]);
  }
});

Deno.test("judge() asks functions, and takes what they throw or make up for a refusal", async () => {
  const table: readonly (readonly [PermissionPredicate, Verdict, string])[] = [
    [() => true, "allow", ""],
    [() => false, "deny", "its permission refuses this call"],
    [() => Promise.resolve("confirm" as const), "confirm", "its permission asks for it"],
    [
      ({ tool, role, input }) => `${tool} ${role} ${Object.keys(input as object)}` === "test/x null path",
      "allow",
      "",
    ],
    [() => assert(false, "no database") as never, "deny", "its permission failed: no database"],
    [() => Promise.reject(new Error("late")), "deny", "its permission failed: late"],
    [(() => undefined) as never, "deny", `its permission failed: permissions gave nothing: ${MUST}`],
    [(() => "yes") as never, "deny", `its permission failed: permissions gave "yes": ${MUST}`],
  ];
  for (const [predicate, verdict, reason] of table) {
    const judged = await judge([predicate], call);
    assertEquals([judged.verdict, judged.reason], [verdict, reason]);
  }
});

Deno.test("judge() shows functions a copy", async () => {
  const input = { path: "a" };
  await judge([({ input }) => {
    (input as { path: string }).path = "changed";
    return true;
  }], { ...call, input });
  assertEquals(input.path, "a");
});

Deno.test("withDefaults() adds the defaults of absent arguments alone", () => {
  const entry = entryOf("test/x", {
    input_schema: {
      type: "object",
      properties: { path: { type: "string", default: "." }, n: { type: "number" } },
    },
  });
  assertEquals(withDefaults(entry, {}), { path: "." });
  assertEquals(withDefaults(entry, { path: "a", n: 1 }), { path: "a", n: 1 });
  assertEquals(withDefaults(entry, "text"), "text");
});

const PLAIN = fileGrants("/ws", { home: "/home/me", read: ["/ws", "/data"] });
const reasonOf = (kind: "read" | "write", path: string, more: Partial<FileGrants> = {}) =>
  refusePath(kind, path, { ...PLAIN, ...more })?.reason ?? null;

Deno.test("refusePath() keeps what is bulkhead's own, whatever is granted", { permissions: "none" }, () => {
  const own = { own: ["/ws/state"], artifacts: "/ws/state/artifacts", read: true, write: true } as const;
  const paths = ["/ws/state", "/ws/state/a", "/ws/state/artifacts/a"];
  assertEquals(paths.map((path) => reasonOf("read", path, own)), ["own", "own", null]);
  assertEquals(paths.map((path) => reasonOf("write", path, own)), ["own", "own", "own"]);
  assertEquals(reasonOf("write", "/ws/states", own), null);
});

Deno.test("refusePath() holds secrets for both kinds, and names all flags that are missing", {
  permissions: "none",
}, () => {
  assertEquals([reasonOf("read", "/ws/.env"), reasonOf("write", "/ws/.env")], ["secret", "secret"]);
  assertEquals(reasonOf("read", "/ws/.ssh/id", { secrets: ["/ws/.ssh"] }), null);
  assertEquals(refusePath("read", "/etc/.env", PLAIN)?.flags, [
    "--allow-read=/etc/.env",
    "--allow-secrets=/etc/.env",
  ]);
  assertEquals(refusePath("write", "/ws/.env", PLAIN)?.flags, ["--allow-secrets=/ws/.env"]);
});

Deno.test(
  "refusePath() lets what others execute be written by its name alone",
  { permissions: "none" },
  () => {
    const hook = "/ws/.git/hooks/x";
    assertEquals([reasonOf("read", hook), reasonOf("write", hook)], [null, "protected"]);
    const named = (...writeNamed: string[]) => reasonOf("write", hook, { writeNamed });
    assertEquals(named("/ws"), "protected");
    assertEquals(named("/"), "protected");
    assertEquals(named("/ws/.git/hooks"), null);
    assertEquals(named(hook), null);
    const executed = {
      executed: ["/ws/tools", "/ws/a.sh"],
      whyExecuted: { "/ws/tools": "a filter runs it" },
    };
    const tool = "/ws/tools/run";
    assertEquals([reasonOf("read", tool, executed), reasonOf("write", "/ws/b", executed)], [null, null]);
    const refusal = refusePath("write", tool, { ...PLAIN, ...executed });
    assertEquals(refusal?.reason, "protected");
    assertEquals(refusal?.why, "a filter runs it");
    assertEquals(refusal?.flags, ["--allow-write=/ws/tools/run"]);
    const given = (...writeNamed: string[]) => reasonOf("write", tool, { ...executed, writeNamed });
    assertEquals(given("/ws"), "protected");
    assertEquals(given("/ws/a.sh"), "protected");
    assertEquals(given("/ws/tools"), null);
    assertEquals(given(tool), null);
  },
);

Deno.test("refusePath() protects nothing in a copy of the workspace, and all beside it", {
  permissions: "none",
}, () => {
  const copy = { isCopy: true, write: ["/ws", "/data"], executed: ["/ws/run", "/data/run"] } as const;
  assertEquals([reasonOf("write", "/ws/.bashrc", copy), reasonOf("write", "/ws/run", copy)], [null, null]);
  assertEquals(reasonOf("write", "/data/.bashrc", copy), "protected");
  assertEquals(reasonOf("write", "/data/run", copy), "protected");
  assertEquals([reasonOf("write", "/ws/.env", copy), isInCopy("/ws/a", PLAIN)], ["secret", false]);
});

Deno.test("refusalError() advises a flag only where one helps", { permissions: "none" }, () => {
  const messageOf = (kind: "read" | "write", path: string, more: Partial<FileGrants> = {}) => {
    const grants = { ...PLAIN, ...more };
    const { message, details } = refusalError(refusePath(kind, path, grants)!, path, grants);
    return { message, flag: details.flag };
  };
  assertEquals(messageOf("read", "/etc/a"), {
    message:
      'Cannot read "/etc/a": it is outside the granted folders (/ws, /data), pass --allow-read=/etc/a to grant it',
    flag: "--allow-read=/etc/a",
  });
  assertEquals(messageOf("write", "/ws/a", { denyWrite: ["/ws/a"] }).flag, "--deny-write");
  const frozen = messageOf("write", "/ws/a", { denyWrite: ["/ws/a"], frozen: ["/ws/a"] });
  assertEquals(frozen, {
    message: 'Cannot write "/ws/a": this run of bulkhead keeps the file for itself',
    flag: undefined,
  });
  const own = messageOf("read", "/ws/s", { own: ["/ws/s"] });
  assertStringIncludes(own.message, "no flag opens it");
  assertEquals(own.flag, undefined);
});

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
