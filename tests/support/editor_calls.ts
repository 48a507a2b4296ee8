/** What a model asks of `str_replace_editor`; what is `undefined` is not there. */
export const editorCalls = {
  view: (path: string, view_range?: readonly number[]) => ({ command: "view", path, view_range }),
  create: (path: string, file_text?: string) => ({ command: "create", path, file_text }),
  replace: (path: string, old_str?: string, new_str?: string) => ({
    command: "str_replace",
    path,
    old_str,
    new_str,
  }),
  insert: (path: string, insert_line?: number, new_str?: string) => ({
    command: "insert",
    path,
    insert_line,
    new_str,
  }),
  undo: (path: string) => ({ command: "undo_edit", path }),
};
