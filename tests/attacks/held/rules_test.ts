import { type Attack, attackTests } from "../attack.ts";

/** Spellings of what the rules forbid. */
const COMMANDS = [
  ...["git push", "git  push", "/usr/bin/git push", "git -C . push", "git --no-pager push"],
  ...["git -c a.b=c push", "command git push", "env git push", "env A=b git push", "sh -c 'git push'"],
  ...['bash -c "git push"', '"git" push', "g''it push", "g\\it push", "'git' 'push'", 'git "push"'],
  ...["git pu''sh", "$(echo git) push", "x=git; $x push", "git push origin main --force"],
  ...["true && git push", "true; git push", "false || git push", "echo | git push", "(git push)"],
  ...["{ git push; }", "git push &", "if true; then git push; fi", "for x in 1; do git push; done"],
  ...["eval git push", 'eval "git push"', "xargs git push < /dev/null", "echo push | xargs git"],
  ...["nohup git push", "timeout 5 git push", "nice git push", "exec git push", "time git push"],
  ...["! git push", "git push > /dev/null", "A=b git push", "git --git-dir=.git push"],
  ...["git --work-tree . push", "stdbuf -o0 git push", "setsid git push", "cat <(git push)"],
  ...["echo $(git push)", "echo `git push`", "bash <<< 'git push'", "sh <<X\ngit push\nX", "$'git' push"],
  ...["git$IFS''push", "{git,push}", "rm -rf x", "rm -fr x", "rm -r -f x", "rm -rvf x"],
  ...["rm --recursive --force x", "/bin/rm -rf x", "\\rm -rf x", "command rm -rf x"],
  ...["find . -exec rm -rf {} +", "rm -Rf x", "rm -f -r x"],
];
const RULES = { policies: { strict: { base: "coder", deny: ["git push", "rm -rf"] } } };

attackTests(
  9,
  COMMANDS.map((command, at): Attack => ({
    id: `9-${101 + at}`,
    title: `a command that a rule forbids: ${JSON.stringify(command)}`,
    files: { "home/rules.json": JSON.stringify(RULES), "ws/x/kept": "" },
    flags: ["--config", "<home>/rules.json", "--policy", "strict"],
    calls: [{ tool: "Bash", arguments: { command }, refusal: ["denied_by_policy", "permission_denied"] }],
    unchanged: ["."],
  })),
);
