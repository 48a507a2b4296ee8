import { isObject } from "../../../schemas/json/shape.ts";
import { plural } from "../../text/plural.ts";

/** What is taken out of requests because a server refused it. */
export interface LeftOut {
  /** Pictures. */
  noImages?: boolean;
  /** Tools, by the names under which they are offered. */
  withoutTools?: readonly string[];
  /** More tools than this. */
  mostTools?: number;
  /** Schemas of tools with more than types, fields and words. */
  simpleSchemas?: boolean;
  /** Fields of requests besides the usual ones. */
  withoutFields?: readonly string[];
}

/** A refused request, as far as these lessons look at it. */
export interface RefusedRequest {
  /** The server's words. */
  said: string;
  /** Its whole answer. */
  body: string;
  /** The request, as it was sent. */
  sent: Readonly<Record<string, unknown>>;
  quirks: Readonly<LeftOut>;
}

const PICTURES = /\bimages?\b|image_url|\bpictures?\b|\bvision\b|multi-?modal|\bmmproj\b|图片|图像|图文/i;
/** A server that takes texts alone may not know the word for pictures. */
const TEXT_ONLY =
  /content\b[^.]{0,40}\b(?:must|should|expected|has)\b[^.]{0,20}\bstring|only (?:supports? )?text|invalid type: sequence, expected a string/i;
/** The place of a tool in a list: in words, as a path, or as the place in a list of pydantic. */
const PLACES = [
  /\b(?:function_declarations|functionDeclarations)\W{1,4}(\d+)\b/,
  /\btools?(?:\[|\.|\/|["']?\]?\[|["']?\s*,\s*|\s*->\s*)["']?(\d+)\b/i,
  /\b(?:tools?|functions?)\b[^.\n]{0,30}?\b(?:at )?(?:index|position|number|no\.?|#)\s*(\d+)\b/i,
  /\b(?:index|position)\s*(\d+)\b[^.\n]{0,30}\b(?:tools?|functions?)\b/i,
  /\b(?:tool|function) #?(\d+)\b/i,
];
const ABOUT_TOOLS = /tool|function|schema|declaration|parameter|keyword|grammar|name|\$ref|enum|propert/i;
const TOO_MANY =
  /too many|too long|at most|max(?:imum|items)?\b|more than|limit|exceed|fewer|less than|up to|must (?:have|contain)|<=|过多|超过/i;
const OF_TOOLS = /\b(?:tools|functions|function_declarations|functionDeclarations)\b|工具/i;
const WRONG =
  /invalid|unsupported|not (?:be )?(?:supported|valid|allowed|permitted)|unknown|unrecogni[sz]ed|unexpected|cannot|can't|could not|failed|unable|error|must|bad|malformed|does(?:n't| not)|refus|reject/i;
const UNKNOWN_FIELD =
  /unknown|unsupported|unrecogni[sz]ed|unexpected|not (?:be )?(?:supported|permitted|allowed|valid|accepted|available|recogni[sz]ed)|does(?:n't| not)|extra|invalid|additional propert|cannot|can't|no such|only the default|deprecated|must (?:not )?be/i;

/** Learns that a model takes no pictures, from a refusal of a request that has some. */
export function withoutPictures({ said, sent }: RefusedRequest): LeftOut | null {
  if (!JSON.stringify(sent.messages ?? []).includes('"image_url"')) return null;
  return PICTURES.test(said) || TEXT_ONLY.test(said) ? { noImages: true } : null;
}

/** Learns which tools a server does not take: those that it names, by their names or places, or all beyond a number. */
export function withoutTools({ said, body, sent, quirks }: RefusedRequest): LeftOut | null {
  const names = toolNames(sent);
  if (names.length === 0 || !ABOUT_TOOLS.test(said)) return null;
  const place = PLACES.map((one) => one.exec(body) ?? one.exec(said)).find((found) => found !== null);
  const placed = place && names[Number(place[1])];
  if (placed === undefined || place === null) {
    const most = mostOf(said, names.length);
    if (most !== null) return { mostTools: most };
  }
  const wrong = placed ? [placed] : WRONG.test(said) ? names.filter((name) => isNamed(name, said)) : [];
  return wrong.length === 0 ? null : { withoutTools: [...quirks.withoutTools ?? [], ...wrong] };
}

/** Learns to send simple schemas, from a refusal that names no tool. */
export function simplerSchemas({ said, sent, quirks }: RefusedRequest): LeftOut | null {
  if (toolNames(sent).length === 0 || quirks.simpleSchemas) return null;
  return /schema|function|\btools?\b|declaration|keyword|grammar|\$ref|\$defs/i.test(said) && WRONG.test(said)
    ? { simpleSchemas: true }
    : null;
}

/** Learns which field of a request a server does not know. */
export function withoutField(
  { said, sent, quirks }: RefusedRequest,
  usual: ReadonlySet<string>,
): LeftOut | null {
  const named = Object.keys(sent).filter((field) => !usual.has(field) && hasWord(said, field));
  if (named.length === 0 || !UNKNOWN_FIELD.test(said)) return null;
  return { withoutFields: [...quirks.withoutFields ?? [], ...named] };
}

/** Says what is left out from here on; `null` for what needs no word. */
export function tellLeftOut(learned: LeftOut, model: string): string | null {
  const { noImages, withoutTools, mostTools, simpleSchemas, withoutFields } = learned;
  if (noImages) {
    return "The model takes no pictures: it is told in words that they are there, from here on; " +
      `models."${model}".images = false says so from the start`;
  }
  if (withoutTools) return `The model's server refuses ${withoutTools.join(", ")}: left out from here on`;
  if (mostTools !== undefined) {
    return `The model's server takes ${plural(mostTools, "tool")}: the others are left out from here on; ` +
      "choose with --tools";
  }
  if (simpleSchemas) {
    return "The model's server refuses the schemas of the tools: simple ones are sent from here on";
  }
  if (withoutFields) {
    return `The model's server does not take ${withoutFields.join(", ")}: left out from here on`;
  }
  return null;
}

/** Names of the tools in a request. */
function toolNames({ tools }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool) => isObject(tool) && isObject(tool.function) ? String(tool.function.name) : "");
}

/** A name of one plain word must stand in quotes or behind the word for tools. */
function isNamed(name: string, said: string): boolean {
  const word = escape(name);
  if (new RegExp(`["'\`“‘<(\\[]${word}["'\`”’>)\\]]`).test(said)) return true;
  if (new RegExp(`(?:functions?|tools?)[\\s.:=/\\\\"']{1,4}${word}(?![\\w-])`, "i").test(said)) return true;
  return /[_\d-]/.test(name) && new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(said);
}

function hasWord(said: string, field: string): boolean {
  return new RegExp(`(?<![\\w])${escape(field)}(?![\\w])`).test(said);
}

/** How many tools a server takes that was sent too many. */
function mostOf(said: string, sent: number): number | null {
  if (!OF_TOOLS.test(said) || !TOO_MANY.test(said)) return null;
  const numbers = [...said.matchAll(/(?<![\w.])(\d{1,5})(?![\w.]*\w)/g)].map(([, digits]) => Number(digits));
  const lower = numbers.filter((number) => number > 0 && number < sent);
  if (lower.length > 0) return Math.max(...lower);
  return numbers.length === 0 && /too many|过多/i.test(said) ? Math.max(1, Math.floor(sent / 2)) : null;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
