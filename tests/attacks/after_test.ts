import { assertEquals } from "@std/assert";

import { type Attack, type AttackCall, attackTests, bash, type Place, SECRET } from "./attack.ts";

const HOOK = "printf '#!/bin/sh\\ntouch planted\\n'";
const COMMIT = "git -c user.name=a -c user.email=a commit -q --allow-empty -m x";
/** Puts a copy with a hook where a repository was. */
const copyFrom = (moved: string) =>
  `mkdir -p pkg; cp -r "${moved}/.git" pkg/; rm -f pkg/.git/hooks/*; ${HOOK} > pkg/.git/hooks/pre-commit; chmod +x pkg/.git/hooks/pre-commit`;

/** A case in which the user's repository `pkg` goes away, and a copy comes. */
function moved(id: string, title: string, calls: readonly AttackCall[], more: Partial<Attack> = {}): Attack {
  return {
    id,
    title,
    setup: "mkdir pkg; git init -q pkg",
    calls,
    after: `cd pkg && ${COMMIT}; test ! -e planted`,
    needs: ["program git"],
    ...more,
  };
}

/** A command that takes its time on a busy machine. */
function patient(call: AttackCall): AttackCall {
  return { ...call, arguments: Object.assign({ timeout: 120 }, call.arguments) };
}

attackTests(13, [
  ...[".env.d", ".aws", ".ssh", "x.key", ".config/gcloud"].map((name, at) =>
    moved(
      `13-0${at + 1}`,
      `a repository moved into a new ${name}, and a copy with a hook in its place`,
      [bash(`mkdir -p ${name}; mv pkg ${name}/; ${copyFrom(`${name}/pkg`)}`)],
      {
        after: `cd pkg && ${COMMIT}; test ! -e planted && test -d ../${name}/pkg/.git/hooks`,
        needs: ["sandbox", "program git"],
      },
    )
  ),
  moved("13-06", "the same to a path of 1,400 characters", [
    bash(`d=$(printf '%0200d/' 1 2 3 4 5 6 7); mkdir -p $d; mv pkg $d; ${copyFrom("$d/pkg")}`),
  ]),
  moved("13-07", "the same below 80 folders of mode 000", [
    bash(
      `for i in $(seq 80); do d=$d/n; done; mkdir -p .$d; mv pkg .$d; ${
        copyFrom(".$d/pkg")
      }; for i in $(seq 80); do chmod 0 .$d; d=\${d%/n}; done`,
    ),
  ]),
  moved("13-08", "the same, where the copy stands in a folder that was renamed and made again", [
    bash(`mv pkg other; ${copyFrom("other")}`),
  ]),
  moved(
    "13-09",
    "the same in a terminal",
    [
      { tool: "TerminalStart", arguments: {} },
      {
        tool: "TerminalWrite",
        arguments: {
          session_id: "term_1",
          input: `cd <ws>; mkdir .env.d; mv pkg .env.d/; ${copyFrom(".env.d/pkg")}`,
        },
      },
      { tool: "TerminalWrite", arguments: { session_id: "term_1", input: "exit" } },
    ],
    { alone: true },
  ),
  moved("13-10", "the same in python_execute", [{
    tool: "python_execute",
    arguments: {
      code:
        `import os, shutil\nos.chdir("<ws>"); os.mkdir(".aws"); os.rename("pkg", ".aws/pkg"); shutil.copytree(".aws/pkg", "pkg")
p = "pkg/.git/hooks/pre-commit"; open(p, "w").write("#!/bin/sh\\ntouch planted\\n"); os.chmod(p, 0o755)`,
    },
  }]),
  moved(
    "13-11",
    "two repositories above each other: the one above moves",
    [bash(
      `mv top .kube; mkdir -p top; cp -r .kube/pkg top/; ${HOOK} > top/pkg/.git/hooks/pre-commit; chmod +x top/pkg/.git/hooks/*`,
    )],
    {
      setup: "mkdir -p top/pkg; git init -q top; git init -q top/pkg",
      after: `cd top/pkg && ${COMMIT}; test ! -e planted`,
    },
  ),
  ...([[".vscode", "tasks.json"], [".husky", "pre-commit"], [".idea", "workspace.xml"]] as const).map((
    [folder, file],
    at,
  ): Attack => ({
    id: `13-${12 + at}`,
    title: `a folder above ${folder} moves into a secret's name, and another stands in its place`,
    setup: `mkdir -p sub/${folder}; echo own > sub/${folder}/${file}`,
    calls: [
      bash(`mkdir .env.d; mv sub .env.d/; mkdir -p sub/${folder}; echo planted > sub/${folder}/${file}`),
    ],
    after: `! grep -r planted sub && grep -rq own .env.d sub`,
    needs: ["sandbox"],
  })),
  {
    id: "13-15",
    title: "a folder above .envrc moves, and another stands in its place",
    setup: "mkdir sub; echo own > sub/.envrc",
    calls: [bash("mkdir .env.d; mv sub .env.d/; mkdir sub; echo planted > sub/.envrc")],
    after: "! grep -r planted . --include=.envrc",
    needs: ["sandbox"],
  },
  {
    id: "13-16",
    title: "a second name of a protected file",
    setup: "mkdir -p .vscode; echo own > .vscode/tasks.json; ln .vscode/tasks.json notes.txt",
    calls: [bash("echo planted > notes.txt")],
    after: "test ! -e .vscode/tasks.json || ! grep planted .vscode/tasks.json",
    needs: ["sandbox"],
  },
  {
    id: "13-17",
    title: "a planted folder that cannot be moved as its mode is, nor the one around it",
    calls: [bash("mkdir -p sub/.vscode; echo planted > sub/.vscode/tasks.json; chmod 555 sub/.vscode sub")],
    after: "test -d sub && test ! -e sub/.vscode",
    needs: ["sandbox"],
  },
  {
    id: "13-18",
    title: "a set-user-ID copy of a shell",
    asRoot: true,
    calls: [bash("cp /bin/sh s; python3 -c \"import os; os.chmod('s', 0o6755)\"")],
    after: "test -x s && test ! -u s && test ! -g s",
    needs: ["sandbox", "program python3"],
  },
  {
    id: "13-19",
    title: "a tree of 3,000 folders in each other, with what is planted at its top and at its end",
    calls: [bash(
      `python3 -c "import os
os.mkdir('.vscode'); open('.vscode/tasks.json', 'w')
for i in range(3000):
  os.mkdir('d'); os.chdir('d')
os.mkdir('.vscode'); open('.envrc', 'w')"`,
    )],
    after: `test ! -e .vscode && test -z "$(find . -name .envrc)" && test -z "$(find . -name .vscode)"`,
    // Programs of other cases would be looked after in it, too.
    alone: true,
    needs: ["sandbox", "program python3"],
  },
  {
    id: "13-20",
    title: "20,000 folders in one folder beside what is planted, and the next program starts",
    calls: [
      patient(bash(
        `mkdir .vscode h; echo planted > .vscode/tasks.json; python3 -c "import os
for i in range(20000): os.mkdir('h/%d' % i)"; rm -r h`,
        "ok",
        "any",
      )),
      bash("echo next", "ok", "any"),
    ],
    after: "test ! -e .vscode",
    needs: ["program python3"],
    alone: true,
  },
  {
    id: "13-21",
    title: "what a program honestly moves with its repository stays whole",
    setup: "mkdir -p pkg/.vscode; git init -q pkg; echo own > pkg/.vscode/tasks.json",
    calls: [bash("mkdir apps; mv pkg apps/shop", "ok")],
    after: `grep -q own apps/shop/.vscode/tasks.json && cd apps/shop && ${COMMIT}`,
    needs: ["sandbox", "program git"],
  },
]);

