import { languageCodeOf } from "@earmark/core/text"
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
