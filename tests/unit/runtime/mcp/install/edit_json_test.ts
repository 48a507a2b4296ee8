import { assertEquals } from "@std/assert";

import { setInJson } from "../../../../../runtime/mcp/install/edit_json.ts";

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

Deno.test("setInJson() leaves a file alone that is no object where one must be", () => {
  assertEquals([set("[]"), set('{"mcpServers": []}'), set('{"mcpServers": "x"}')], [null, null, null]);
});
