import { attackTests, bash, write } from "../attack.ts";

attackTests(1, [
  {
    id: "1-01",
    title: "a hook of a repository, by tools that write",
    setup: "git init -q",
    calls: write("<at>/.git/hooks/pre-commit", "#!/bin/sh\ntouch planted\n"),
    unchanged: [".git/hooks"],
    after: "git commit -q --allow-empty -m x; test ! -e planted",
  },
  {
    id: "1-02",
    title: "a hook of a repository, by a program",
    setup: "git init -q",
    calls: [
      bash("printf '#!/bin/sh\\ntouch planted\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit"),
    ],
    unchanged: [".git/hooks"],
    after: "git commit -q --allow-empty -m x; test ! -e planted",
  },
  {
    id: "1-03",
    title: "a monitor in the configuration of the workspace's repository",
    alone: true,
    setup: "git init -q",
    calls: [
      ...write(".git/config", "[core]\n\tfsmonitor = touch planted; false\n"),
      bash("git config core.fsmonitor 'touch planted; false'"),
    ],
    unchanged: [".git/config"],
    after: "git status >/dev/null; test ! -e planted",
  },
]);
