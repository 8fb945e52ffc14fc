/** Reading, listing and searching among very many jobs on Postgres. `--million` makes a million of them, which takes minutes. */
import { fewAndMany, MANY } from "./database/manyJobs.js"
import { startStores } from "./database/measure.js"
import { absolute, main, type Outcome } from "./harness.js"
import { ofThousandHours } from "./text/questions.js"

const P95 = 0.95

const within = (bench: string, { few, many }: { few: number; many: number }): Outcome => ({
  bench: `${bench} p95 ms at ${MANY.toLocaleString("en")} jobs`,
  ours: many,
  rival: few,
  rivalName: "the same at 1,000",
  ratio: many / few,
  bar: "<= 1.5x",
  pass: many <= few * 1.5,
})

const search = (word: string, times: { few: number; many: number }): ReadonlyArray<Outcome> => [
  within(`search for ${word}`, times),
  absolute(
    `search for ${word} p95 ms at ${MANY.toLocaleString("en")} jobs`,
    times.many,
    "< 50",
    times.many < 50,
  ),
]

const questions = async (): Promise<Outcome> => {
  const { stop, stores } = await startStores()
  try {
    return await stores.runPromise(ofThousandHours("on Postgres"))
  } finally {
    await stop()
  }
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { compare, stop } = await fewAndMany({ searchable: true })
  try {
    return [
      within("get", await compare("get", P95)),
      within("list", await compare("list", P95)),
      within("list with a status", await compare("status", P95)),
      ...search("a rare word", await compare("rare", P95)),
      ...search("a word of every transcript", await compare("common", P95)),
      await questions(),
    ]
  } finally {
    await stop()
  }
}

await main({ run })
