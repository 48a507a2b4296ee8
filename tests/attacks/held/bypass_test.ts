import { BYPASSES, bypassScript } from "../../support/cli/bypasses.ts";
import { type Attack, type AttackCall, attackTests, sampled } from "../attack.ts";

const DENIED = ["permission_denied", "denied_by_policy"] as const;
/** A repository with a change, where git is needed. */
const REPOSITORY = "git init -q -b main; git add a.txt; git commit -q -m first; echo beta >> a.txt";

/** A command that makes a file without seeming to, under a policy that lets nothing be written. */
function bypass(id: string, policy: string, name: string): Attack {
  const given = BYPASSES[name]!;
  const { command, needs } = typeof given === "string" ? { command: given, needs: null } : given;
  const script = bypassScript(name);
  const hasScript = command.includes(script.split("/")[1]!) && command.includes("bin/");
  const makes = (target: string): AttackCall => ({
    tool: "Bash",
    arguments: { command: `cd <at>\n${command.replaceAll("TARGET", target)}`, timeout: 60 },
    unboxed: DENIED,
  });
  return {
    id,
    title: `${name}, under ${policy}`,
    files: {
      "ws/a.txt": "alpha\n",
      "ws/made/kept": "",
      "outside/kept": "",
      "home/.gitconfig": "[user]\n\tname = Test\n\temail = test@example.com\n",
      ...(hasScript ? { [`ws/${script}`]: `#!/bin/sh\ntouch "<ws>/made/${name}"\nexec /bin/cat\n` } : {}),
    },
    ...setUp(needs === "git", hasScript),
    calls: [makes(`made/${name}`), makes(`<outside>/${name}`)],
    flags: ["--policy", policy],
    unchanged: ["."],
    ...(needs === null ? {} : { needs: [`program ${needs}`] }),
  };
}

function setUp(hasRepository: boolean, hasScript: boolean): { setup?: string } {
  const lines = [...(hasScript ? ["chmod -R +x bin"] : []), ...(hasRepository ? [REPOSITORY] : [])];
  return lines.length > 0 ? { setup: lines.join("; ") } : {};
}

const names = Object.keys(BYPASSES);
attackTests(9, [
  ...sampled(names.map((name, at) => bypass(`9-${200 + at}`, "read-only", name))),
  ...names.map((name, at) => bypass(`9-${500 + at}`, "read-only-no-net", name)),
]);
