import { assertEquals } from "@std/assert";

import { redactArgv } from "../../../../../runtime/text/secrets/command_secrets.ts";
import { makeRedactor } from "../../../../../runtime/text/secrets/redact.ts";

const redact = makeRedactor(["hunter2secret"]);

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
  ["npm config set //r/:_authToken hunter2", "npm config set //r/:_authToken [redacted]"],
];
/** Nothing of these is a secret. */
const PLAIN = [
  ...[
    "zip -r x.zip y",
    "mysql --port 3306 -p -u root",
    "7z x -y a.7z",
    "openssl version -a",
    "ls -P x -w 80",
  ],
  ...[
    "htpasswd -c users.txt me",
    "git config set user.name me",
    "smbclient //h/s -U me",
    "az group list -o table",
  ],
];

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

Deno.test("redactArgv() masks a word after an option that wants a secret", () => {
  const table: readonly (readonly [string[], string[]])[] = [
    [["mysql", "--password", "foo", "x"], ["mysql", "--password", "[redacted]", "x"]],
    [["gh", "--api-key", "foo"], ["gh", "--api-key", "[redacted]"]],
    [["curl", "-u", "me:pw", "https://x"], ["curl", "-u", "me:[redacted]", "https://x"]],
    [["docker", "run", "-u", "10:10"], ["docker", "run", "-u", "10:10"]],
    [["/usr/bin/mysqldump", "-pfoo", "-p"], ["/usr/bin/mysqldump", "-p[redacted]", "-p"]],
    [["ls", "-pfoo"], ["ls", "-pfoo"]],
    [["docker", "login", "-u", "me", "-p", "foo"], ["docker", "login", "-u", "me", "-p", "[redacted]"]],
    [["docker", "run", "-p", "80:80"], ["docker", "run", "-p", "80:80"]],
    [["/usr/bin/redis-cli", "-a", "foo"], ["/usr/bin/redis-cli", "-a", "[redacted]"]],
    [["curl", "-b", "sid=foo"], ["curl", "-b", "[redacted]"]],
    [["sh", "-c", "echo hunter2secret"], ["sh", "-c", "echo [redacted]"]],
  ];
  for (const [argv, masked] of table) assertEquals(redactArgv(argv, redact), masked);
});
