import { assert, assertEquals } from "@std/assert";

import {
  headerSecrets,
  makeRedactor,
  redactValue,
  secretValues,
} from "../../../../../runtime/text/secrets/redact.ts";

const redact = makeRedactor(["hunter2secret", "p@ss word!", "tiny"]);

/** A text and what is left of it; the same text where nothing is a secret. */
const TEXTS: readonly (readonly [text: string, masked?: string])[] = [
  ["a hunter2secret b", "a [redacted] b"],
  ["x=p%40ss%20word!&y", "x=[redacted]&y"],
  ["a tiny word"],
  ["key sk-proj-AbC1234567890abcdefgh end", "key [redacted] end"],
  ["sk-abcdefghijklmnopqrst", "[redacted]"],
  ["pip install sk-learn-contrib-foo-bar"],
  ["task-force-one-two-three-four"],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"],
  ["github_pat_11ABCDEFG0abcdefghijkl_mnop", "[redacted]"],
  ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
  ["xoxb-1234-5678-abcdef", "[redacted]"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "[redacted]"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\ntail", "[redacted]\ntail"],
  ["-----BEGIN PRIVATE KEY-----\nabc\ndef", "[redacted]"],
  ["-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----"],
  [
    "curl -H 'Authorization: Bearer abc123' https://x",
    "curl -H 'Authorization: Bearer [redacted]' https://x",
  ],
  ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"],
  ["Bearer abcdef1234567890", "Bearer [redacted]"],
  ["the bearer authentication scheme"],
  ["git clone https://user:pa55@github.com/x", "git clone https://user:[redacted]@github.com/x"],
  ["postgres://me:se%40cret@db:5432/x", "postgres://me:[redacted]@db:5432/x"],
  ["https://abcdef0123456789@sentry.io/1", "https://[redacted]@sentry.io/1"],
  ["ssh://git@github.com/x"],
  ["git@github.com:a/b.git"],
  ["http://localhost:8080/a@b"],
  ["mysql --password=abc -u root", "mysql --password=[redacted] -u root"],
  ["mysql -phunter2 db", "mysql -p[redacted] db"],
  ["docker login -u me -p hunter2 r.io && ls -p x", "docker login -u me -p [redacted] r.io && ls -p x"],
  ["docker run -p 8080:80 login"],
  ["redis-cli -h db -a hunter2 get x", "redis-cli -h db -a [redacted] get x"],
  ["curl -H 'Cookie: sid=abc123; b=2' https://x", "curl -H 'Cookie: [redacted]' https://x"],
  ["curl -s -b sid=abc123 https://x", "curl -s -b sid=[redacted] https://x"],
  ["curl -b cookies.txt https://x"],
  ["deploy --token abc123 --verbose", "deploy --token [redacted] --verbose"],
  ["deploy --token --verbose"],
  ["pass --allow-secrets=/data/.env,config/key.pem to grant it"],
  ["--allow-secrets=/data/sk-proj-AbC1234567890abcdefgh", "--allow-secrets=/data/[redacted]"],
  ["curl -u bob:secretpw https://x", "curl -u bob:[redacted] https://x"],
  ["docker run -u 1000:1000 x"],
  ["password=hunter2", "password=[redacted]"],
  ["API_KEY=abcd1234 make", "API_KEY=[redacted] make"],
  ["PGPASSWORD=foo123 psql", "PGPASSWORD=[redacted] psql"],
  ["export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "export AWS_SECRET_ACCESS_KEY=[redacted]"],
  ["DB_PASSWORD='my pass word'", "DB_PASSWORD='[redacted]'"],
  ['{"password":"letmein99","user":"bob"}', '{"password":"[redacted]","user":"bob"}'],
  ["accessToken: abcdef12345", "accessToken: [redacted]"],
  ["https://a.b/c?token=abcdef12&x=1", "https://a.b/c?token=[redacted]&x=1"],
  ["password: string;"],
  ["const token = line.trim()"],
  ["if (token === null)"],
  ["max_tokens: 100000"],
  ["keyboard=qwerty bypass=truely author: Someone"],
  ["cat /etc/passwd"],
  ["grep -r password src"],
  ["pass: 10, fail: 2"],
  ["git commit -m 'fix token parsing'"],
];

Deno.test("makeRedactor() masks secrets and leaves words alone", () => {
  for (const [text, masked = text] of TEXTS) assertEquals(redact(text), masked, text);
});

Deno.test("makeRedactor() gives the same for what is masked already", () => {
  for (const [text] of TEXTS) assertEquals(redact(redact(text)), redact(text), text);
});

Deno.test("makeRedactor() takes time linear in the length of hostile texts", () => {
  const texts = [
    "a".repeat(1_000_000),
    "eyJaaaaaaaaa-".repeat(80_000),
    "sk-".repeat(300_000),
    "-----BEGIN PRIVATE KEY-----".repeat(30_000),
    "a://b:".repeat(150_000),
    "a_".repeat(500_000),
    'password="'.repeat(100_000),
    "authorization: ".repeat(60_000),
    "-u ".repeat(300_000),
    "docker login ".repeat(100_000),
    "curl -b ".repeat(100_000),
    "cookie:".repeat(100_000),
    "mysql -u x ".repeat(90_000),
    "adobe facebook twitter ".repeat(40_000),
    "openssl -k htpasswd -b ".repeat(40_000),
    `token='${"x".repeat(1_000_000)}`,
  ];
  for (const text of texts) {
    const started = performance.now();
    redact(text);
    assert(performance.now() - started < 20_000, text.slice(0, 20));
  }
});

Deno.test("redactValue() looks into every field, and masks those that are named like a secret", () => {
  assertEquals(
    redactValue({
      apiKey: "x",
      api_key: "abc",
      token: "aaaa",
      empty: { token: "" },
      path: "a hunter2secret",
      list: [{ password: "p" }, "hunter2secret", 5, null],
      secrets: ["a", { b: "c", size: 2 }],
      key: "name",
      max_tokens: 5,
      passport: "long value",
      argv: ["deploy", "--token", "abc"],
    }, redact),
    {
      apiKey: "[redacted]",
      api_key: "[redacted]",
      token: "[redacted]",
      empty: { token: "" },
      path: "a [redacted]",
      list: [{ password: "[redacted]" }, "[redacted]", 5, null],
      secrets: ["[redacted]", { b: "[redacted]", size: 2 }],
      key: "name",
      max_tokens: 5,
      passport: "long value",
      argv: ["deploy", "--token", "[redacted]"],
    },
  );
});

Deno.test("headerSecrets() picks what headers hold, except what is never secret", () => {
  const headers = { Authorization: "Bearer abc123def", "x-team": "blue-team", "HTTP-Referer": "https://me" };
  assertEquals(headerSecrets(headers), ["Bearer abc123def", "abc123def", "blue-team", "blue-team"]);
});

Deno.test("secretValues() picks secrets by their variables' names and from URLs", () => {
  const secrets = secretValues({
    API_TOKEN: "abcdef",
    OPENAI_API_KEY: "sk-aaabbb111222333",
    DATABASE_URL: "postgres://u:p%40ss12@h/d",
    DB_PASSWORD: "letmein",
    MAPS_API_KEY: "canary-value",
    LICENSE_KEY: "AB-12-CD",
    PGPASSWORD: "foobar1",
    SHORT_TOKEN: "abc",
    SENTRY_DSN: "https://0123456789abcdef0123@sentry.io/1",
    SSH_AUTH_SOCK: "/tmp/ssh-1/agent.1",
    GOOGLE_APPLICATION_CREDENTIALS: "/home/u/key.json",
    XDG_SESSION_TYPE: "wayland",
    XDG_SESSION_ID: "c2",
    DESKTOP_SESSION: "gnome-xorg",
    PWD: "/home/x/y",
    KEYBOARD: "us-international-9",
    MONKEY: "a1b2c3d4e5f6g7",
    USE_AUTH: "enabled",
  });
  assertEquals(secrets, [
    "abcdef",
    "sk-aaabbb111222333",
    "p%40ss12",
    "p@ss12",
    "letmein",
    "canary-value",
    "AB-12-CD",
    "foobar1",
    "https://0123456789abcdef0123@sentry.io/1",
    "0123456789abcdef0123",
  ]);
});
