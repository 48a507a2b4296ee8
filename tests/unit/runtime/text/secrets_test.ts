import { assert, assertEquals } from "@std/assert";

import { redactArgv } from "../../../../runtime/text/secrets/command_secrets.ts";
import {
  givenSecrets,
  headerSecrets,
  makeMasker,
  makeRedactor,
  redactValue,
  secretValues,
} from "../../../../runtime/text/secrets/redact.ts";
import { StreamMasker } from "../../../../runtime/text/secrets/stream_masker.ts";
import RULES from "../../../../runtime/text/secrets/token_rules.json" with { type: "json" };
import { maskTokens } from "../../../../runtime/text/secrets/token_rules.ts";

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
  ["curl -H 'Authorization: Bearer abc123' x", "curl -H 'Authorization: Bearer [redacted]' x"],
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
    ...{ API_TOKEN: "abcdef", OPENAI_API_KEY: "sk-aaabbb111222333", DB_PASSWORD: "letmein" },
    PGPASSWORD: "foobar1",
    ...{ DATABASE_URL: "postgres://u:p%40ss12@h/d", SENTRY_DSN: "https://0123456789abcdef0123@sentry.io/1" },
    ...{ MAPS_API_KEY: "canary-value", LICENSE_KEY: "AB-12-CD" },
    // No secrets.
    ...{ SHORT_TOKEN: "abc", SSH_AUTH_SOCK: "/tmp/ssh-1/agent.1", XDG_SESSION_TYPE: "wayland" },
    ...{ XDG_SESSION_ID: "c2", DESKTOP_SESSION: "gnome-xorg", PWD: "/home/x/y" },
    GOOGLE_APPLICATION_CREDENTIALS: "/home/u/key.json",
    ...{ KEYBOARD: "us-international-9", MONKEY: "a1b2c3d4e5f6g7", USE_AUTH: "enabled" },
  });
  assertEquals(secrets, [
    ...["abcdef", "sk-aaabbb111222333", "letmein", "foobar1", "p%40ss12", "p@ss12"],
    ...["https://0123456789abcdef0123@sentry.io/1", "0123456789abcdef0123", "canary-value", "AB-12-CD"],
  ]);
});

const ODD_SECRET = "p@ss w/rd+ü!9x";
const mask = makeMasker([ODD_SECRET, "abcdef"]);

Deno.test("makeMasker() finds a secret as programs often write it", () => {
  const bytes = new TextEncoder().encode(ODD_SECRET);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const forms = [
    ODD_SECRET,
    encodeURIComponent(ODD_SECRET),
    encodeURIComponent(ODD_SECRET).replaceAll("%20", "+"),
    [...ODD_SECRET].reverse().join(""),
    hex.join(""),
    hex.join("").toUpperCase(),
    hex.join(":"),
    hex.map((digits) => `%${digits}`).join(""),
  ];
  for (const form of forms) assertEquals(mask(`a ${form} b`), "a [redacted] b", form);
});

Deno.test("makeMasker() finds a secret in base64, whatever stands around it", () => {
  for (const around of ["", "k", "ke", "key", "key=", "user:"]) {
    const text = btoa(String.fromCharCode(...new TextEncoder().encode(`${around}${ODD_SECRET}${around}`)));
    for (const form of [text, text.replaceAll("+", "-").replaceAll("/", "_")]) {
      assertEquals(mask(form).includes("[redacted]"), true, around);
      // No more than the digits that the secret shares with its neighbours are left.
      const left = mask(form).replace("[redacted]", "").length;
      assert(left <= btoa(`${around}${around}`).length + 6, form);
    }
  }
});

Deno.test("makeMasker() leaves alone what is too short to tell", () => {
  assertEquals(mask("616263 fedcba"), "616263 [redacted]");
  assertEquals(makeMasker(["abc"])("abc cba YWJj"), "abc cba YWJj");
});

const SECRET = "abcab-c9";
const TEXT = `one ab ${SECRET} two ${btoa(`k:${SECRET}`)} abca ${SECRET}${SECRET} abc`;

Deno.test("StreamMasker masks a secret wherever its text is cut", () => {
  const whole = new StreamMasker([SECRET]);
  const expected = whole.push(TEXT) + whole.flush();
  assertEquals(expected.includes(SECRET), false);
  for (let cut = 1; cut < TEXT.length; cut++) {
    const masker = new StreamMasker([SECRET]);
    assertEquals(masker.push(TEXT.slice(0, cut)) + masker.push(TEXT.slice(cut)) + masker.flush(), expected);
  }
  const byOne = new StreamMasker([SECRET]);
  assertEquals([...TEXT].map((char) => byOne.push(char)).join("") + byOne.flush(), expected);
});

Deno.test("StreamMasker holds back nothing that cannot become a secret", () => {
  const masker = new StreamMasker([SECRET]);
  assertEquals(masker.push("xyz abx"), "xyz abx");
  assertEquals(masker.push("xyz ab"), "xyz ");
  assertEquals(masker.flush(), "ab");
  assertEquals(new StreamMasker([]).push("ab"), "ab");
});

