import { resolve } from "@std/path";
import * as z from "zod";
import type { Plugin } from "@rollup/browser";
import commonjsModule from "@rollup/plugin-commonjs";

import { ToolError } from "../../../schemas/error.ts";
import { OWN_SCHEME } from "../../../schemas/own/thrown_error.ts";
import { defineTool } from "../../../schemas/tool.ts";
import { joinFiles } from "./join_files.ts";
import { SourceFiles } from "./source_files.ts";

/** Its types are written for another kind of module than it is. */
const commonjs = commonjsModule as unknown as (options: { extensions: readonly string[] }) => Plugin;

/** Longest module that comes out, in characters. */
const MAX_CHARS = 16 * 1024 * 1024;
/** Longest map of lines, in characters. */
const MAX_MAP = 1_000_000;

const input = z.object({
  /** Real path of the file. */
  file: z.string(),
  /** Real path of the folder that it may import from. */
  root: z.string(),
  /** Real path of the folder of packages in Deno's cache. */
  cache: z.string().nullable(),
});

const output = z.object({
  /** JavaScript that imports only what Deno has itself. */
  code: z.string(),
  /** Real paths of the files that went in, and of the settings that decided. */
  files: z.array(z.string()),
  /** Paths at which something was looked for, and nothing was there. */
  missing: z.array(z.string()),
});

/**
 * Makes one module of a file with tools of one's own and all that it imports: types are removed, and files and packages
 * joined in. It runs nothing of them. It has a room of its own, which reads the package and nothing else.
 */
export default defineTool({
  name: "build",
  description: "Make one module of a file.",
  input,
  output,
  needs: { read: "workspace" },
  readOnly: true,
  parallel: false,
  killable: true,
  limits: { timeoutMs: "none" },
  async run({ file, root, cache }, context) {
    // A module by itself, which the binary holds compressed.
    const { rollup } = await import("@rollup/browser");
    const files = new SourceFiles(context.files, { root, cache });
    try {
      const bundle = await rollup({
        input: file,
        // A loop without an end would be left out as code without an effect.
        treeshake: false,
        // What is odd but works is not the user's concern.
        onwarn() {},
        plugins: [await joinFiles(files), commonjs({ extensions: [".js", ".cjs", ".cts"] })],
      });
      const { output: [{ code, map }] } = await bundle.generate({
        ...{ format: "es", inlineDynamicImports: true, sourcemap: true, sourcemapExcludeSources: true },
        // Where an exception comes from is told by the author's own files.
        sourcemapPathTransform: (path) => OWN_SCHEME + resolve("/", path),
      });
      await bundle.close();
      if (code.length <= MAX_CHARS) {
        return {
          code: withMap(code, map?.toString() ?? ""),
          files: [...files.read],
          missing: [...files.missing],
        };
      }
    } catch (error) {
      throw toBuildError(error, root);
    }
    throw new ToolError(
      "limit_exceeded",
      `it has more than ${MAX_CHARS} characters with all that it imports`,
    );
  },
});

const NO_USING =
  "a declaration with `using` is not understood in a tool file: write const, and close it in finally";

/** Says whether the line that cannot be read declares something with `using`. */
function isUsing(frame: string, line: number | undefined): boolean {
  const text = frame.split("\n").find((row) => row.startsWith(`${line}:`)) ?? "";
  return /\busing\s+[\w$]+\s*(?:(?::[^=]*)?=|of\b)/.test(text);
}

/** The words of the bundler, with the place in the file. */
function toBuildError(error: unknown, root: string): ToolError {
  const { message = String(error), loc, cause, id, frame = "" } = error as {
    message?: string;
    frame?: string;
    loc?: { file?: string; line: number; column: number };
    cause?: unknown;
    id?: string;
  };
  if (error instanceof ToolError) return error;
  if (cause instanceof ToolError) return cause;
  const path = loc?.file ?? id;
  const near = path === undefined
    ? ""
    : `${path.replace(`${root}/`, "")}${loc === undefined ? "" : `:${loc.line}:${loc.column + 1}`}: `;
  const [said = ""] = message.split("\n");
  // Its advice is for people who set the bundler up.
  const why = isUsing(frame, loc?.line) ? NO_USING : said.replace(/ \(Note that you need plugins.*$/, "");
  return new ToolError("invalid_input", `${near}${why}`);
}

/** Deno reads the map from the end of the module; a module of many files can do without. */
function withMap(code: string, map: string): string {
  if (map === "" || map.length > MAX_MAP) return code;
  const bytes = new TextEncoder().encode(map).toBase64();
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${bytes}\n`;
}