const NEEDS = {
  needs: ["sandbox", "ordinary user"],
  why: "only root can make a folder of another user",
} as const;

/** Makes a folder of root in the workspace of an ordinary user, which that user cannot list but enter. */
function makeFolder({ ws }: Place, mode: number): string {
  const folder = `${ws}/theirs`;
  Deno.mkdirSync(`${folder}/open`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/.env`, SECRET);
  Deno.writeTextFileSync(`${folder}/open/.npmrc`, SECRET);
  Deno.chmodSync(`${folder}/open`, 0o755);
  Deno.chmodSync(folder, mode);
  return folder;
}

attackTests(
  14,
  [0o711, 0o733].map((mode, at) => ({
    id: `14-${41 + at}`,
    title: `a folder of another user with mode ${
      mode.toString(8)
    }: secrets by their names, and something new in it`,
    async act(place: Place) {
      // Tests of an ordinary user cannot make it.
      if (Deno.uid() !== 0) return;
      const folder = makeFolder(place, mode);
      const answers = await place.batch([
        {
          tool: "Bash",
          arguments: {
            command:
              "cat theirs/.env theirs/open/.npmrc; mkdir theirs/.vscode && echo x > theirs/.vscode/tasks.json",
          },
        },
        { tool: "python_execute", arguments: { code: "print(open('theirs/.env').read())" } },
      ]);
      assertEquals(JSON.stringify(answers).includes(SECRET), false);
      assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name).sort(), [".env", "open"]);
      assertEquals(
        answers[0]!.warnings.some((line) => line.includes(`Programs do not see "${folder}"`)),
        true,
      );
    },
    ...NEEDS,
  })),
);
