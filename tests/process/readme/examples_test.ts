import { READMES } from "../../support/readme/readme.ts";
import { testExamples } from "../../support/readme/examples.ts";

for (const path of READMES) testExamples(path);
