const THREE_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ara: "ar",
    chi: "zh",
    zho: "zh",
    cmn: "zh",
    yue: "zh",
    deu: "de",
    ger: "de",
    dut: "nl",
    nld: "nl",
    eng: "en",
    fra: "fr",
    fre: "fr",
    heb: "he",
    hin: "hi",
    ita: "it",
    jpn: "ja",
    khm: "km",
    kor: "ko",
    lao: "lo",
    por: "pt",
    spa: "es",
    tha: "th",
    iw: "he",
  }),
)

/** The bare language of a code: `en` of `en-US`, `EN_gb` and `eng`. Null when there is none. */
export const baseLanguage = (code: string | null | undefined): string | null => {
  const base = (code ?? "").toLowerCase().split(/[-_]/)[0] ?? ""
  return base === "" || base === "und" ? null : (THREE_LETTERS.get(base) ?? base)
}
