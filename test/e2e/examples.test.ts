import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { dirname } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { hearingModels } from "../servers/hearingModels.js"
import { type PostgresServer, postgresMissing, startPostgres } from "../servers/postgresServer.js"
import { root } from "./earmark.js"
import { cannotHear, museum } from "./recordings.js"

const folders = ["batch", "library", "embed", "embed-effect", "mcp-client"]
const built = `${root}node_modules/.cache/earmark/examples`

/** What each program prints, as far as it must. */
const prints: Readonly<Record<string, RegExp>> = {
  "batch/main.ts":
    /^(?:talks\/(?:first|second|third)\.wav: done\n|missing\.mp3: failed\n){4}source_not_found\n4 lines\n3 in the library, true\n$/,
  "batch/effect.ts": /^2 minutes, from the engine\nstarted\n1 done\nnot_found: tr_none\n$/,
  "library/check-transcript.ts":
    /^0\.218 \[ 'low_coverage', 'ends_early' \][\s\S]*\[their -> there\] 21 books \[\+and\]\n$/,
  "library/classify-links.ts":
    /^media: [\s\S]*\nrefused, blocked_address: [\s\S]*\nhttps:\/\/cdn\.marks\.example\/5\.mp3\n[\s\S]*'vtt'/,
  "library/convert-captions.ts": /^1\n00:00:00,400 --> 00:00:03,900\nAnn: Welcome back\./,
  "library/export-transcript.ts": /^text\/vtt \.vtt\nWEBVTT\n[\s\S]*<v Ann>[\s\S]*\nno_word_timing: /,
  "library/generated-feed.ts": /^1000 true\n$/,
  "library/lay-out-captions.ts": /^400 3850 A pencil mark[\s\S]*\n6 of 6 in order, faults: false\n/,
  "library/ledger.ts":
    /18 available\n[\s\S]*refused: 21 credits are needed and 20 are available\n[\s\S]*discrepancies: 0\nposted_differs of acme: 999, expected 70\n$/,
  "library/name-speakers.ts": /^Ann\nSpeaker 1\nAnn Marsh\nWelcome back\./,
  "library/newest.ts": /^3 episodes\nLive from the library: https:\/\/cdn\.marks\.example\/5\.mp3\n/,
  "library/rotate-secret.ts":
    /^2 secrets, 2 signatures\nnot updated yet: true\nupdated: true\na stranger's: false\n$/,
  "library/search.ts": /^2 segments\n4200 Ben: guilt\n7900 Ann: guilt\n1\n0\n$/,
  "library/standard-webhooks.ts": /^webhook-id, webhook-timestamp, webhook-signature\nevt_1\n$/,
  "library/stream-feed.ts":
    /\/5\.mp3\n[\s\S]*\/4\.mp3\nThe feed has 3 episodes, counted from 0 \(the newest\) to 2\.\n/,
  "library/summarize.ts": /^\d+ chapters, the first from 0\n3 sentences, [^\n]+\ntrue\n\{ code: 'de'/,
  "library/webhook-receiver.ts":
    /^transcription\.completed evt_1\n204 \n400 mismatch\n400 stale\n400 malformed\n$/,
  "embed/smallest.ts": /^\S.+\n$/,
  "embed/follow.ts": /^progress\n([^\n]+\n)+done\n$/,
  "embed/own-file.ts": /^[^\n]*welcome to the museum[^\n]*\n$/i,
  "embed/play.ts": /^application\/ogg true\n"\S+" from \d+(\.\d+)? s\n$/,
  "embed/main.ts": /^\d+ words for 2 credits\nclosed\n$/,
  "embed/database.ts": /^done before the restart, with \d+ words\n$/,
  "embed-effect/sources.ts":
    /^(In the margins: https:\/\/cdn\.marks\.example\/2\.mp3\n){2}unresolvable_link: [^\n]+ 404: [^\n]+\nsource_not_supported: [^\n]+\n$/,
  "embed-effect/from-settings.ts":
    /^The first API key, of the account "default"\. [^\n]+\n\n {2}em_live_\w+\n\n$/,
  "embed-effect/queue.ts":
    /^(Ann, Ben|Ben, Ann)\n\{ ready: 0, scheduled: 0, leased: 0, dead: 0, oldestSeconds: 0 \}\n$/,
  "embed-effect/hear.ts":
    /^(?:sherpa|whisper|openai|pocketsphinx|null): \S.+\n4 words, the first at 60000 ms\n$/,
  "embed-effect/decode.ts": /^750 to 3250 ms: 40000 samples\n3750 to 6250 ms: 40000 samples\n7 seconds\n$/,
  "embed-effect/fetching.ts": /^200 <rss\/>\naddress_blocked: 192\.168\.0\.1 is not [^\n]+\n6 bytes\n200\n$/,
  "embed-effect/uploads.ts": /^5 23\n$/,
  "embed-effect/extras.ts": /^Ann forgives people who write in books\.\n[\s\S]*Notes in the margin[\s\S]*\n$/,
  "embed-effect/fleet.ts": /done\n$/,
  "mcp-client/main.ts": /^\d+ tools; transcribed, read and saved\n$/,
  "embed-effect/own-client.ts": /^one recording, one job\n$/,
  "embed-effect/main.ts": /^\d+ words for 2 credits\ndelivered\n$/,
}

/** Programs that need something to work with. */
interface Given {
  readonly args?: ReadonlyArray<string>
  readonly hears?: true
  readonly database?: true
}
const given: Readonly<Record<string, Given>> = {
  "embed/own-file.ts": { args: [museum], hears: true },
  "embed-effect/own-client.ts": { database: true },
}

let server: Promise<PostgresServer> | undefined
const newDatabase = async () => {
  server ??= startPostgres()
  return (await server).newDatabase()
}
afterAll(async () => (await server)?.stop())

describe("the examples of the docs run against the built packages", () => {
  const programs = folders.flatMap((folder) =>
    readdirSync(`${root}examples/${folder}`).map((file) => `${folder}/${file}`),
  )
  for (const program of programs) {
    it(program, { timeout: 50_000 }, async ({ skip }) => {
      const { args = [], hears = false, database = false } = given[program] ?? {}
      if (database && postgresMissing !== null) return skip()
      const models = hears ? await hearingModels() : null
      if (hears && (models === null || cannotHear !== null)) return skip()
      const outfile = `${built}/${program.replace(/\.ts$/, ".mjs")}`
      mkdirSync(dirname(outfile), { recursive: true })
      await build({
        entryPoints: [`${root}examples/${program}`],
        outfile,
        format: "esm",
        platform: "node",
        target: "node20",
      })
      const ran = spawnSync(process.execPath, [outfile, ...args], {
        cwd: root,
        encoding: "utf8",
        timeout: 45_000,
        env: {
          ...process.env,
          ...(models !== null && { EARMARK_MODELS_DIR: models }),
          ...(database && { DATABASE_URL: await newDatabase() }),
        },
      })
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(ran.status, 0)
      assert.match(ran.stdout, prints[program] ?? /^never$/)
    })
  }
})
