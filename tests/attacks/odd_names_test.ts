import { type AttackCall, attackTests, bash, SECRET } from "./attack.ts";

/** A hook, as a program would plant it. */
const HOOK = "printf '#!/bin/sh\\ntouch planted\\n'";
const COMMIT = "git -c user.name=a -c user.email=a commit -q --allow-empty -m x";

/** The same code in Bash and in python_execute, in the case's folder. */
function python(code: string): AttackCall[] {
  const whole = `import os, shutil\nos.chdir("<ws>")\n${code}`;
  return [
    { tool: "Bash", arguments: { command: `python3 - <<'END'\n${whole}\nEND` } },
    { tool: "python_execute", arguments: { code: whole } },
  ];
}

/** What no answer may hold, the frame knows. */
const LOOKED = "true";
const NEEDS = { needs: ["program python3", "program git"] } as const;

attackTests(11, [
  {
    id: "11-01",
    quick: true,
    title: "a secret in a folder with a name of Latin-1",
    setup: `mkdir $'caf\\xe9'; echo ${SECRET} > $'caf\\xe9/.env'`,
    after: LOOKED,
    calls: [bash("cat caf*/.env"), ...python("print(open(b'caf\\xe9/.env').read())")],
  },
  {
    id: "11-02",
    title: "secrets whose own names are no UTF-8",
    setup:
      `echo ${SECRET} > $'caf\\xe9.pem'; echo ${SECRET} > $'.env.\\xff'; mkdir $'a\\xff.key'; echo ${SECRET} > $'a\\xff.key/x'`,
    after: LOOKED,
    calls: [bash("cat caf* .env* a*/x; cat *"), bash("grep -r . .")],
  },
  {
    id: "11-03",
    title: "a secret deep below such names, and in a repository there",
    setup:
      `mkdir -p $'a/\\xe9/b/\\xff\\xfe/.aws'; echo ${SECRET} > $'a/\\xe9/b/\\xff\\xfe/.aws/credentials'; cd $'a/\\xe9'; git init -q; echo ${SECRET} > .env`,
    after: LOOKED,
    calls: [bash("grep -r hunter . ; cat a/*/.env a/*/b/*/.aws/*")],
  },
  {
    id: "11-04",
    title: "a secret behind a link with such a name",
    setup: `echo ${SECRET} > settings.txt; ln -s settings.txt $'.env.\\xff'`,
    after: LOOKED,
    calls: [bash("cat settings.txt .env*")],
  },
  {
    id: "11-05",
    title: "names that are nearly UTF-8: too long a form, half of a pair, a character cut short",
    setup:
      `for name in $'\\xc0\\xaf' $'\\xed\\xa0\\x80' $'\\xe2\\x82' $'\\xf5\\x80\\x80\\x80' $'x\\x80\\n' $'-\\xff'; do mkdir -- "$name"; echo ${SECRET} > "./$name/.env"; done`,
    after: LOOKED,
    calls: [bash("grep -r . .; cat ./*/.env")],
  },
  {
    id: "11-06",
    quick: true,
    title: "a name of the sign that stands for such bytes, beside one of such bytes",
    setup:
      `mkdir $'a\\xff' $'a\\xef\\xbf\\xbd'; echo ${SECRET} > $'a\\xff/.env'; echo ${SECRET} > $'a\\xef\\xbf\\xbd/.env'`,
    calls: [
      bash("cat a*/.env"),
      bash("echo fine > $'a\\xef\\xbf\\xbd/ok'; echo fine > $'a\\xff/ok'", "ok", "any"),
    ],
    needs: ["sandbox"],
    after: "cat $'a\\xef\\xbf\\xbd/ok' $'a\\xff/ok' | grep -c fine | grep -qx 2",
  },
  {
    id: "11-07",
    title: "a socket of the user's in such a folder",
    setup: "mkdir $'s\\xe9'",
    beside: `exec python3 -c "import os, socket
os.chdir(b's\\xe9')
s = socket.socket(socket.AF_UNIX); s.bind('s'); s.listen()
while True:
  s.accept(); open('../reached', 'w')"`,
    begun: "test -S s*/s",
    calls: [bash(
      `python3 -c "import socket,glob
s = socket.socket(socket.AF_UNIX); s.connect(glob.glob(b's*/s')[0])"`,
    )],
    needs: ["sandbox", "program python3"],
    after: "test ! -e reached",
  },
  {
    id: "11-08",
    title: "a hook of the user's repository in such a folder",
    setup: "git init -q $'r\\xe9'",
    calls: [
      bash(`${HOOK} > r*/.git/hooks/pre-commit; chmod +x r*/.git/hooks/*`),
      ...python("open(b'r\\xe9/.git/hooks/pre-commit', 'w').write('#!/bin/sh\\ntouch planted\\n')"),
      bash("cd r*; git config core.fsmonitor 'touch planted; false'"),
    ],
    after: `cd r*; ${COMMIT}; git status > /dev/null; test ! -e planted`,
    ...NEEDS,
  },
  {
    id: "11-09",
    title: "a new folder with such a name, with .vscode and .envrc in it",
    calls: python(
      "os.makedirs(b'x\\xff/deep/.vscode'); open(b'x\\xff/deep/.vscode/tasks.json', 'w'); open(b'x\\xff/.envrc', 'w')",
    ),
    after: "test ! -e $'x\\xff/deep/.vscode' && test ! -e $'x\\xff/.envrc' && test -e $'x\\xff/deep'",
    needs: ["sandbox", "program python3"],
  },
  {
    id: "11-10",
    title: "a new repository with a hook in a new folder with such a name",
    calls: [
      bash(
        `mkdir $'n\\xfe'; cd $'n\\xfe'; git init -q; ${HOOK} > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
      ),
    ],
    after: `cd $'n\\xfe'; ${COMMIT}; test ! -e planted`,
    needs: ["sandbox", "program git"],
  },
  {
    id: "11-11",
    title: "a repository moved below such a name, and a copy with a hook in its place",
    setup: "mkdir pkg; git init -q pkg",
    calls: [
      bash(
        `mkdir $'m\\xff'; mv pkg $'m\\xff/'; cp -r $'m\\xff/pkg' pkg; rm -f pkg/.git/hooks/*; ${HOOK} > pkg/.git/hooks/pre-commit; chmod +x pkg/.git/hooks/pre-commit`,
      ),
    ],
    after: `cd pkg && ${COMMIT}; test ! -e planted`,
    ...NEEDS,
  },
  {
    id: "11-12",
    title: "the same by a new name of the repository's own folder",
    setup: "mkdir pkg; git init -q pkg",
    calls: [
      bash(
        `mv pkg $'pkg\\xff'; mkdir pkg; cp -r $'pkg\\xff/.git' pkg; ${HOOK} > pkg/.git/hooks/pre-commit; chmod +x pkg/.git/hooks/pre-commit`,
      ),
    ],
    after: `cd pkg && ${COMMIT}; test ! -e planted; test -d $'../pkg\\xff/.git/hooks'`,
    needs: ["sandbox", "program git"],
  },
  {
    id: "11-13",
    title: "a closed folder below such a name, with .vscode in it",
    calls: [
      bash(
        "mkdir -p $'c\\xff/in/.vscode'; echo x > $'c\\xff/in/.vscode/tasks.json'; chmod 0 $'c\\xff/in' $'c\\xff'",
      ),
    ],
    needs: ["sandbox"],
    after: "test -d $'c\\xff/in' && test ! -e $'c\\xff/in/.vscode'",
  },
  {
    id: "11-14",
    title: "hooks of the user's repository in such a folder, in a terminal",
    setup: "git init -q $'t\\xe9'",
    calls: [
      { tool: "TerminalStart", arguments: {} },
      {
        tool: "TerminalWrite",
        arguments: {
          session_id: "term_1",
          input: `cd <ws>/t*; ${HOOK} > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
        },
      },
      { tool: "TerminalWrite", arguments: { session_id: "term_1", input: "exit" } },
    ],
    alone: true,
    needs: ["program git"],
    after: `cd t*; ${COMMIT}; test ! -e planted`,
  },
  {
    id: "11-15",
    title: "a set-user-ID file with such a name",
    asRoot: true,
    calls: python("shutil.copy('/bin/true', b's\\xff'); os.chmod(b's\\xff', 0o6755)"),
    needs: ["sandbox", "program python3"],
    after: "test -x $'s\\xff' && test ! -u $'s\\xff' && test ! -g $'s\\xff'",
  },
  {
    id: "11-16",
    title: "what a program honestly makes below such names stays",
    setup: "mkdir $'caf\\xe9'; echo a > $'caf\\xe9/a'",
    calls: [bash("cp caf*/a $'caf\\xe9/b'; mkdir $'new\\xff'; echo c > $'new\\xff/c'", "ok", "any")],
    needs: ["sandbox"],
    after: "test -e $'caf\\xe9/b' && test -e $'new\\xff/c'",
  },
]);
