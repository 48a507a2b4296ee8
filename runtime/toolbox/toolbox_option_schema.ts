import {
  CALL_OPTIONS,
  fieldsOf,
  FUNCTION,
  NAME,
  OBJECT,
  RUNNER_FIELDS,
  TEXT,
  without,
  YES_OR_NO,
} from "../host/options/option_schema.ts";

/** The options of a toolbox. */
export const TOOLBOX_OPTIONS = fieldsOf({
  ...without(RUNNER_FIELDS, ["workspace", "here"]),
  workspaceRoot: NAME,
  enableCoreTools: YES_OR_NO,
  callableTools: { type: "array" },
});
/** What a tool is registered with. */
export const TOOL_PARTS = fieldsOf({ spec: OBJECT, handler: FUNCTION });
/** What goes with a call of a toolbox. */
export const INVOKE_OPTIONS = fieldsOf({
  ...CALL_OPTIONS.properties as object,
  requestId: TEXT,
  dependencies: OBJECT,
});
