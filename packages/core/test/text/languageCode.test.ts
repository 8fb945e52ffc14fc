import { languageCodeOf, languageNameOf } from "@earmark/core/text"
import { assert, it } from "@effect/vitest"

const table: ReadonlyArray<readonly [string, string | null]> = [
  ["en", "en"],
  ["pt-BR", "pt-BR"],
  ["english", "en"],
  ["German", "de"],
  ["HAITIAN CREOLE", "ht"],
  ["Castilian", "es"],
  [" norwegian ", "no"],
  ["chinese", "zh"],
  ["klingonish", null],
  ["", null],
]

for (const [text, code] of table) {
  it(`${JSON.stringify(text)} is ${code}`, () => {
    assert.strictEqual(languageCodeOf(text), code)
  })
}

for (const [code, name] of [
  ["en", "english"],
  ["pt-BR", "portuguese"],
  ["ZH-hans", "chinese"],
  ["deu", "german"],
  ["qzz", "qzz"],
  ["not a code", "not a code"],
] as const) {
  it(`${code} is called ${name}`, () => {
    assert.strictEqual(languageNameOf(code), name)
  })
}
