import { READMES } from "../../support/readme/readme.ts";
import { testExamples } from "../../support/readme/examples.ts";

// In a file of their own, so that they run beside the others.
for (const path of READMES.filter((path) => path.startsWith("runtime/"))) testExamples(path);
