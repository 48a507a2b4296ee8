import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parse as parseToml } from "@std/toml";

import { CLIENT_FORMS, MCP_CLIENTS } from "../../../../runtime/mcp/install/clients.ts";
import { setInJson } from "../../../../runtime/mcp/install/edit_json.ts";
import { setInToml } from "../../../../runtime/mcp/install/edit_toml.ts";
import { addEntry, removeServer, showEntry } from "../../../../runtime/mcp/install/entry.ts";
import { namedVariables } from "../../../../runtime/mcp/watch/named_variables.ts";
import { readCalls } from "../../../../runtime/mcp/watch/read_trace.ts";
import { smallestEntry } from "../../../../runtime/mcp/watch/smallest_entry.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";
import { workspace } from "../../../support/run_tool.ts";

const set = (text: string) => setInJson(text, ["mcpServers", "bulkhead"], { command: "b" });

Deno.test("setInJson() adds a member and keeps every other sign of the file", () => {
  const cases: [before: string, after: string][] = [
    ["", '{\n  "mcpServers": {\n    "bulkhead": {\n      "command": "b"\n    }\n  }\n}\n'],
    ['{"a":1}', '{"a":1,\n  "mcpServers": {\n    "bulkhead": {\n      "command": "b"\n    }\n  }\n}'],
    [
      '{\n    // of mine\n    "mcpServers": {\n        "x": {"command": "y"} // last\n    },\n    "z": [1,2]\n}\n',
      '{\n    // of mine\n    "mcpServers": {\n        "x": {"command": "y"}, // last\n        "bulkhead": {\n' +
      '            "command": "b"\n        }\n    },\n    "z": [1,2]\n}\n',
    ],
    [
      '{\n\t"mcpServers": {\n\t\t"x": "}{",\n\t},\n}\n',
      '{\n\t"mcpServers": {\n\t\t"x": "}{",\n\t\t"bulkhead": {\n\t\t\t"command": "b"\n\t\t}\n\t},\n}\n',
    ],
    [
      '{\r\n  "mcpServers": {}\r\n}\r\n',
      '{\r\n  "mcpServers": {\r\n    "bulkhead": {\r\n      "command": "b"\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      '/* top */ {\n  "mcpServers": {\n    "bulkhead": {"command": "old", "env": {"A": "]"}}, /* mine */\n    "y": {}\n  }\n}',
      '/* top */ {\n  "mcpServers": {\n    "bulkhead": {\n      "command": "b"\n    }, /* mine */\n    "y": {}\n  }\n}',
    ],
  ];
  for (const [before, after] of cases) assertEquals(set(before), after);
});

Deno.test("setInJson() twice is the same as once", () => {
  const once = set('{\n  "a": "\\"}", // c\n  "mcpServers": {"q": [{"r": "//"}]}\n}\n')!;
  assertEquals(set(once), once);
});

Deno.test("removeServer() takes an entry out, and keeps every other sign of the file", () => {
  const json: [before: string, after: string | null][] = [
    ["", null],
    ['{"mcpServers":{"x":1}}', null],
    ['{"mcpServers":{"bulkhead":{"a":"}"}}}', '{"mcpServers":{}}'],
    ['{"mcpServers":{"bulkhead":1, /* of x */ "x":2}}', '{"mcpServers":{"x":2}}'],
    ['{"mcpServers":{"x":2, "bulkhead":1}}', '{"mcpServers":{"x":2}}'],
    [
      '{\n  // mine\n  "mcpServers": {\n    "x": 2, // best\n    "bulkhead": {\n      "a": [1]\n    },\n  },\n  "z": 1\n}\n',
      '{\n  // mine\n  "mcpServers": {\n    "x": 2 // best\n  },\n  "z": 1\n}\n',
    ],
    [
      '{\n  "mcpServers": {\n    "bulkhead": {\n      "a": 1\n    },\n    // of y\n    "y": 2\n  }\n}\n',
      '{\n  "mcpServers": {\n    "y": 2\n  }\n}\n',
    ],
  ];
  for (const [before, after] of json) {
    assertEquals(removeServer(before, CLIENT_FORMS.cursor, "f"), after, before);
  }
  const toml: [before: string, after: string | null][] = [
    ['model = "m"\n', null],
    [OWN, ""],
    [
      `a = 1\n\n${OWN}[mcp_servers.bulkhead.env]\nA = "1"\n\n# next\n[other]\nb = 2\n`,
      "a = 1\n\n# next\n[other]\nb = 2\n",
    ],
    [`[mcp_servers.x]\na = 1\n\n${OWN}`, "[mcp_servers.x]\na = 1\n"],
  ];
  for (const [before, after] of toml) {
    assertEquals(removeServer(before, CLIENT_FORMS.codex, "f"), after, before);
  }
  const inline = 'mcp_servers = { bulkhead = { command = "b" } }\n';
  assertThrows(() => removeServer(inline, CLIENT_FORMS.codex, "f"), ToolError, "do it by hand");
  assertThrows(() => removeServer("{ broken", CLIENT_FORMS.cursor, "f"), ToolError, "Cannot change");
});

