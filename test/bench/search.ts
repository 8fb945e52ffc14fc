/** Search over all transcripts of an account of 1,000 and of 10,000 hours, on Postgres. */
import { type AccountId, effectiveOptions } from "@earmark/core/jobs"
import { indexedWords } from "@earmark/core/text"
import { SearchAllQuery } from "@earmark/core/wire"
import { JobStore, makeSearches, Secrets } from "@earmark/service"
import { seededRandom } from "@earmark/testkit"
import { Effect, Array as Lists, Redacted, Schema } from "effect"
import type { Client } from "pg"
import { latencies, newAccount, quantile, type Stores, startStores } from "./database/measure.js"
import { main, type Outcome, sized } from "./harness.js"

const FEW = sized(1000, 20)
const MANY = sized(10_000, 40)
const TEMPLATES = sized(200, 5)
/** An hour as it is spoken: 9,000 words in lines of 15. */
const LINES = 600
const WORDS = 15
/** The line in which each transcript says its own name. */
const OWN_LINE = 300
const VOCABULARY = 20_000
const CALLS = sized(100, 3)
const P95 = 0.95

const random = seededRandom(19)
const LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
const wordAt = (rank: number): string => {
  let word = ""
  for (let left = rank + 30; left > 0; left = Math.floor(left / 26)) word += LETTERS.charAt(left % 26)
  return `${word}${LETTERS.charAt((rank * 7) % 26)}${LETTERS.charAt((rank * 11) % 26)}`
}
const vocabulary = Array.from({ length: VOCABULARY }, (_, rank) => wordAt(rank))
/** Few words are common and most are rare, as in speech. */
const anyWord = () => vocabulary[Math.floor(VOCABULARY ** random()) - 1] ?? "the"

const longWords = vocabulary.filter((word) => word.length > 5)
const longWord = () => longWords[Math.floor(random() * longWords.length)] ?? "the"

const template = () =>
  Array.from({ length: LINES }, (_, at) => ({
    start: at * 6000,
    end: at * 6000 + 5900,
    speaker: `Speaker ${1 + (at % 2)}`,
    text: at === OWN_LINE ? "" : Array.from({ length: WORDS }, anyWord).join(" "),
  }))

/** The lines as the store keeps them. */
const columnsOf = (lines: ReturnType<typeof template>) => ({
  start: lines.map(({ start }) => start),
  end: lines.map(({ end }) => end),
  speaker: lines.map(({ speaker }) => speaker),
  text: lines.map(({ text }) => text),
})

const JOBS = `INSERT INTO job (id, account_id, status, progress, run, completed_at, title, title_folded, source, options,
  enrichment, warnings, speaker_names, created_at)
SELECT 'tr_' || lpad(g::text, 26, '0'), $1, 'done', 1, 0, t, 'Talk ' || g, 'talk ' || g, '{"shown": {"kind": "media"}}', $3::jsonb, '{}', '[]', '{}', t
FROM (SELECT g, timestamptz '2026-01-01' + g * interval '1 second' AS t FROM generate_series(1, $2::int) g) rows`
const CONTENT = `INSERT INTO transcript (job_id, account_id, text, segments)
SELECT j.id, j.account_id, '', jsonb_set(w.segments, '{text,${OWN_LINE}}', to_jsonb('only episode' || substr(j.id, 24) || ' says it'))::text::json
FROM job j JOIN template w ON w.number = substr(j.id, 4)::bigint % $1`
const FOUND = `INSERT INTO transcript_search (job_id, account_id, created_at, words)
SELECT j.id, j.account_id, j.created_at, (SELECT string_agg('''' || right(j.account_id, 16) || ':' || word, ' ')
  FROM unnest(w.words || ARRAY['only'':${OWN_LINE + 1}', 'says'':${OWN_LINE + 1}', 'it'':${OWN_LINE + 1}', 'episode' || substr(j.id, 24) || ''':${OWN_LINE + 1}']) word)::tsvector
FROM job j JOIN template w ON w.number = substr(j.id, 4)::bigint % $1`

const MEMBERS = `INSERT INTO search_member (job_id, account_id, created_at)
SELECT job_id, account_id, created_at FROM transcript_search`

const secrets = Secrets.layer(Redacted.make(new Uint8Array(32)))
const decode = Schema.decodeSync(SearchAllQuery)

