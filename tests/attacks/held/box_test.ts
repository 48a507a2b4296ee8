import {
  type Attack as WayOut,
  POWER_ATTACKS,
  readingAttacks,
  writingAttacks,
} from "../../support/cli/attacks.ts";
import { type Attack, attackTests, bash, sampled, SECRET } from "../attack.ts";

const TOKEN = "planted-0123456789abcdef";
/** What each of these goes for; it works without walls, as tests/soak/walls/controls_test.ts shows. */
const PREY = { outside: "<outside>", home: "<home>", secret: SECRET, token: TOKEN };

/** The same from a folder of the workspace, as they were from its top. */
function fromBelow(script: string): string {
  return script.replaceAll("../outside/", "../../outside/<at>/").replace("ls .. |", "ls ../.. |")
    .replace("ln -s .. up && grep -q", "ln -s ../.. up && grep -q").replace(
      "up/outside/",
      "up/outside/<at>/",
    );
}

function wayOut({ name, script }: WayOut, at: number): Attack {
  return {
    id: `6-${101 + at}`,
    title: `${name}, by a command`,
    files: {
      "ws/attack.sh": fromBelow(script),
      "outside/secret.txt": `${SECRET}\n`,
      "outside/append.txt": "kept\n",
      "outside/remove.txt": "kept\n",
      "outside/move.txt": "kept\n",
      "home/.ssh/id_rsa": `${SECRET}\n`,
      "home/.bashrc": "kept\n",
    },
    env: { PLANTED_SECRET_TOKEN: TOKEN },
    calls: [{
      ...bash("bash attack.sh >/dev/null 2>&1 </dev/null && echo BREACHED || echo refused", "ok"),
      says: "exit_code: 0\nstdout:\nrefused\n",
    }],
    after: "! ls -d /usr/bin/bulkhead-planted /etc/bulkhead-planted /bulkhead-planted 2>/dev/null",
    needs: ["sandbox"],
  };
}

/** A folder of the workspace may be moved, the workspace may not. */
const OF_THE_TOP = ["move-workspace"];
const ways = [...readingAttacks(PREY), ...writingAttacks(PREY), ...POWER_ATTACKS];
attackTests(6, sampled(ways.filter(({ name }) => !OF_THE_TOP.includes(name)).map(wayOut)));