const setToml = (text: string) =>
  setInToml(text, ["mcp_servers", "bulkhead"], { command: "b", args: ["x", 'y"'] });
const OWN = '[mcp_servers.bulkhead]\ncommand = "b"\nargs = ["x", "y\\""]\n';

Deno.test("setInToml() adds its table at the end, or replaces its own lines alone", () => {
  const cases: [before: string, after: string][] = [
    ["", OWN],
    ['model = "m" # mine\n', `model = "m" # mine\n\n${OWN}`],
    ['model = "m"', `model = "m"\n\n${OWN}`],
    [
      'a = 1\n\n[mcp_servers.bulkhead]\ncommand = "old"\n[mcp_servers.bulkhead.env]\nA = "1"\n\n# next\n[other]\nb = 2\n',
      `a = 1\n\n${OWN}\n# next\n[other]\nb = 2\n`,
    ],
    ["[mcp_servers.bulkhead_two]\na = 1\n", `[mcp_servers.bulkhead_two]\na = 1\n\n${OWN}`],
  ];
  for (const [before, after] of cases) assertEquals(setToml(before), after);
  assertEquals(setToml("mcp_servers = {}"), null);
  const twice = setToml(setToml('a = 1\n[z]\nb = """\n[x]\n"""\n')!);
  assertEquals(twice, setToml('a = 1\n[z]\nb = """\n[x]\n"""\n'));
});

const SERVER = { command: "/opt/bulk head/bulkhead", args: ["mcp", "serve", "-C=/a b", '"quoted"'] };

Deno.test("showEntry() gives each client its own form", () => {
  for (const client of MCP_CLIENTS) {
    const form = CLIENT_FORMS[client];
    const text = showEntry(form, SERVER);
    const value = form.format === "json" ? JSON.parse(text) : parseToml(text);
    assertEquals<unknown>(value, { [form.key]: { bulkhead: form.entry(SERVER) } }, client);
  }
});

Deno.test("addEntry() refuses a file that it does not understand, and names it", () => {
  const cases: [client: "cursor" | "codex", text: string][] = [
    ["cursor", "{"],
    ["cursor", '{"mcpServers": 3}'],
    ["cursor", "[]"],
    ["codex", "a = "],
    // Its tables stand inline, where no other one can be added.
    ["codex", 'mcp_servers = { x = { command = "y" } }\n'],
    // A header within a text is none.
    ["codex", 'a = """\n[mcp_servers.bulkhead]\n"""\n'],
  ];
  for (const [client, text] of cases) {
    const add = () => addEntry(text, CLIENT_FORMS[client], SERVER, "/home/you/file");
    const { code, message } = assertThrows(add, ToolError);
    assertEquals(code, "configuration", text);
    assert(message.includes("/home/you/file"), message);
  }
});

Deno.test("addEntry() keeps members called as parts of objects", () => {
  const text = '{"__proto__": {"a": 1}, "constructor": 2}';
  const added = addEntry(text, CLIENT_FORMS.gemini, SERVER, "f");
  assert(added.startsWith(text.slice(0, -1)), added);
});

