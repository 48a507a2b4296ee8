import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { type Attack, attackTests, sampled, write } from "../attack.ts";
import { said, script, scriptCase } from "./script_scene.ts";

/** Marks, in their environment, the processes that must have ended. */
const MARK = `SCRIPTS_MARK=${crypto.randomUUID()}`;

/** It ran, and what it tried last came to its end. */
const tried = said((text) => assertStringIncludes(text, "tried"));

const ATTACKS: Attack[] = [{
  id: "17-01",
  title: "it reads the home of the user",
  calls: ["blind", "reads", "few"].map((name) =>
    script(name, "ls -A <home> /home /root; cat <home>/diary.txt <home>/.ssh/* ~/diary.txt; echo tried")
  ),
  after: tried,
}, {
  id: "17-02",
  title: "it reads the environment of who started it",
  calls: [
    script("blind", "env; cat /proc/*/environ /proc/$PPID/environ | tr '\\0' '\\n'; ps ewwx; echo tried"),
    script(
      "snake",
      "import os, glob\nfor name in glob.glob('/proc/[0-9]*/environ'):\n  print(open(name).read())",
    ),
    script("node", "process.env.PARENT_TOKEN\n---\nrequire('fs').readFileSync('/proc/1/environ', 'utf8')"),
  ],
}, {
  id: "17-03",
  title: "it reads a workspace that it did not ask for",
  files: { "ws/notes.txt": "hunter2-do-not-show" },
  calls: [
    script("blind", "cat <ws>/notes.txt; ls <ws>; cd <ws> && cat notes.txt; echo tried"),
    script("blind_snake", "import os\nprint(os.listdir('<ws>'))\n---\nprint(open('<ws>/notes.txt').read())"),
    script(
      "blind_snake",
      "import os\nfor at, _, names in os.walk('/'):\n  if 'notes.txt' in names: print(at)",
    ),
  ],
  after: said((text) => assert(!text.includes("notes.txt\n"), text)),
}, {
  id: "17-04",
  title: "it writes in a workspace that it may only read",
  files: { "ws/notes.txt": "open" },
  calls: [
    script(
      "reads",
      "cd <ws>; cat notes.txt; echo bad > notes.txt; rm -f notes.txt; mkdir made; ln -s / link; chmod 777 notes.txt\n" +
        "mount -o remount,rw <ws>; unshare -Urm mount -o remount,rw <ws>; echo bad >> notes.txt; echo tried",
    ),
  ],
  unchanged: ["."],
  after: tried,
}, {
  id: "17-05",
  title: "it writes beside the workspace, which it may write",
  files: { "outside/a.txt": "open" },
  calls: [
    script(
      "writes",
      "echo bad > <outside>/a.txt; echo bad > <home>/.bashrc; ln -s <outside> <ws>/out\n" +
        "echo bad > <ws>/out/b.txt; echo bad > <ws>/../../outside/c.txt; echo tried",
    ),
    script(
      "node",
      "require('fs').writeFileSync('<outside>/d.txt', 'bad')\n---\n" +
        "require('fs').mkdirSync('<home>/.config/autostart', { recursive: true })\n---\n'tried'",
    ),
  ],
  after: tried,
}, {
  id: "17-06",
  title: "it plants what the user's own programs execute",
  setup:
    "git init -q; touch .git/config.before; mkdir -p scripts; echo true > scripts/a.sh; git config alias.x '!sh scripts/a.sh'",
  calls: [
    script(
      "writes",
      "cd <ws>; printf '#!/bin/sh\\ntouch planted\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo tried",
    ),
    script(
      "snake",
      "open('<ws>/.git/config', 'a').write('[core]\\n fsmonitor = touch planted\\n')\n---\n" +
        "open('<ws>/scripts/a.sh', 'w').write('touch planted')\n---\nprint('tried')",
    ),
    script(
      "node",
      "require('fs').mkdirSync('<ws>/.vscode'); require('fs').writeFileSync('<ws>/.vscode/tasks.json', '{}')\n---\n" +
        "require('fs').renameSync('<ws>/.git', '<ws>/old')\n---\n'tried'",
    ),
  ],
  unchanged: [".git/config", ".git/hooks", "scripts"],
  absent: [".vscode/tasks.json", ".git/hooks/pre-commit"],
  after: tried,
}, {
  id: "17-07",
  title: "what it started outlives it",
  calls: [
    script(
      "blind",
      `export ${MARK}; setsid sleep 100000 >/dev/null 2>&1 & disown; (nohup sleep 100000 >/dev/null 2>&1 &); echo tried`,
    ),
    script(
      "snake",
      "import os\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n" +
        `    os.execvp('env', ['env', '${MARK}', 'sleep', '100000'])\n  os._exit(0)`,
    ),
    script("brief", `trap '' TERM INT HUP; export ${MARK}; while :; do sleep 100000; done`, "timeout"),
  ],
  after: `! grep -lqzx ${MARK} /proc/[0-9]*/environ`,
}, {
  id: "17-08",
  title: "it ends other processes, and looks into them",
  calls: [
    script("blind", "kill -9 -1; echo tried; ls -d /proc/[0-9]* | wc -l", ["ok", "external_failure"]),
    script("snake", "import os\nprint(len([n for n in os.listdir('/proc') if n.isdigit()]) < 12)"),
    script(
      "node",
      "process.kill(process.ppid, 'SIGKILL')\n---\nrequire('fs').readFileSync('/proc/1/root<home>/diary.txt', 'utf8')",
      ["ok", "external_failure"],
    ),
    script("blind", "echo tried"),
  ],
  after: ({ boxed }, answers) => {
    if (!boxed) return;
    assertEquals((answers[1]!.result as { said: string }).said, "True\n");
    assertEquals(answers[3]!.error, null);
  },
}, {
  id: "17-09",
  title: "it talks to what listens in the workspace",
  files: {
    "ws/listen.py":
      "import os, socket\nserver = socket.socket(socket.AF_UNIX)\nserver.bind('door')\nserver.listen()\n" +
      "os.close(os.open('up', os.O_CREAT))\nwhile True:\n  server.accept()\n  open('<outside>/asked', 'w')\n",
  },
  beside: "exec python3 listen.py",
  begun: "test -e up",
  needs: ["program python3"],
  calls: [
    script("snake", "import socket\nsocket.socket(socket.AF_UNIX).connect('<ws>/door')\nprint('connected')"),
    script(
      "node",
      "new Promise((yes, no) => require('net').connect('<ws>/door').on('connect', () => yes('connected')).on('error', no))",
    ),
  ],
  after: said((text) => assert(!text.includes("connected"), text)),
}, {
  id: "17-10",
  title: "it starts what its commands do not name",
  calls: [
    script(
      "few",
      "for one in git curl python3 perl node /usr/bin/git /usr/bin/env /bin/ls; do $one --version && echo started $one; done\n" +
        "/lib64/ld-linux-x86-64.so.2 /usr/bin/git --version && echo started by the loader\n" +
        "/usr/lib/git-core/git --version && echo started a helper; echo tried",
    ),
  ],
  after: ({ boxed }, answers) => {
    tried({ boxed }, answers);
    said((text) => assert(!text.includes("started"), text))({ boxed }, answers);
  },
}, {
  id: "17-11",
  title: "it reads secrets of the workspace, and what only the run was granted",
  files: { "ws/.env": "hunter2-do-not-show", "ws/deep/id_ed25519": "hunter2-do-not-show" },
  calls: [
    script(
      "writes",
      "cd <ws>; cat .env deep/id_ed25519; cp .env copy; mv deep moved; cat copy moved/*; ln .env hard; cat hard; echo tried",
    ),
    script("snake", "print(open('<home>/docs/plan.txt').read())\n---\nprint(open('<ws>/.env').read())"),
    script("node", "require('fs').readFileSync('<home>/docs/plan.txt', 'utf8')"),
  ],
}, {
  id: "17-12",
  title: "it reads and changes the state of bulkhead, and the scripts of the run",
  calls: [
    script(
      "writes",
      "ls <state>; cat <state>/*/*; cat <home>/scripts/config.json; echo bad >> <home>/scripts/shell.sh\n" +
        'echo bad >> "$0"; echo tried',
    ),
    ...write("<home>/scripts/shell.sh", "bad"),
  ],
  after: tried,
}, {
  id: "17-13",
  title: "it leaves something for the next call",
  calls: [
    script("writes", "echo left > /tmp/left; echo left > ~/left; mkdir -p /dev/shm/left; echo tried"),
    script("writes", "cat /tmp/left ~/left; ls /dev/shm; echo tried"),
  ],
  after: ({ boxed }, answers) => {
    if (boxed) assert(!String((answers[1]!.result as { said: string }).said).includes("left\n"));
  },
}, {
  id: "17-14",
  title: "it asks for more privileges",
  calls: [
    script(
      "writes",
      "unshare -U id -u && echo got in; mount -t tmpfs x /tmp && echo got in; chroot / true && echo got in\n" +
        "cp /bin/bash <ws>/b; chmod u+s <ws>/b; <ws>/b -p -c 'echo x > <outside>/x'; nsenter -t 1 -m true && echo got in; echo tried",
    ),
  ],
  after: said((text) => assert(!text.includes("got in"), text)),
}];

attackTests(17, sampled(ATTACKS.map(scriptCase), 5));
