import { assertEquals } from "@std/assert";

import { optionsOf } from "../../../../../runtime/cli/args/command_table.ts";
import { parseArgv } from "../../../../../runtime/cli/args/parse_argv.ts";
import { optionWords } from "../../../../../runtime/cli/setup/option_words.ts";

Deno.test("optionWords() gives words that mean the same options", { permissions: "none" }, () => {
  const words = [
    ...["--allow-read=a,,b,c", "--allow-net=x.com:80,443,y.com", "--allow-run", "--allow-env=A,B", "-q"],
    ...["--tool", "one=1", "--tool=two", "--max-rounds=3", "--timeout=0.5", "--sandbox=off", "--model=a/b c"],
    ...["--no-undo", "-C", "-odd", "--resume", "--config=--x"],
  ];
  const { options } = parseArgv(["run", ...words]);
  const written = optionWords(options, optionsOf("run"));
  assertEquals(parseArgv(["run", ...written]).options, options);
  assertEquals(optionWords(options, ["workspace", "allowRead"], (path) => `/w/${path}`), [
    "--workspace=/w/-odd",
    "--allow-read=/w/a,,b,/w/c",
  ]);
});
