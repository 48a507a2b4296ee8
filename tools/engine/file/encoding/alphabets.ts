/** A legacy encoding, by its usual name and its label in the Encoding Standard. */
export type Named = readonly [name: string, label: string];

/** The letters of a language beyond ASCII, and the encodings in which it is written. */
export interface Alphabet {
  encodings: readonly Named[];
  /** Small letters: those that make most of a text, then the others, the rarest last. */
  letters: readonly string[];
  /** Its words have letters of ASCII, too. */
  latin: boolean;
  /** How rare such files are: the natural logarithm of a share. */
  prior: number;
}

const latin = (prior: number, encodings: readonly Named[], ...languages: string[]): Alphabet[] =>
  languages.map((letters) => ({ encodings, letters: letters.split(" "), latin: true, prior }));

const other = (prior: number, encodings: readonly Named[], letters: string): Alphabet => ({
  encodings,
  letters: letters.split(" "),
  latin: false,
  prior,
});

/** The languages; where several fit as well, the first counts. */
export const ALPHABETS: readonly Alphabet[] = [
  ...latin(
    0,
    [["Windows-1252", "windows-1252"]],
    "éèàêç âæëîïôœùûüÿñ",
    "áéíñó úüºª",
    "ãçáéíóê âàôõúü",
    "äöüß éèà",
    "àèéìòù îóúí",
    "åäö éüàæøèêóòô",
    "æøå éäöüóòô",
    "áðéíóúýþæö",
    "àèéíóò çïúü",
  ),
  ...latin(
    -2,
    [["Windows-1250", "windows-1250"], ["ISO-8859-2", "iso-8859-2"]],
    "áíéěřčšžý ůďňóťú",
    "áíéčšžýľú äďňóôťĺŕ",
    "ąęłóśż ćńź",
    "áéíóöő úüű",
    "čšž ćđ",
    "ăâîşţ",
  ),
  ...latin(-4, [["Windows-1257", "windows-1257"]], "ėšžųū ąčęį", "āēīšņļ čģķūž", "äõöü šž"),
  ...latin(-3, [["Windows-1254", "windows-1254"]], "ığşçüö iâîû"),
  ...latin(-5, [["Macintosh", "macintosh"]], "éèàêçäöüß âæëîïôœùûÿñáíóú"),
  other(
    -4,
    [["Windows-1251", "windows-1251"], ["KOI8-R", "koi8-r"], ["ISO-8859-5", "iso-8859-5"]],
    "оеаинтср влкмдпуыяьі бгжзйфхцчшщъэюёїєґў",
  ),
  other(-6, [["IBM866", "ibm866"]], "оеаинтср влкмдпуыяь бгжзйфхцчшщъэюё"),
  other(
    -6,
    [["Windows-1253", "windows-1253"], ["ISO-8859-7", "iso-8859-7"]],
    "αοιετσνη υρπκμλςωάίόέή βγδζθξφχψύώϊϋΐΰ",
  ),
  other(
    -6,
    [["Windows-1255", "windows-1255"], ["ISO-8859-8", "iso-8859-8"]],
    "יוהלארתב םמשנעדכ גזחטךןסףפץצק",
  ),
  other(
    -6,
    [["Windows-1256", "windows-1256"], ["ISO-8859-6", "iso-8859-6"]],
    "اليمنوتر بةعدسفهكأقحج ءآؤإئثخذزشصضطظغىپچژگًَُِّْ",
  ),
  other(
    -6,
    [["Windows-874", "windows-874"]],
    "รนอากเง่้ มวยลดทสตะปบคหัีไแใิุื์พ ขฃฅฆจฉชซฌญฎฏฐฑฒณถธผฝฟภฤฦศษฬฮฯำึฺูโๅๆ็๊๋",
  ),
];

/** Signs beyond ASCII that stand beside words in many languages. */
export const SIGNS: ReadonlySet<string> = new Set("“”„‘’–—…«»€£§°·©®•¿¡\u00a0،؛؟");
/** Rarer ones. */
export const RARE_SIGNS: ReadonlySet<string> = new Set("‚‹›µ™²³¹×÷±½¼¾ªº№´¨¶†‰");
/** Those that also stand inside words. */
export const JOINING: ReadonlySet<string> = new Set("’·\u00a0–—");
/** Letters of the Latin script beyond ASCII that are words by themselves. */
export const ALONE: ReadonlySet<string> = new Set("àáâéèíìóòôùúåöæøıõž");
