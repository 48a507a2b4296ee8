import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";

import { circlesOf } from "./support/source/circles.ts";
import { arrows, deno, ENTRIES, isOurs, typescriptIn } from "./support/source/source_tree.ts";

/** A wing of `runtime/`: what it may use beside `schemas/`, and the files of it that others may use. */
interface Wing {
  uses: readonly string[];
  /** Paths below the wing, without `.ts`; `"*"` for all of them. */
  doors: readonly string[] | "*";
  /** Libraries that it imports, types apart. @default none */
  packages?: readonly string[];
}

/** The words of a list that is too long for a line. */
function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

/** The inner walls of the machine: imports run downwards only, and into a wing by its doors. */
const WINGS: Readonly<Record<string, Wing>> = {
  "mod.ts": { uses: ["agent", "calls", "host", "self", "sources", "state", "toolbox", "walls"], doors: [] },
  toolbox: {
    uses: ["calls", "host", "sources"],
    doors: ["open_manus", "tool_schemas", "toolbox", "toolbox_result"],
  },
  cli: {
    uses: words(`
      agent browser calls coming desktop export host mcp model programs queue rooms self server sources
      state telemetry text wait walls
    `),
    doors: ["run_cli"],
    packages: ["fast-string-truncated-width"],
  },
  mcp: {
    uses: ["calls", "host", "programs", "self", "sources", "text", "wait", "walls"],
    doors: words(`
      inside/serve_worker install/clients install/entry protocol serve_tools start_server
      watch/named_variables watch/read_trace watch/smallest_entry wrap/accept wrap/missed_files wrap/pin_store
      wrap/server_pins wrap/wrap_server
    `),
    packages: ["@modelcontextprotocol/server"],
  },
  node: { uses: ["host"], doors: [] },
  coming: { uses: [], doors: ["foreign_word", "render_page", "systems"] },
  queue: {
    uses: ["agent", "calls", "host", "rooms", "self", "server", "state", "text", "wait", "walls"],
    doors: words(`
      address/read_queue_url contract/engine inside/nats/nats_engine inside/serve_engine open_engine
      orders/orders submit/choose_lane submit/fetch_files submit/queue_job submit/worker_board
      tasks/answer_task tasks/read_tasks work/worker work/worker_card
    `),
    packages: ["@nats-io/jetstream", "@nats-io/nats-core"],
  },
  server: {
    uses: words(`
      agent calls export host model net rooms self state telemetry text wait walls
    `),
    doors: words(`
      api/run_schemas calls/call_machines calls/info_handlers contract/model_of_server contract/narrow contract/protocol contract/redirect_page
      contract/served inside/page_files inside/serve_listener requests/metrics_handler runs/open_runs
      runs/runs serve serve_api start_listener
    `),
    // All but zod run in the browser alone.
    packages: [...["anser", "beautiful-mermaid", "htm", "lowlight", "preact", "temml"], "zod"],
  },
  agent: {
    uses: words("calls coming host model self sources state telemetry text wait walls"),
    doors: words(`
      agent_events agent_settings create_agent definitions/known_agents ending/end_event list_models
      model_status open_agent start_agent use_agent
    `),
  },
  host: {
    uses: words(`
      browser calls desktop net programs rooms self sources state telemetry text walls
    `),
    doors: words(`
      config/check_config config/config_schema config/find_config config/response_types
      config/check/field_problems config/check_agents config/choose_policy config/loaded_config
      config/strictest_limits configure_host give_up no_box_notice host_settings options/check_options
      options/option_schema open_host overlay/run_inside runner_settings session_flags
    `),
  },
  entries: {
    uses: words(`
      browser calls desktop mcp model net programs queue rooms self server sources telemetry text
    `),
    doors: [],
    packages: ["openai"],
  },
  sources: {
    uses: ["calls", "net", "programs", "rooms", "self", "state", "text", "wait", "walls"],
    doors: words(`
      build/build_module here/here_carrier here/here_schemas here/here_source mcp/fold_issues mcp/inside/serve_client
      mcp/login/log_in mcp/login/serve_return mcp/public_names mcp/wire/cut_lines open/lazy_sources
      mcp/config/server_entries script/describe_script script/script_files source
    `),
    packages: [
      "@modelcontextprotocol/client",
      "@rollup/browser",
      "@rollup/plugin-commonjs",
      "resolve.exports",
      "sucrase",
      "zod",
    ],
  },
  browser: {
    uses: ["programs", "text", "wait", "walls"],
    doors: ["find_chromium", "inside/serve_driver", "lazy_browser", "user_browser_words"],
    packages: ["puppeteer-core"],
  },
  desktop: {
    uses: ["programs", "wait", "walls"],
    doors: ["find_desktop", "inside/serve_display", "lazy_desktop"],
  },
  calls: {
    uses: ["browser", "desktop", "programs", "rooms", "self", "state", "telemetry", "text", "wait", "walls"],
    packages: ["@eslint-community/regexpp", "@hyperjump/browser", "@hyperjump/json-schema"],
    doors: words(`
      answers/make_answers audit/audit_log audit/sum_up_audit audit_record call_events call_line call_tool
      exec_command batch/answer_call batch/batch_calls batch/expect catalog/carrier catalog/catalog
      catalog/choose_tools catalog/find_tool catalog/offered_tools consent control failed_result hooks
      json_schema/compile_schema json_schema/protocol json_schema/schema_check json_schema/schema_checker
      machine program_hooks results/refusal_event results/cap_result room_call/tool_gate room_carrier
      schedule
    `),
  },
  rooms: {
    uses: ["net", "self", "state", "telemetry", "text", "wait", "walls"],
    doors: words(`
      asks/ask inside/room_process inside/room_voice inside/serve_room places profile protocol
      inside/describe_module inside/shared_modules inside/to_schema missing_grant read_document room
      room_pool
    `),
    packages: ["zod"],
  },
  model: {
    uses: ["self", "text", "wait"],
    doors: words(`
      ask_model choose_model open_model providers/addresses providers/choose_endpoint providers/found_keys providers/presets
      serve_model
    `),
  },
  net: {
    uses: ["self", "wait", "walls"],
    doors: words(`
      bridge/program_bridges bridge/run_bridge dial/upstream forms/gate_headers pages/open_pages
      pages/pages_command pages/serve_pages dial/gate_failure forms/chunk_scanner forms/http_head
      wire/streams wire/wire open_gate port/fetch_over_port room/open_web seen_gate_folders serve_gate
    `),
    packages: ["fzstd"],
  },
  programs: {
    uses: ["self", "text", "wait", "walls"],
    doors: words(`
      git/executed_lookup git/ignore_lists git/linked_repository box/box_of box/only_programs box/program_box
      launch/command_reader
      launch/environment launch/judge_command apart/apart_launcher apart/shared_network launch/launch
      launch/launcher plan/sight launch/tell_start launch/watched_launcher process/make_program_host
      process/program_host narrow/driven_program narrow/narrow_programs narrow/own_program
      narrow/piped_program narrow/program_needs narrow/started_file network/box_network
      network/program_network process/run_attached process/saved_terminal box/program_view
      box/folders_to_show git/git_identity git/executed_lookup toolchains/find_toolchains
      toolchains/toolchains journal/finish_records journal/journal shell/analyse_command shell/programs_of
    `),
    packages: ["unbash"],
  },
  export: { uses: ["state", "text", "walls"], doors: ["export_session"] },
  state: {
    uses: ["text", "wait", "walls"],
    doors: words(`
      apart_folder artifact_folder artifact_writer held_names login_store keep_files keep_picture
      kept_artifacts owned_runs plain_file sessions/line_file overlay/apply_overlay overlay/mounted_overlay
      overlay/overlay_change overlay/overlay_changes overlay/overlay_store overlay/shown_changes undo/hidden_changes
      undo/plan_undo undo/read_record undo/run_changes undo/shown_plan undo/undo_record undo/undo_store
      sessions/open_session sessions/read_sources sessions/recording_lines sessions/redact_trace
      sessions/check_session sessions/session_claim sessions/remove_session sessions/session_folder
      sessions/trace_file state_folder tool_state trust/trust_store
    `),
  },
  telemetry: {
    uses: ["self", "text", "wait", "walls"],
    doors: words(`
      inside/send_spans metrics/metrics metrics/open_metrics metrics/work_metrics telemetry
      traces/open_traces
    `),
  },
  self: {
    uses: ["walls"],
    doors: words(`
      bare_ground entry_urls find_self net_worker say_loaded start_worker surroundings version
      release/newest_release release/serve_release
    `),
  },
  walls: { uses: ["text"], doors: "*" },
  // It reads Markdown in a worker, and in the browser.
  text: { uses: [], doors: "*", packages: ["marked"] },
  wait: { uses: [], doors: "*" },
};

