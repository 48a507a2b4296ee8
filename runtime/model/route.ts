import type { ModelSettings } from "./protocol.ts";
import { isUnknownModel } from "./model_error.ts";
import { versionedUrl } from "./providers/addresses.ts";
import type { FetchRefusal } from "./watched_fetch.ts";

/** How a server says that there is no such path, or nothing to post to. */
const NO_PATH = new Set([404, 405]);
/** Longest text that says so, in characters. */
const MAX_NO_PATH = 1_000;

/** Says whether an answer with a good status is a refusal of the path, as LM Studio gives it. */
export function saysNoPath(text: string): boolean {
  return text.length < MAX_NO_PATH && /^\s*\{\s*"error"\s*:\s*"Unexpected endpoint/i.test(text);
}

/** The way of one request: it may find its model under another name, or below `/v1` of the base URL. */
export class Route {
  readonly #settings: ModelSettings;
  readonly #start: Pick<ModelSettings, "baseUrl" | "name">;
  readonly #urls: string[];
  #isRenamed = false;
  #isTold = false;

  /** @param settings Keep what the way teaches, for later requests */
  constructor(settings: ModelSettings) {
    this.#settings = settings;
    this.#start = { baseUrl: settings.baseUrl, name: settings.name };
    this.#urls = [settings.baseUrl];
  }

  /** Learns from a refusal where else to ask. Says whether the next try differs. */
  turn(refusal: FetchRefusal): boolean {
    const settings = this.#settings;
    if (isUnknownModel(refusal, settings)) {
      const { other } = settings.alias;
      const differs = other !== null && !this.#isRenamed && other !== settings.name;
      settings.name = differs ? other : this.#start.name;
      return this.#isRenamed = differs;
    }
    if (!NO_PATH.has(refusal.status)) return false;
    const versioned = this.#urls.length === 1 ? versionedUrl(settings.baseUrl) : null;
    settings.baseUrl = versioned ?? this.#start.baseUrl;
    if (versioned === null) return false;
    this.#urls.push(versioned);
    return true;
  }

  /** Tells once, before its text, that an answer comes from elsewhere than the user said. */
  tellOnce({ warn }: { warn(message: string): void }): void {
    const { baseUrl } = this.#settings;
    if (this.#isTold || baseUrl === this.#start.baseUrl) return;
    this.#isTold = true;
    warn(
      `The model's API is not at ${this.#start.baseUrl} but at ${baseUrl}, which is used for this run: ` +
        "set that as the base URL",
    );
  }

  /** What to say of a refusal, if the API was looked for elsewhere too. */
  get hint(): string {
    return this.#urls.length === 1 ? "" : `; tried the base URLs ${this.#urls.join(" and ")}`;
  }
}
