/** The toolset whose bare names win, and whose tools a model gets by default. */
export const DEFAULT_TOOLSET = "harness";

/** Every tool's module by full name, in the order in which each toolset shows its tools. Literal imports, all lazy. */
export const loaders = {
  "harness/Glob": () => import("./harness/glob.ts"),
  "harness/Grep": () => import("./harness/grep.ts"),
  "harness/Read": () => import("./harness/read.ts"),
  "harness/ReadPDF": () => import("./harness/read_pdf.ts"),
  "harness/ReadImage": () => import("./harness/read_image.ts"),
  "harness/Write": () => import("./harness/write.ts"),
  "harness/Edit": () => import("./harness/edit.ts"),
  "harness/Bash": () => import("./harness/bash.ts"),
  "harness/WebSearch": () => import("./harness/web_search.ts"),
  "harness/ScholarSearch": () => import("./harness/scholar_search.ts"),
  "harness/WebFetch": () => import("./harness/web_fetch.ts"),
  "harness/AskUser": () => import("./harness/ask_user.ts"),
  "harness/TerminalStart": () => import("./harness/terminal_start.ts"),
  "harness/TerminalWrite": () => import("./harness/terminal_write.ts"),
  "harness/TerminalRead": () => import("./harness/terminal_read.ts"),
  "harness/TerminalInterrupt": () => import("./harness/terminal_interrupt.ts"),
  "harness/TerminalKill": () => import("./harness/terminal_kill.ts"),
  "harness/ReadDocument": () => import("./harness/read_document.ts"),
  "harness/str_replace_editor": () => import("./harness/str_replace_editor.ts"),
  "par/calculator": () => import("./par/calculator.ts"),
  "par/get_time": () => import("./par/get_time.ts"),
  "par/echo": () => import("./par/echo.ts"),
  "par/generate_uuid": () => import("./par/generate_uuid.ts"),
  "par/hash_text": () => import("./par/hash_text.ts"),
  "par/generate_password": () => import("./par/generate_password.ts"),
  "par/string_stats": () => import("./par/string_stats.ts"),
  "par/json_format": () => import("./par/json_format.ts"),
  "par/convert_temperature": () => import("./par/convert_temperature.ts"),
  "par/url_encode": () => import("./par/url_encode.ts"),
  "par/fetch_url": () => import("./par/fetch_url.ts"),
  "par/read": () => import("./par/read.ts"),
  "par/ls": () => import("./par/ls.ts"),
  "par/find": () => import("./par/find.ts"),
  "par/grep": () => import("./par/grep.ts"),
  "par/write": () => import("./par/write.ts"),
  "par/edit": () => import("./par/edit.ts"),
  "par/bash": () => import("./par/bash.ts"),
  "par/read_webpage": () => import("./par/read_webpage.ts"),
  "par/web_search": () => import("./par/web_search.ts"),
  "manus/python_execute": () => import("./manus/python_execute.ts"),
  "manus/bash": () => import("./manus/bash.ts"),
  "manus/str_replace_editor": () => import("./manus/str_replace_editor.ts"),
  "manus/planning": () => import("./manus/planning.ts"),
  "manus/terminate": () => import("./manus/terminate.ts"),
  "manus/ask_human": () => import("./manus/ask_human.ts"),
  "manus/create_chat_completion": () => import("./manus/create_chat_completion.ts"),
  "manus/web_search": () => import("./manus/web_search.ts"),
  "manus/crawl4ai": () => import("./manus/crawl4ai.ts"),
  "sgr/web_search_tool": () => import("./sgr/web_search_tool.ts"),
  "sgr/extract_page_content_tool": () => import("./sgr/extract_page_content_tool.ts"),
};

/** Readers of foreign bytes. They run in rooms that hold only these bytes and are not offered as tools. */
export const readers = {
  "reader/pdf": () => import("./readers/pdf.ts"),
  "reader/image": () => import("./readers/image.ts"),
  "reader/office": () => import("./readers/office.ts"),
  "reader/page": () => import("./readers/page.ts"),
};

/** What helper threads of rooms do. */
export const threadServices: Readonly<Record<string, () => Promise<(port: MessagePort) => void>>> = {
  search: async () => (await import("./engine/grep/thread.ts")).serveSearchThread,
  pdf: async () => (await import("./engine/pdf/thread.ts")).servePdfThread,
};