/** What of the tools' engine each part may use, beside `schemas/`. */
const ENGINE: Readonly<Record<string, readonly string[]>> = {
  "": [],
  chart: ["", "file", "image", "office"],
  browser: [],
  desktop: ["image"],
  edit: ["file"],
  editor: ["edit", "file"],
  file: [],
  grep: ["", "file", "pattern", "walk"],
  image: ["file", "pdf"],
  office: ["", "file"],
  pattern: [],
  pdf: ["", "file"],
  program: [],
  walk: ["", "file", "pattern"],
  web: ["file", "image", "office", "pdf"],
};

/** The only parts of the machine that know tools: what rooms start with. */
const ROOM_ENTRIES = ["runtime/entries/room.ts", "runtime/entries/thread.ts"];
const MANIFEST = "tools/manifest.json";
/** What `@std` is called in the npm registry; it may be used everywhere. */
const STANDARD = "deno-std";
/** What main runs of libraries: nothing that reads foreign bytes. */
const IN_MAIN = ["fast-string-truncated-width"];

const ours = arrows.filter(({ to }) => isOurs(to));

Deno.test("each wing uses only the wings below it, by their doors", () => {
  const wrong = ours.filter(({ from, to }) => {
    const [wing, other] = [wingOf(from), wingOf(to)];
    if (wing === null || other === null || wing === other) return false;
    return !WINGS[wing]!.uses.includes(other) || !isDoor(to, other);
  });
  assertEquals(shown(wrong), []);
});

