import { assertStringIncludes } from "@std/assert";

import type { Answer } from "../../support/cli/scene.ts";
import { type Attack, type AttackCall, type Expected, SECRET } from "../attack.ts";

/** Does in Bash what its argument says, and answers with what that wrote. */
const SHELL = `#!/bin/bash
IFS= read -r line
line=\${line#*'"command":"'}
printf -v command %b "\${line%'"}'}"
said=$(bash -c "$command" 2>&1 | tr -c '[:alnum:] ./:=,_*\\n-' '?' | sed 's/$/\\\\n/' | tr -d '\\n')
printf '{"said": "%s"}\\n' "$said"
`;

const PYTHON = `import contextlib, io, json, sys, traceback
said = io.StringIO()
with contextlib.redirect_stdout(said):
    for part in json.load(sys.stdin)["command"].split("\\n---\\n"):
        try: exec(part)
        except BaseException: traceback.print_exc(limit=0, file=said)
json.dump({"said": said.getvalue()}, sys.stdout)
`;

const NODE = `const said = [];
const { command } = JSON.parse(require("fs").readFileSync(0, "utf8"));
(async () => {
  for (const part of command.split("\\n---\\n")) {
    try { said.push(String(await eval(part))); } catch (error) { said.push(String(error)); }
  }
  process.stdout.write(JSON.stringify({ said: said.join("\\n") }));
})();
`;

/** Answers with exactly the bytes that its argument makes. */
const SPEAKER = `import json, sys
exec(json.load(sys.stdin)["command"])
`;

const input_schema = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
const about = (name: string, file: string, more = {}) => ({
  ...{ name, path: `<home>/scripts/${file}`, description: "Do what it is told.", timeout_seconds: 60 },
  ...{ input_schema, ...more },
});
const WRITES = { filesystem_read: true, filesystem_write: true };
const CONFIG = {
  script_tools: [
    about("blind", "shell.sh"),
    about("reads", "shell.sh", { filesystem_read: true }),
    about("writes", "shell.sh", WRITES),
    about("reaches", "shell.sh", { network: ["api.example"] }),
    about("few", "shell.sh", { ...WRITES, commands: ["cat", "tr", "sed"] }),
    about("brief", "shell.sh", { timeout_seconds: 1 }),
    about("snake", "python.py", WRITES),
    about("blind_snake", "python.py"),
    about("node", "node.js", WRITES),
    about("hasty", "says.py", { timeout_seconds: 1 }),
    about("says", "says.py", WRITES),
    about("encloses", "says.py", { ...WRITES, reply: "envelope" }),
  ],
};

/** What every case of this kind has: scripts that do what they are told, and what they must not get at. */
export const SCRIPTS: Pick<Attack, "files" | "flags" | "env"> = {
  files: {
    "home/scripts/shell.sh": SHELL,
    "home/scripts/python.py": PYTHON,
    "home/scripts/node.js": NODE,
    "home/scripts/says.py": SPEAKER,
    "home/scripts/config.json": JSON.stringify(CONFIG),
    "home/.ssh/id_ed25519": SECRET,
    "home/diary.txt": SECRET,
    "home/docs/plan.txt": SECRET,
  },
  flags: ["--config=<home>/scripts/config.json", "--allow-read=<home>/docs", "--allow-net=api.example"],
  env: { PARENT_TOKEN: SECRET },
};

/** A case whose scripts are those of {@linkcode SCRIPTS}. */
export function scriptCase(attack: Attack): Attack {
  return { ...attack, ...SCRIPTS, files: { ...SCRIPTS.files, ...attack.files } };
}

/** Tells a script what to do. Without a sandbox it must not start, as no flag names its interpreter. */
export function script(name: string, command: string, refusal: Expected = "ok"): AttackCall {
  return { ...{ tool: `script/${name}`, arguments: { command }, refusal, unboxed: "permission_denied" } };
}

/** Asserts on what a script wrote, where one ran. */
export function said(
  check: (text: string) => void,
): (place: { boxed: boolean }, answers: readonly Answer[]) => void {
  return ({ boxed }, answers) => {
    for (const { tool_name, result, error } of answers) {
      if (!tool_name.startsWith("script/")) continue;
      if (!boxed) assertStringIncludes(error?.message ?? "", "--allow-run=");
      else if (error === null) check((result as { said: string }).said);
    }
  };
}
