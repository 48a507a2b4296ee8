import type { SearchEngine } from "./results/search.ts";
import { braveEngine } from "./apis/brave.ts";
import { exaEngine } from "./apis/exa.ts";
import { jinaEngine } from "./apis/jina.ts";
import { perplexityEngine } from "./apis/perplexity.ts";
import { searxngEngine } from "./apis/searxng.ts";
import { serperEngine } from "./apis/serper.ts";
import { serplyEngine } from "./apis/serply.ts";
import { tavilyEngine } from "./apis/tavily.ts";
import { baiduEngine } from "./pages/baidu.ts";
import { bingEngine } from "./pages/bing.ts";
import { duckduckgoEngine, duckduckgoLiteEngine } from "./pages/duckduckgo.ts";
import { googleEngine } from "./pages/google.ts";

/** Every search engine, by the word for it in settings. */
export const ENGINES: ReadonlyMap<string, SearchEngine> = new Map(
  [
    serperEngine,
    jinaEngine,
    tavilyEngine,
    braveEngine,
    perplexityEngine,
    serplyEngine,
    exaEngine,
    searxngEngine,
    duckduckgoEngine,
    duckduckgoLiteEngine,
    bingEngine,
    baiduEngine,
    googleEngine,
  ].map((engine) => [engine.service.name, engine]),
);
