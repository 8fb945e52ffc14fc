import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { besideService, recording } from "./besideService.js"

describe("earmark against a service", () => {
  const { server, folder, run, told, said } = besideService({ profile: "here" })
  let job = ""

  it("transcribes a file there, and the same command again does nothing", async () => {
    const { code, stderr } = await run(["transcribe", recording, "-o", "museum.srt", "--verbose"])
    assert.strictEqual(code, 0, stderr)
    assert.include(stderr, `${server().baseUrl} does the work.`)
    assert.match(stderr, /museum\.ogg: uploading$/m)
    assert.match(readFileSync(join(folder(), "museum.srt"), "utf8"), /^1\n00:00:0\d,\d{3} --> /)
    const { data } = JSON.parse(await told(["jobs", "list", "--json"]))
    assert.strictEqual(data.length, 1)
    assert.deepInclude(data[0], { status: "done", title: "museum" })
    job = data[0].id
    assert.deepStrictEqual(JSON.parse(await told(["jobs", "list", "--json", "--local"])).data, [])
    await told(["transcribe", recording, "-o", "museum.srt"])
    assert.strictEqual(JSON.parse(await told(["jobs", "list", "--json"])).data.length, 1)
  })

  it("refuses a format that no service writes before anything is moved there", async () => {
    writeFileSync(
      join(folder(), "formats.jsonl"),
      `{"source":${JSON.stringify(recording)},"format":"ttml"}\n`,
    )
    for (const args of [
      [recording, "-o", "museum.ass"],
      [recording, "--format", "srt,ttml", "-o", "out/"],
      ["--from", "formats.jsonl", "-o", "out/"],
    ]) {
      const { code, stderr } = await run(["transcribe", ...args])
      assert.strictEqual(code, 2)
      assert.match(
        stderr,
        /^earmark: A server does not write (?:ass|ttml)\. .*--local: this machine does\.$/m,
      )
    }
    assert.strictEqual(JSON.parse(await told(["jobs", "list", "--json"])).data.length, 1)
  })

  it("refuses speakers that the account may not have, and files without bytes, before anything is uploaded", async () => {
    writeFileSync(join(folder(), "nothing.wav"), "")
    const empty = await run(["transcribe", "nothing.wav", "--json", "-o", "x.txt"])
    assert.deepInclude(JSON.parse(empty.stdout.split("\n")[0] ?? "").failure, { code: "empty_media" })
    const { code, stderr } = await run(["transcribe", recording, "--diarize", "-o", "x.txt"])
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /^earmark: --diarize is unlocked by any one-time purchase: buy credits at http.*\/console\/billing, .*--local\. \[feature_locked\]$/m,
    )
  })

  it("refuses the times of words that the account may not have before anything is paid for", async () => {
    writeFileSync(
      join(folder(), "words.jsonl"),
      `{"source":${JSON.stringify(recording)},"format":"vtt","word_level":true}\n`,
    )
    for (const args of [[recording], [recording, "--dry-run"], ["--from", "words.jsonl"]]) {
      const wordLevel = args.includes("--from") ? [] : ["--word-level", "--format", "vtt"]
      const { code, stderr } = await run(["transcribe", ...args, ...wordLevel, "-o", "words/"])
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^earmark: --word-level is unlocked by any one-time purchase: .*--local\. \[feature_locked\]$/m,
      )
    }
    assert.isFalse(readdirSync(folder()).includes("words"))
    assert.strictEqual(JSON.parse(await told(["jobs", "list", "--json"])).data.length, 1)
  })

  it("shows, exports and searches what was made", async () => {
    assert.match(await told(["jobs", "show", job, "--wait"]), /state +done/)
    const text = await told(["export", job])
    assert.strictEqual(await told(["export", job, "--format", "txt"]), text)
    await told(["export", job, "-o", "museum.vtt"])
    assert.match(readFileSync(join(folder(), "museum.vtt"), "utf8"), /^WEBVTT/)
    const [word = ""] = /\b[a-z]{4,}\b/.exec(text) ?? []
    assert.include(await told(["search", word, "--job", job]), `museum (${job})`)
    const [hit] = JSON.parse(await told(["search", word, "--json"])).data
    const [made] = JSON.parse(await told(["jobs", "list", "--json"])).data
    assert.deepStrictEqual([hit.source, hit.source_label], [made.source, made.source_label])
    assert.include(await told(["ask", `What about ${word}?`, job]), `(${job})`)
    const link = (await told(["export", job, "--link"])).trim()
    assert.strictEqual(await (await fetch(link)).text(), text)
  })

  it("tells credits, usage and keys of the account", async () => {
    assert.match(await told(["credits", "show"]), /balance +59/)
    assert.notInclude((await run(["credits", "show"])).stderr, "billing turned off")
    assert.match(await told(["credits", "entries"]), /settlement/)
    assert.strictEqual(await said(["credits", "purchases"]), "There are no purchases.\n")
    assert.match(await told(["usage", "--by", "month"]), /total +1 +1 +1/)
    const made = JSON.parse(
      await told(["keys", "create", "--name", "ci", "--scopes", "transcriptions:read", "--json"]),
    )
    assert.deepStrictEqual(made.scopes, ["transcriptions:read"])
    assert.match(
      await told(["keys", "edit", made.id, "--monthly-credits", "20"]),
      /limit +20 credits a month/,
    )
    const { name, monthly_credits } = JSON.parse(
      await told(["keys", "edit", made.id, "--name", "nightly", "--monthly-credits", "none", "--json"]),
    )
    assert.deepStrictEqual([name, monthly_credits], ["nightly", null])
    const nothing = await run(["keys", "edit", made.id])
    assert.deepStrictEqual(
      [nothing.code, nothing.stderr.trim()],
      [2, "earmark: Say what changes: --name, --monthly-credits, or both."],
    )
    assert.strictEqual((await run(["keys", "edit", made.id, "--monthly-credits", "1.5"])).code, 2)
    assert.strictEqual(await said(["keys", "revoke", made.id]), `${made.id} is revoked.\n`)
    const own = JSON.parse(await told(["keys", "create", "--name", "own", "--json"]))
    const revokeOwn = (...more: ReadonlyArray<string>) =>
      run(["keys", "revoke", own.id, "--server", server().baseUrl, ...more], "", { SERVICE_API_KEY: own.key })
    const unasked = await revokeOwn()
    assert.deepStrictEqual([unasked.code, unasked.stdout], [2, ""])
    assert.strictEqual(
      unasked.stderr,
      `earmark: This command uses ${own.id}. earmark keys revoke asks for confirmation, which needs a terminal. Add --yes to revoke without it.\n`,
    )
    const itself = await revokeOwn("--yes")
    assert.deepStrictEqual([itself.code, itself.stdout], [0, ""], itself.stderr)
    assert.strictEqual(
      itself.stderr,
      `${own.id} is revoked. This command used it. To use another key: earmark login ${server().baseUrl}\n`,
    )
    assert.strictEqual(
      await said(["credits", "entries", "--kind", "refund"]),
      "Nothing matches --kind refund.\n",
    )
  })

  it("moves a file there, and transcribes it by its name there", async () => {
    const reference = (await told(["upload", recording])).trim()
    const { code, stderr } = await run(["transcribe", reference, "-o", "uploads/"])
    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual(readdirSync(join(folder(), "uploads")), ["museum.txt"])
    const [newest] = JSON.parse(await told(["jobs", "list", "--json"])).data
    assert.strictEqual(newest.title, "museum")
  })

  it("finds a transcription by the beginning of its id, where no other one begins so", async () => {
    const { data } = JSON.parse(await told(["jobs", "list", "--all", "--json"]))
    const [{ id }] = data
    assert.strictEqual(JSON.parse(await told(["jobs", "show", id.slice(0, -4), "--json"])).id, id)
    assert.strictEqual(await told(["export", id.slice(0, 16)]), await told(["export", id]))
    const unknown = await run(["jobs", "show", "tr_0000zzzz"])
    assert.strictEqual(unknown.code, 1)
    assert.include(unknown.stderr, "[not_found]")
    const short = await run(["jobs", "delete", "tr_01"])
    assert.strictEqual(short.code, 1)
    assert.include(short.stderr, "at least four characters behind tr_. [ambiguous_id]")
    await told(["transcribe", recording, "--force", "--language", "en", "-o", "twice.txt"])
    const several = await run(["jobs", "delete", id.slice(0, 7)])
    assert.strictEqual(several.code, 1)
    assert.match(several.stderr, /is the beginning of \d ids: tr_\w+, tr_\w+.* \[ambiguous_id\]/)
  })

  it("says of --force that the server gave what it had made before", async () => {
    const again = await run(["transcribe", recording, "-o", "again.srt"])
    assert.notInclude(again.stderr, "--force")
    const forced = await run(["transcribe", recording, "-o", "again.srt", "--force"])
    assert.strictEqual(forced.code, 0, forced.stderr)
    assert.match(
      forced.stderr,
      /, done before$\n {2}--force: the server gave what it had made of this recording before\. Only the files were written again\.$/m,
    )
  })

  it("refuses options that would be ignored without another one", async () => {
    for (const [args, sentence] of [
      [["publish", job, "--title", "T"], "--title is for a site: give --out DIR too."],
      [["publish", job, "--base-url", "https://a.example"], "--base-url is for a site: give --out DIR too."],
      [["publish", "--out", "site/", "-o", "feed.xml"], "-o is for a feed: give --feed FEED too."],
      [["publish", job, "--take-back", "--feed", "feed.xml"], "--take-back needs ids, and --feed publishes"],
      [["export", job, "--link", "-o", "a.txt"], "--link prints an address and writes no file"],
      [["transcribe", recording, "--episode", "2", "--local"], "is not a feed."],
    ] as const) {
      const { code, stdout, stderr } = await run(args)
      assert.deepStrictEqual([code, stdout], [2, ""], args.join(" "))
      assert.include(stderr, sentence)
    }
  })

  it("names the field that is wrong as people know it", async () => {
    const { code, stderr } = await run(["jobs", "list", "--query", "x".repeat(5000)])
    assert.strictEqual(code, 2)
    assert.match(stderr, /^earmark: --query: [^#\n]+ \[invalid_request\]\n$/)
  })

  it("looks after webhook endpoints", async () => {
    const made = JSON.parse(await told(["webhooks", "add", "http://127.0.0.1:9/", "--json"]))
    assert.match(made.secret, /^whsec_/)
    assert.notInclude(await told(["webhooks", "list"]), made.secret)
    assert.match(await said(["webhooks", "test", made.id]), /^dlv_\w+ is on its way/)
    assert.include(await told(["webhooks", "deliveries", made.id]), "test_")
    assert.notStrictEqual(
      JSON.parse(await told(["webhooks", "rotate", made.id, "--json"])).secret,
      made.secret,
    )
    const deleted = await told(["webhooks", "delete", made.id, "--json"])
    assert.deepStrictEqual(JSON.parse(deleted), { id: made.id, deleted: true })
    assert.strictEqual(await said(["webhooks", "list"]), "There are no endpoints.\n")
  })

  it.each([
    [["jobs", "cancel", "JOB"], 1, "The transcription is done already. [invalid_state]"],
    [["jobs", "show", "tr_none"], 1, "There is nothing with this id. earmark jobs list, "],
    [["export", "JOB", "-o", "x.pdf"], 2, "The name x.pdf does not tell its format."],
    [["upload", "notes.txt"], 2, "By its name notes.txt is neither audio nor video."],
    [["upload", "nowhere.mp3"], 1, "nowhere.mp3"],
    [["jobs", "list", "--server", "ftp://x"], 2, '"ftp://x" is not the address of a server.'],
    [
      ["jobs", "list", "--server", "http://127.0.0.1:65530"],
      1,
      "There is no key for http://127.0.0.1:65530.",
    ],
    [["jobs", "list", "--status", "canceled"], 2, "--status canceled is for this machine: a server lists"],
    [["jobs", "list", "--profile", "other"], 2, 'There is no profile "other"; there are here.'],
    [["transcribe", "x.mp3", "--local", "--profile", "here"], 2, "Give --local, or name a server: not both."],
    [["transcribe", "x.mp3", "--engine", "whisper"], 2, "--engine is for this machine"],
    [["webhooks", "add", "http://example.org/x"], 2, "Webhooks need an https address. [invalid_request]"],
  ] as const)("says what is wrong with %s", async (args, code, sentence) => {
    writeFileSync(join(folder(), "notes.txt"), "no sound")
    const ran = await run(args.map((arg) => (arg === "JOB" ? job : arg)))
    assert.include(ran.stderr, sentence)
    assert.strictEqual(ran.code, code)
    assert.strictEqual(ran.stdout, "")
  })

  it("deletes a transcription for good, and forgets a service", async () => {
    await told(["jobs", "delete", job])
    assert.strictEqual((await run(["jobs", "show", job])).code, 1)
    assert.strictEqual(
      await said(["config", "forget", "here"]),
      "here is forgotten. If its key is not revoked, it still opens the account: earmark keys revoke ends it.\n",
    )
    const { code, stderr } = await run(["credits", "show"], "", { EARMARK_BASE_URL: server().baseUrl })
    assert.strictEqual(code, 1)
    assert.include(stderr, `There is no key for ${server().baseUrl}.`)
  })
})