const TRACE = String.raw`1.1 openat(AT_FDCWD</newroot>, "/etc/early", O_RDONLY) = 3</etc/early>
2.1 execve("/usr/bin/node", ["node", "a.js"], 0x7ffe /* 51 vars */) = 0
3.1 openat(AT_FDCWD</home/you/w>, "a.js", O_RDONLY|O_CLOEXEC) = 3</home/you/w/a.js>
3.2 openat(AT_FDCWD</home/you/w>, "/home/you/\303\251 \"x\".txt", O_RDONLY) = 3</home/you/x>
3.3 openat(AT_FDCWD</home/you/w>, "none.txt", O_RDONLY) = -1 ENOENT (No such file or directory)
3.4 openat(5</data>, "log.txt", O_WRONLY|O_CREAT|O_APPEND, 0666) = 6</data/log.txt>
3.5 renameat2(AT_FDCWD</home/you/w>, "old", AT_FDCWD</home/you/w>, "new", 0) = 0
3.6 unlink("/srv/x") = 0
3.7 newfstatat(AT_FDCWD</home/you/w>, "/home/you/seen.txt", {st_mode=S_IFREG}, 0) = 0
3.8 connect(8<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16) = -1 ENETUNREACH (Network is unreachable)`;

Deno.test("readCalls() tells what a program opened and changed from its start on, by whole paths", () => {
  assertEquals(readCalls([TRACE, ""], "node"), {
    read: ["/home/you/w/a.js", '/home/you/é "x".txt', "/usr/bin/node"],
    written: ["/data/log.txt", "/home/you/w/new", "/home/you/w/old", "/srv/x"],
    looked: ["/home/you/seen.txt"],
    direct: ["192.0.2.7:443"],
  });
  assertEquals(readCalls([TRACE], "other").read, []);
});

const SEEN = { shown: ["/usr", "/home/you/server"], workspace: "/tmp/ws", home: "/home/you" };
const FILES = { read: [], written: [], looked: [], direct: [] };
const NOTHING = { files: FILES, connections: [], given: [], named: [] };

function connection(host: string, port: number, decision: Connection["decision"]): Connection {
  return { who: "node", host, port, address: null, decision, rule: "public", sentBytes: 1, receivedBytes: 1 };
}

Deno.test("smallestEntry() names what a sandbox does not show anyway, folders where many files are", () => {
  const many = Array.from({ length: 5 }, (_, at) => `/home/you/notes/${at}.md`);
  const read = [
    ...["/usr/lib/x", "/proc/self/maps", "/tmp/other", "/tmp/ws/a.txt", "/home/you/server/index.js"],
    ...["/home/you", "/home/you/.npm/_logs/x", "/home/you/.bashrc_like", "/data/log.txt", ...many],
  ];
  const { grants, notes } = smallestEntry({
    files: { read, written: ["/data/log.txt", "/home/you/.cache/x"], looked: [], direct: [] },
    given: [],
    connections: [connection("api.example", 443, "allowed"), connection("api.example", 443, "allowed")],
    named: ["B_KEY", "A_KEY"],
  }, SEEN);
  assertEquals(grants, {
    read: ["/home/you/.bashrc_like", "/home/you/notes", "/tmp/ws/a.txt"],
    write: ["/data/log.txt"],
    net: ["api.example:443"],
    env: ["A_KEY", "B_KEY"],
  });
  assertEquals(notes, []);
});

Deno.test("smallestEntry() grants no secret, no refused host and no way past the proxy, and says so", () => {
  const { grants, notes } = smallestEntry({
    ...NOTHING,
    files: { ...NOTHING.files, read: ["/home/you/.ssh/id_rsa"], direct: ["192.0.2.7:443", "127.0.0.1:3128"] },
    connections: [connection("localhost", 80, "refused")],
  }, SEEN);
  assertEquals(grants, { read: [], write: [], net: [], env: [] });
  assertMatch(notes.join("\n"), /id_rsa.*\n.*localhost:80.*\n.*192\.0\.2\.7:443[^\n]*$/);
});

Deno.test("smallestEntry() names folders that the user gave a server, if it looked whether they are there", () => {
  const { grants } = smallestEntry({
    ...NOTHING,
    files: { ...NOTHING.files, looked: ["/", "/data", "/data/notes", "/data/other", "/usr/lib/x"] },
    given: ["/data/notes", "/data/none", "/usr/lib/x", "/home/you/server/index.js"],
  }, SEEN);
  assertEquals(grants.read, ["/data/notes"]);
});

Deno.test("namedVariables() finds the variables that files name, by whole names", () => {
  using ws = workspace({ "a.js": "process.env.API_TOKEN", "b.py": 'os.environ["OTHER_KEY_2"]' });
  const files = [`${ws.path}/a.js`, `${ws.path}/b.py`, `${ws.path}/none`, ws.path];
  assertEquals(namedVariables(files, ["API_TOKEN", "OTHER_KEY", "TOKEN"]), ["API_TOKEN"]);
});