/** A command and what is left of it: as words, and as a text. */
const COMMANDS: readonly (readonly [command: string, masked: string])[] = [
  ["mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"],
  ["7z a -phunter2 x.7z y", "7z a -p[redacted] x.7z y"],
  ["zip -r -P hunter2 x.zip y", "zip -r -P [redacted] x.zip y"],
  ["az login -u me -p hunter2", "az login -u me -p [redacted]"],
  ["az login --password hunter2", "az login --password [redacted]"],
  ["htpasswd -b users.txt me hunter2", "htpasswd -b users.txt me [redacted]"],
  ["htpasswd -nbB me hunter2", "htpasswd -nbB me [redacted]"],
  ["ldapsearch -x -w hunter2 uid=x", "ldapsearch -x -w [redacted] uid=x"],
  ["mongosh -u me -p hunter2", "mongosh -u me -p [redacted]"],
  ["mosquitto_pub -t a -P hunter2", "mosquitto_pub -t a -P [redacted]"],
  ["keytool -list -storepass hunter2", "keytool -list -storepass [redacted]"],
  ["openssl enc -aes-256-cbc -k hunter2", "openssl enc -aes-256-cbc -k [redacted]"],
  ["smbclient //h/s -U me%hunter2", "smbclient //h/s -U me%[redacted]"],
  ["aws configure set aws_secret_access_key hunter2", "aws configure set aws_secret_access_key [redacted]"],
  ["gh --api-key hunter2", "gh --api-key [redacted]"],
  ["/usr/bin/mysqldump -phunter2 -p", "/usr/bin/mysqldump -p[redacted] -p"],
  ["npm config set //r/:_authToken hunter2", "npm config set //r/:_authToken [redacted]"],
];
/** Nothing of these is a secret. */
const PLAIN =
  `zip -r x.zip y|mysql --port 3306 -p -u root|7z x -y a.7z|openssl version -a|ls -P x -w 80|az group list -o table
htpasswd -c users.txt me|git config set user.name me|smbclient //h/s -U me|ls -phunter2`.split(/[|\n]/);

Deno.test("redactArgv() and a redactor mask what options and words of known programs hold", () => {
  for (const [command, masked] of COMMANDS) {
    assertEquals(redactArgv(command.split(" "), redact).join(" "), masked);
    assertEquals(redact(`$ ${command} | cat`), `$ ${masked} | cat`);
  }
  for (const command of PLAIN) {
    assertEquals(redactArgv(command.split(" "), redact).join(" "), command);
    assertEquals(redact(command), command);
  }
});

/** Looks random, and holds no token of a service by itself. */
function digits(count: number, alphabet = "aZ3kQ9xW7mB2vT5yL8nR4pD6"): string {
  return Array.from({ length: count }, (_, at) => alphabet[(at * 7 + (at >> 3)) % alphabet.length]).join("");
}

/** Tokens of services that bulkhead's own rules do not know. Made up here, so that no scanner finds them. */
const TOKENS = [
  `hvs.${digits(95)}`,
  `SG.${digits(22)}.${digits(43)}`,
  `dop_v1_${digits(64, "0123456789abcdef")}`,
  `SK${digits(32, "0123456789abcdef")}`,
  `shpat_${digits(32, "0123456789abcdef")}`,
  `glsa_${digits(32)}_${digits(8, "0123456789abcdef")}`,
  `pypi-AgEIcHlwaS5vcmc${digits(60)}`,
  `AGE-SECRET-KEY-1${digits(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`,
];

Deno.test("maskTokens() masks tokens of services by the public rules", () => {
  for (const token of TOKENS) {
    for (const text of [token, `echo ${token}`, `{"a":"${token}"}`, `a=${token}, b`, `x(${token})`]) {
      assertEquals(maskTokens(text), text.replace(token, "[redacted]"));
    }
  }
});

Deno.test("maskTokens() keeps the text around a token", () => {
  const [key, other] = [digits(32, "0123456789abcdef"), digits(32, "abcdef0123456789_")];
  assertEquals(maskTokens(`adafruit_key = "${other}"; x`), 'adafruit_key = "[redacted]"; x');
  assertEquals(maskTokens(`TWILIO = SK${key}\n`), "TWILIO = [redacted]\n");
});

Deno.test("maskTokens() leaves plain texts alone", () => {
  for (const text of ["the facebook page of adobe", "s.length = 3", "sk_ is a prefix", "hvs. x", "SG.a.b"]) {
    assertEquals(maskTokens(text), text);
  }
  // No token: a placeholder has few different letters.
  assertEquals(maskTokens(`hvs.${"a".repeat(95)}`), `hvs.${"a".repeat(95)}`);
});

Deno.test("the public rules are whole: their source, their licence, patterns that hold", () => {
  assert(RULES.source.includes("gitleaks") && RULES.licence.startsWith("MIT"));
  assert(RULES.rules.length > 200);
  for (const { id, pattern, keywords } of RULES.rules) {
    assert(new RegExp(pattern, "g") && keywords.length > 0, id);
    assertEquals(keywords, keywords.map((word) => word.toLowerCase()), id);
  }
});

Deno.test("makeMasker() masks the longer of two secrets of which one is part of the other", () => {
  const mask = makeMasker(["geheim-1", "geheim-1-and-more"]);
  assertEquals([mask("x geheim-1-and-more y"), mask("geheim-1!")], ["x [redacted] y", "[redacted]!"]);
});

Deno.test("givenSecrets() takes each value that says something, whatever its variable is called", () => {
  const env = {
    ...{ A: "zebra-crossing", B: "short", C: "production", D: "/home/me/x", E: "true", F: "en_US.UTF-8" },
    ...{ G: "127.0.0.1:8080", TOKEN: "abcdef123" },
  };
  assertEquals(givenSecrets(env), ["zebra-crossing", "abcdef123"]);
});