Deno.test("every permission and every door of the table is used", () => {
  const used = new Set(ours.flatMap(({ from, to }) => {
    const [wing, other] = [wingOf(from), wingOf(to)];
    return other === null || wing === other ? [] : [`${wing ?? "main.ts"} uses ${other}`, `door ${to}`];
  }));
  const table = Object.entries(WINGS).flatMap(([wing, { uses, doors }]) => [
    ...uses.map((other) => `${wing} uses ${other}`),
    ...(doors === "*" ? [] : doors.map((door) => `door runtime/${wing}/${door}.ts`)),
  ]);
  assertEquals(table.filter((row) => !used.has(row)), []);
  assertEquals(Object.keys(WINGS).toSorted(), [...new Set(typescriptIn("runtime").map(wingOf))].toSorted());
});

Deno.test("tools use schemas, their set and the engine; only rooms load tools", () => {
  const wrong = ours.filter(({ from, to }) => !mayUseOutside(from, to));
  assertEquals(shown(wrong), []);
});

Deno.test("no import leads in a circle, between files or folders, types included", () => {
  assertEquals(circlesOf(ours.filter(({ from, to }) => from !== to)), []);
  const folders = ours
    .filter(({ to }) => to.endsWith(".ts"))
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    .filter(({ from, to }) => from !== to && from !== "." && to !== ".");
  assertEquals(circlesOf(folders), []);
});

Deno.test("circlesOf() finds circles", () => {
  const of = (...pairs: string[]) => circlesOf(pairs.map((pair) => ({ from: pair[0]!, to: pair[1]! })));
  assertEquals(of("ab", "bc", "ac"), []);
  assertEquals(of("ab", "bc", "ca"), ["a -> b -> c -> a"]);
  assertEquals(of("xa", "ab", "ba"), ["a -> b -> a"]);
});

Deno.test("each library is where the table says, and main runs none", () => {
  const libraries = new Set<string>();
  for (const { from, to, isType } of arrows) {
    const name = libraryOf(to);
    const wing = wingOf(from);
    if (name !== null && wing !== null && !isType) libraries.add(`${wing}: ${name}`);
  }
  const table = Object.entries(WINGS).flatMap(([wing, { packages = [] }]) =>
    packages.map((name) => `${wing}: ${name}`)
  );
  assertEquals([...libraries].toSorted(), table.toSorted());
  for (const start of ["main.ts", "runtime/mod.ts"]) {
    const reached = reachedFrom(start);
    const libraries = [...reached].map(libraryOf).filter((name) => name !== null);
    assertEquals(libraries.filter((name) => !IN_MAIN.includes(name)), [], start);
    const ofTools = [...reached].filter((name) =>
      /^tools\/(?!coming\/)/.test(name) && !name.endsWith("README.md")
    );
    assertEquals(ofTools.filter((name) => name !== MANIFEST), [], start);
  }
});

Deno.test("the start of the program and of a call load no library, and nothing for terminals and batches", () => {
  for (const start of ["main.ts", "runtime/cli/run_cli.ts", "runtime/cli/commands/call.ts"]) {
    const loaded = [...reachedFrom(start, { lazily: false })];
    const isEarly = (name: string) =>
      libraryOf(name) !== null || /^runtime\/(?:agent|calls\/batch|cli\/report|cli\/show\/live_)/.test(name);
    assertEquals(loaded.filter(isEarly), [], start);
  }
});

Deno.test("schemas import zod for its types only", () => {
  const foreign = arrows.filter(({ from, to }) =>
    from.startsWith("schemas/") && !from.endsWith(".d.ts") && !isOurs(to)
  );
  const named = foreign.map(({ to, isType }) => `${libraryOf(to) ?? to} ${isType}`);
  assertEquals([...new Set(named)], ["zod true"]);
});

