// Tests of tools that try a part of their cases at each change, and all of them here.
import "../../unit/tools/engine/patterns_test.ts";
import "../../unit/tools/engine/program_test.ts";
import "../../unit/tools/readers/page_test.ts";
