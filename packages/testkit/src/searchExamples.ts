/** What a search finds in a transcript of some lines: the parts that are marked in each line that is found. */
export interface SearchExample {
  readonly name: string
  readonly lines: ReadonlyArray<string>
  readonly query: string
  readonly found: ReadonlyArray<ReadonlyArray<string>>
}

const example = (
  name: string,
  lines: ReadonlyArray<string>,
  query: string,
  ...found: ReadonlyArray<ReadonlyArray<string>>
): SearchExample => ({ name, lines, query, found })

/** Every search finds this, wherever the transcripts are: one rule, in memory, in a database and in a library of files. */
export const searchExamples: ReadonlyArray<SearchExample> = [
  example("words in any order in one line", ["ways to market", "market", "two ways"], "market ways", [
    "ways",
    "market",
  ]),
  example("a phrase", ["the early history", "history, early"], '"early history"', ["early history"]),
  example("a phrase over two lines", ["We talked about early", "history of the town"], '"early history"', [
    "early",
  ]),
  example("the last word as a beginning", ["responsibility"], "responsib", ["responsib"]),
  example("no other word as a beginning", ["responsibility matters"], "responsib matters"),
  example("a beginning with an asterisk", ["the museum opens", "a muse"], "muse* opens", ["muse", "opens"]),
  example("the end of a phrase as a beginning", ["early historians"], '"early histor*"', ["early histor"]),
  example("no asterisk within a word", ["remarkable"], "*mark"),
  example("accents of the text", ["Crème brûlée"], '"creme brulee"', ["Crème brûlée"]),
  example("accents of the query", ["a la facade"], "façade", ["facade"]),
  example("sharp s", ["die Straße"], "strasse", ["Straße"]),
  example("a typed umlaut", ["nach Muenchen"], '"München"', ["Muenchen"]),
  example("an umlaut typed as two letters", ["nach München"], '"Muenchen"', ["München"]),
  example("an umlaut typed without its dots", ["nach München"], '"Munchen"', ["München"]),
  example("many umlauts", ["Überflüssige Vögelgeräusche"], "ueberfluessige voegelgeraeusche", [
    "Überflüssige",
    "Vögelgeräusche",
  ]),
  example("two letters that are no umlaut", ["a pot of tea", "dull"], '"poet"'),
  example("a German compound by its beginning", ["der Haustürschlüssel"], "haustür", ["Haustür"]),
  example("no German compound by its end", ["der Haustürschlüssel"], "schlüssel"),
  example("Chinese", ["我们今天去北京大学开会"], "北京大学", ["北京大学"]),
  example("Chinese across what a dictionary takes for words", ["研究生命起源"], "生命", ["生命"]),
  example("one Chinese character", ["今天去北京"], "京", ["京"]),
  example("Chinese letters in another order", ["京北"], "北京"),
  example("Japanese", ["が東京タワーです"], "東京タワー", ["東京タワー"]),
  example("Thai", ["คนทำขนมปังเปิดร้าน"], "ขนมปัง", ["ขนมปัง"]),
  example("half a Korean syllable", ["한국어"], "한구", ["한국"]),
  example("Chinese and Latin", ["我用OpenAI工作"], "openai工作", ["OpenAI工作"]),
  example("another letter", ["the climate report"], "climote", ["climate"]),
  example("a letter too few", ["the climate report"], "climte", ["climate"]),
  example("a letter too many", ["the climate report"], "climmate report", ["climate", "report"]),
  example("two letters in the other order", ["the climate report"], "cliamte report", ["climate", "report"]),
  example("Cyrillic with another letter", ["большая история"], "исторея", ["история"]),
  example("nothing that is nearly right beside what is right", ["house", "horse"], "house", ["house"]),
  example("no mistake in quotes", ["the climate report"], '"climote"'),
  example("no two mistakes", ["the climate report"], "clomote"),
  example("no mistake in a short word", ["four"], "five"),
  example("signs of patterns", ["a.c abc 100% a_b"], "a.c", ["a.c"]),
  example("a percent sign", ["100 people"], '"1%"'),
  example("nothing", ["anything"], "... % _ * \\ '"),
]
