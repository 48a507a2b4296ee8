import { READMES } from "../support/readme.ts";
import { testExamples } from "../support/readme_examples.ts";

for (const path of READMES.filter((path) => !path.startsWith("runtime/"))) testExamples(path);