/** As the store keeps them, which `=` says: of a word in many lines, the places stand beside it in parts. */
const lexemesOf = ([word, places]: readonly [string, ReadonlyArray<number>]): ReadonlyArray<string> => {
  if (places.length > 0 && places.length < 256) return [`${word}':${places.join()}`]
  const parts = Lists.chunksOf(places, 255)
  return [`${word}'`, `~${word}'`, ...parts.map((part, at) => `^${at}${word}':${part.join()}`)]
}

const seed = async (client: Client, account: AccountId, hours: number) => {
  await client.query(
    "SET statement_timeout = 0; SET synchronous_commit = off; SET maintenance_work_mem = '512MB'",
  )
  await client.query("CREATE TEMPORARY TABLE template (number integer, segments jsonb, words text[])")
  for (let number = 0; number < TEMPLATES; number++) {
    const lines = template()
    await client.query("INSERT INTO template VALUES ($1, $2, $3)", [
      number,
      JSON.stringify(columnsOf(lines)),
      ["='", ...[...indexedWords(lines)].flatMap(lexemesOf)],
    ])
  }
  await client.query(JOBS, [account, hours, JSON.stringify(effectiveOptions({}))])
  await client.query(CONTENT, [TEMPLATES])
  await client.query("DROP INDEX transcript_search_words")
  await client.query(FOUND, [TEMPLATES])
  await client.query("CREATE INDEX transcript_search_words ON transcript_search USING gin (words)")
  await client.query(MEMBERS)
  await client.query("VACUUM ANALYZE job, transcript, transcript_search")
}

/** What the upkeep of a server does in time: puts them into slices. */
const settle = async ({
  stores,
  client,
}: Pick<Awaited<ReturnType<typeof startStores>>, "stores" | "client">) => {
  const slices = async () => Number((await client.query("SELECT count(*) FROM search_slice")).rows[0].count)
  const sweep = Effect.flatMap(JobStore, (jobs) => jobs.sweep(1))
  for (let [before, now] = [-1, await slices()]; now > before; ) {
    await stores.runPromise(sweep)
    ;[before, now] = [now, await slices()]
  }
  await client.query("VACUUM ANALYZE search_slice, search_place, search_member")
}

const queriesOf = (hours: number) => {
  const episode = () => `episode${String(1 + Math.floor(random() * hours)).padStart(6, "0")}`
  return {
    "a word of few transcripts": () => `"${episode()}"`,
    "a word of every transcript": () => `"${vocabulary[Math.floor(random() * 20)]}"`,
    "two words": () => `${anyWord()} ${anyWord()}`,
    "a beginning": () => `${anyWord().slice(0, 4)}*`,
    "a typing error": () => longWord().replace(/(?<=^..)./, "q"),
  }
}

const searching = async (stores: Stores, account: AccountId) => {
  const { searchAll } = await stores.runPromise(Effect.provide(makeSearches, secrets))
  return (q: string) => stores.runPromise(searchAll(account, decode({ q })))
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { more, stop, ...large } = await startStores()
  try {
    const small = await more()
    const [few, many] = [await newAccount(small.stores), await newAccount(large.stores)]
    await seed(small.client, few, FEW)
    await seed(large.client, many, MANY)
    await settle(small)
    await settle(large)
    const [inFew, inMany] = [await searching(small.stores, few), await searching(large.stores, many)]
    const outcomes: Array<Outcome> = []
    for (const [name, query] of Object.entries(queriesOf(FEW))) {
      const times = { few: [] as Array<number>, many: [] as Array<number> }
      for (let call = 0; call < CALLS; call++) {
        const q = query()
        times.few.push(...(await latencies(1, () => inFew(q))))
        times.many.push(...(await latencies(1, () => inMany(q))))
      }
      const p95 = (all: ReadonlyArray<number>) =>
        quantile(
          [...all].sort((a, b) => a - b),
          P95,
        )
      const [short, long] = [p95(times.few), p95(times.many)]
      outcomes.push({
        bench: `search for ${name} p95 ms in ${MANY.toLocaleString("en")} hours`,
        ours: long,
        rival: short,
        rivalName: `the same in ${FEW.toLocaleString("en")} hours`,
        ratio: long / short,
        bar: "< 50 and <= 1.5x",
        pass: long < 50 && long <= short * 1.5,
      })
    }
    return outcomes
  } finally {
    await stop()
  }
}

await main({ run })
