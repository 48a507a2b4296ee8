import { assertEquals } from "@std/assert";

import { type AttackCall, attackTests, bash, sampled, SECRET } from "./attack.ts";

/** Names that secrets have, beside those that every tool knows: by the case's number. */
const NAMES = [
  ...["credentials.json", "aws-credentials.csv", "secrets.yml", "app-secrets.toml", "service-account.json"],
  ...["client_secret_1.json", "prod.env", "terraform.tfstate", "terraform.tfstate.backup", "live.tfvars"],
  ...["rclone.conf", "wallet.dat", "AuthKey_1.p8", "private.asc", "office.ovpn", "vault.kdbx", "deploy_rsa"],
  ...["id_ecdsa_sk", ".bash_history", ".python_history", ".mysql_history", ".s3cfg", ".boto", ".claude.json"],
  ...[".codex/auth.json", ".gemini/oauth_creds.json", ".gradle/gradle.properties", ".m2/settings.xml"],
  ...[
    "id_rsa.bak",
    ".npmrc~",
    ".id_rsa.swp",
    "#secrets.yml#",
    "server.key.1",
    "prod.env.old",
    "a.pem (2)",
    "x.key\n",
  ],
  ...["CREDENTIALS.JSON", "Prod.Env", ".config/gh/hosts.yml", ".aws/credentials"],
];

/** What makes a folder a repository. */
const REPOSITORY = {
  "ws/sub/.git/HEAD": "ref: refs/heads/main\n",
  "ws/sub/.git/objects/a": "",
  "ws/sub/.git/refs/a": "",
  "ws/sub/.git/config": "[core]\n\tbare = false\n",
};
/** Settings of git that log in somewhere. */
const LOGINS: Readonly<Record<string, { path?: string; text: string }>> = {
  "a password": { text: `[remote "origin"]\n\turl = https://me:${SECRET}@git.test/a.git\n` },
  "a password without a name": { text: `[remote "origin"]\n\turl = https://:${SECRET}@git.test/a.git\n` },
  "a token in the place of a name": {
    text: `[remote "origin"]\n\tpushurl = "https://abc123${SECRET}@git.test/a.git"\n`,
  },
  "a header": { text: `[http "https://git.test/"]\n\textraHeader = Authorization: Basic ${SECRET}\n` },
  "a proxy": { text: `[http]\n\tproxy = http://me:${SECRET}@proxy.test:3128\n` },
  "a replaced address": { text: `[url "https://me:${SECRET}@git.test/"]\n\tinsteadOf = https://git.test/\n` },
  "those of a submodule": {
    path: ".git/modules/m/config",
    text: `[remote "origin"]\n\turl = https://me:${SECRET}@git.test/m.git\n`,
  },
  "those of a worktree": {
    path: ".git/config.worktree",
    text: `[remote "origin"]\n\turl = https://me:${SECRET}@git.test/m.git\n`,
  },
};

/** What a program may do with secrets, which begin below `deep`. */
const READING = [
  "cd deep/er && cat .env; cd -; tar -cf - deep | strings",
  "cp deep/er/.env copy && cat copy; ln deep/er/.env hard && cat hard; ln -s deep/er/.env soft && cat soft",
  "mv deep moved; cat moved/er/.env moved/server.pem moved/.ssh/id_rsa; mv moved/er/.env plain; cat plain",
  "git add -f moved && git diff --cached; cat /proc/self/cwd/moved/er/.env; find . -type f -exec cat {} +",
].join("\n");

attackTests(10, [
  ...sampled(NAMES.map((name, at) => ({
    id: `10-${String(at + 1).padStart(2, "0")}`,
    title: `a secret named ${JSON.stringify(name)}`,
    files: { [`ws/sub/${name}`]: `key=${SECRET}` },
    calls: reading(`sub/${name}`),
  }))),
  ...Object.entries(LOGINS).map(([title, { path = ".git/config", text }], at) => ({
    id: `10-${61 + at}`,
    title: `in settings of git: ${title}`,
    files: { ...REPOSITORY, [`ws/sub/${path}`]: text },
    calls: reading(`sub/${path}`),
  })),
  {
    id: "10-81",
    title: "by copies, links, moves and archives of a program",
    files: {
      ...REPOSITORY,
      "ws/sub/deep/er/.env": `${SECRET}\n`,
      "ws/sub/deep/server.pem": `${SECRET}\n`,
      "ws/sub/deep/.ssh/id_rsa": `${SECRET}\n`,
      "ws/sub/read": READING,
    },
    calls: [
      bash("cd sub; bash read > said 2>&1; cat said"),
      { tool: "par/read", arguments: { path: "<at>/sub/moved/er/.env" } },
      bash("cd sub; find . -type f -exec cat {} +; cat plain"),
    ],
    after: `test $(grep -rl ${SECRET} sub | wc -l) = 3`,
  },
  {
    id: "10-90",
    title: "a secret of the environment, encoded, in the audit",
    alone: true,
    env: { DEPLOY_TOKEN: SECRET },
    flags: ["--audit=<ws>/audit.jsonl"],
    calls: encoded().map((form) => bash(`echo ${form}`)),
    after: ({ ws }) => {
      const audit = Deno.readTextFileSync(`${ws}/audit.jsonl`);
      assertEquals(encoded().filter((form) => audit.includes(form.slice(8, -8))), []);
      assertEquals(audit.includes("[redacted]"), true);
    },
  },
]);

/** Tries to read a file of the case in every way that tools have. */
function reading(path: string): AttackCall[] {
  const at = `<at>/${path}`;
  return [
    { tool: "Read", arguments: { path: at }, refusal: "permission_denied" },
    { tool: "par/read", arguments: { path: at }, refusal: "permission_denied" },
    { tool: "Grep", arguments: { pattern: "hunter2", path: "<at>" } },
    bash(`cat '${path}'; grep -r hunter2 .; cp -r sub other && cat other/* other/.*`),
  ];
}

/** The secret as a program may write it. */
function encoded(): string[] {
  const hex = [...new TextEncoder().encode(SECRET)].map((byte) => byte.toString(16));
  return [
    btoa(SECRET),
    btoa(`k:${SECRET}`),
    hex.join(""),
    hex.map((digits) => `%${digits}`).join(""),
    [...SECRET].reverse().join(""),
  ];
}
