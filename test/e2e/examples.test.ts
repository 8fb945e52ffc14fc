import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { root } from "./earmark.js"

const folder = `${root}examples/library`
const built = `${root}node_modules/.cache/earmark/examples`

/** What each program prints, as far as it must. */
const prints: Readonly<Record<string, RegExp>> = {
  "check-transcript.ts":
    /^0\.218 \[ 'low_coverage', 'ends_early' \][\s\S]*\[their -> there\] 21 books \[\+and\]\n$/,
  "classify-links.ts":
    /^media: [\s\S]*\nrefused, blocked_address: [\s\S]*\nhttps:\/\/cdn\.marks\.example\/5\.mp3\n[\s\S]*'vtt'/,
  "convert-captions.ts": /^1\n00:00:00,400 --> 00:00:03,900\nAnn: Welcome back\./,
  "export-transcript.ts": /^text\/vtt \.vtt\nWEBVTT\n[\s\S]*<v Ann>[\s\S]*\nno_word_timing: /,
  "generated-feed.ts": /^1000 true\n$/,
  "lay-out-captions.ts": /^400 3850 A pencil mark[\s\S]*\n6 of 6 in order, faults: false\n/,
  "ledger.ts":
    /18 available\n[\s\S]*refused: 21 credits are needed and 20 are available\n[\s\S]*discrepancies: 0\nposted_differs of acme: 999, expected 70\n$/,
  "name-speakers.ts": /^Ann\nSpeaker 1\nAnn Marsh\nWelcome back\./,
  "newest.ts": /^3 episodes\nLive from the library: https:\/\/cdn\.marks\.example\/5\.mp3\n/,
  "rotate-secret.ts":
    /^2 secrets, 2 signatures\nnot updated yet: true\nupdated: true\na stranger's: false\n$/,
  "search.ts": /^2 segments\n4200 Ben: guilt\n7900 Ann: guilt\n1\n0\n$/,
  "standard-webhooks.ts": /^webhook-id, webhook-timestamp, webhook-signature\nevt_1\n$/,
  "stream-feed.ts": /\/5\.mp3\n[\s\S]*\/4\.mp3\nThe last episode of the feed has the index 2\.\n/,
  "summarize.ts": /^\d+ chapters, the first from 0\n3 sentences, [^\n]+\ntrue\n\{ code: 'de'/,
  "webhook-receiver.ts": /^transcription\.completed evt_1\n204 \n400 mismatch\n400 stale\n400 malformed\n$/,
}

describe("the examples of the docs run against the built packages", () => {
  for (const file of readdirSync(folder)) {
    it(file, { timeout: 20_000 }, async () => {
      mkdirSync(built, { recursive: true })
      const outfile = `${built}/${file.replace(/\.ts$/, ".mjs")}`
      await build({
        entryPoints: [`${folder}/${file}`],
        outfile,
        format: "esm",
        platform: "node",
        target: "node20",
      })
      const ran = spawnSync(process.execPath, [outfile], { cwd: root, encoding: "utf8", timeout: 15_000 })
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(ran.status, 0)
      assert.match(ran.stdout, prints[file] ?? /^never$/)
    })
  }
})
