import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { findModel } from "../src/index.js"
import { pickModel, type SherpaModel, sherpaModels } from "../src/sherpa/index.js"

const guide = readFileSync(
  fileURLToPath(new URL("../../../docs/guides/choosing-an-engine.md", import.meta.url)),
  "utf8",
)

/** The rows of the table of models: the language, and the models of each quality. */
const rows = [
  ...guide
    .slice(guide.indexOf("## Models by language"))
    .matchAll(/^\| ([^|`]+) \| (`[^|]+`) \| (`[^|]+`) \|$/gm),
].map(([, language = "", accurate = "", fast = ""]) => ({
  language,
  accurate: accurate.replaceAll("`", "").split(", "),
  fast: fast.replaceAll("`", "").split(", "),
}))

/** What is picked, and what after it where that is not here, and so on. */
const inTurn = (language: string, quality: "fast" | "accurate"): ReadonlyArray<string> => {
  const order: Array<string> = []
  let left: ReadonlyArray<SherpaModel> = sherpaModels("models")
  for (let best = pickModel(left, language, quality); best !== undefined; ) {
    const { id } = best
    order.push(id)
    left = left.filter((model) => model.id !== id)
    best = pickModel(left, language, quality)
  }
  return order
}

describe("the table of models for languages in the docs", () => {
  const [english, european, others] = rows

  for (const quality of ["accurate", "fast"] as const) {
    it(`names the models in the order in which they are taken (${quality})`, () => {
      assert.deepStrictEqual(english?.[quality], inTurn("en", quality))
      for (const language of european?.language.split(" ") ?? [])
        assert.deepStrictEqual(european?.[quality], inTurn(language, quality), language)
      for (const language of ["ja", "zh", "ar", "tr"])
        assert.deepStrictEqual(others?.[quality], inTurn(language, quality), language)
    })
  }

  it("names every language of the European model", () => {
    const languages = findModel("parakeet-tdt-0.6b-v3")?.languages
    assert.deepStrictEqual(
      ["en", ...(european?.language.split(" ") ?? [])].toSorted(),
      [...(languages === undefined || languages === "any" ? [] : languages)].toSorted(),
    )
  })
})