Deno.test("every source file is reached from an entry, and nobody imports an entry", () => {
  const reached = new Set([...ENTRIES, ...arrows.map(({ to }) => to)]);
  const all = ["runtime", "schemas", "tools", "scripts"].flatMap(typescriptIn);
  const examples = (path: string) => path.startsWith("scripts/demo/");
  const isRead = (path: string) => reached.has(path) || path.endsWith(".d.ts") || examples(path);
  assertEquals(all.filter((path) => !isRead(path)), []);
  assertEquals(shown(arrows.filter(({ to }) => ENTRIES.includes(to))), []);
  const entries = typescriptIn("runtime/entries");
  assertEquals(entries, ENTRIES.filter((path) => path.startsWith("runtime/entries/")).toSorted());
});

Deno.test("tools/manifest.json is what the tools say", async () => {
  const flags = ["--quiet", "--no-prompt", "--allow-read"];
  const { code, stderr } = await deno(["run", ...flags, "scripts/manifest.ts", "--check"]);
  assertEquals([code, stderr], [0, ""]);
});

/** The wing of a file of the machine, `null` for all others. */
function wingOf(path: string): string | null {
  const [top, wing = "", ...rest] = path.split("/");
  if (top !== "runtime" || !path.endsWith(".ts")) return null;
  return rest.length === 0 || wing === "mod.ts" ? "mod.ts" : wing;
}

function isDoor(path: string, wing: string): boolean {
  const { doors } = WINGS[wing]!;
  return doors === "*" || doors.includes(path.slice(`runtime/${wing}/`.length, -".ts".length));
}

/** The table of permitted arrows outside of the machine, and out of it. */
function mayUseOutside(from: string, to: string): boolean {
  const [top, set = ""] = from.split("/");
  const into = (...folders: string[]) => folders.some((folder) => to.startsWith(`${folder}/`));
  if (to.endsWith("README.md")) return from === "runtime/cli/help/render_topic.ts";
  if (top === "main.ts") {
    return to === MANIFEST || to === "runtime/walls/landlock/launch.ts" ||
      into("schemas", "runtime/cli", "runtime/net", "runtime/rooms", "runtime/self");
  }
  if (top === "schemas") return into("schemas");
  if (top === "runtime") {
    if (to === MANIFEST) return from === "runtime/mod.ts" || from === "runtime/mcp/mod.ts";
    // Data: what words of other systems are here, examples that are copied, and steps that name tools.
    if (into("tools/coming")) return from === "runtime/coming/systems.ts";
    if (into("scripts/demo") || to === "scripts/demo_steps.json") return dirname(from) === "runtime/cli/demo";
    return into("runtime", "schemas") || (ROOM_ENTRIES.includes(from) && to === "tools/mod.ts");
  }
  if (top === "scripts") return into("scripts", "runtime", "schemas", "tools") || to === "deno.json";
  // Data alone: agents name tools and import none.
  if (set === "agents") return into("schemas") || (from === "tools/agents/mod.ts" && into("tools/agents"));
  if (from === "tools/mod.ts") return into("tools") && !to.includes("/shared/");
  if (top !== "tools") return false;
  if (set === "engine") return into("schemas") || mayUseEngine(from, to);
  return into("schemas", "tools/engine", `tools/${set}/shared`);
}

function mayUseEngine(from: string, to: string): boolean {
  const [part, other] = [partOf(from), partOf(to)];
  return part !== null && other !== null && (part === other || ENGINE[part]!.includes(other));
}

/** The part of the engine that a file is in: its folder, `""` at the top. */
function partOf(path: string): string | null {
  const [, part] = /^tools\/engine\/(?:(\w+)\/)?[^]*$/.exec(path) ?? [];
  return path.startsWith("tools/engine/") ? part ?? "" : null;
}

/** The name of a library, `null` for ours, for what Deno has itself, and for its standard library. */
function libraryOf(name: string): string | null {
  const library = /^npm:\/?((?:@[^/]+\/)?[^@/]+)/.exec(name)?.[1] ?? null;
  return library === STANDARD ? null : library;
}

/** Everything that a module leads to, types apart. */
function reachedFrom(start: string, { lazily = true } = {}): Set<string> {
  const seen = new Set([start]);
  for (const path of seen) {
    for (const { from, to, isType, isLazy } of arrows) {
      if (from === path && !isType && (lazily || !isLazy)) seen.add(to);
    }
  }
  return seen;
}

function shown(list: readonly { from: string; to: string }[]): string[] {
  return [...new Set(list.map(({ from, to }) => `${from} -> ${to}`))];
}
