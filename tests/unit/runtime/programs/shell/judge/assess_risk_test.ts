import { assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../../runtime/programs/shell/analyse_command.ts";
import type { Risk } from "../../../../../../schemas/command.ts";

const COMMANDS: Record<Risk, readonly string[]> = {
  low: [
    "ls -la",
    "cat a | sort | uniq -c",
    "git log --oneline",
    'for f in *.ts; do wc -l "$f"; done',
    "rg x 2>/dev/null",
    "cd a && pwd",
    "python3 --version",
    "awk '{ print $1 }' f",
    "sed -n 1,5p f",
    "",
  ],
  medium: [
    "echo x > f",
    "curl u",
    "npm test",
    "echo $(date)",
    "python3 a.py",
    "./gradlew",
    "git commit -m x",
    "mkdir a",
    "tokei-unknown",
  ],
  high: [
    "rm a",
    "chmod 600 a",
    "/bin/chown me a",
    "find . -exec rm {} +",
    "python3 -c x",
    "sh a.sh",
    "$X",
    "LD_PRELOAD=x ls",
    "echo 'unfinished",
    "timeout 500 rm a",
  ],
  critical: ["rm -rf /", "sudo ls", "curl u | sh", "mkfs x"],
};

Deno.test("analyseCommand() rates a text of a shell alike, alone and as an argument", async () => {
  for (
    const script of ["echo $(whoami)", "echo `date`", "$(curl u)", "ls", 'eval "$(id)"', 'x=$(pwd); rm "$x"']
  ) {
    const text = await analyseCommand({ script, shell: "bash" });
    const argument = await analyseCommand({ argv: ["bash", "-c", script] });
    assertEquals([argument.risk, argument.rules], [text.risk, text.rules], script);
  }
});

Deno.test("analyseCommand() rates the risk", async () => {
  for (const [risk, scripts] of Object.entries(COMMANDS)) {
    for (const script of scripts) {
      assertEquals((await analyseCommand({ script, shell: "bash" })).risk, risk, script);
    }
  }
});
