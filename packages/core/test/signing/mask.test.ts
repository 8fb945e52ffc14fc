import { makeApiKey, makeWebhookSecret, mask, signExportLink, signWebhook } from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

describe("masking", () => {
  it("hides secrets and leaves the rest", () => {
    const table: ReadonlyArray<readonly [text: string, masked: string]> = [
      ["job tr_1 took 4 s", "job tr_1 took 4 s"],
      ["secret whsec_AAEC+/w= made", "secret whsec_*** made"],
      ["key em_live_abc, em_test_0Z.", "key em_live_***, em_test_***."],
      ['{"authorization":"Bearer abc.d-e_f"}', '{"authorization":"Bearer ***"}'],
      ["authorization: basic dXNlcjpwYXNz", "authorization: basic ***"],
      [
        `service-signature: t=1,v1=${"a".repeat(64)},v1=${"b".repeat(64)}`,
        "service-signature: t=1,v1=***,v1=***",
      ],
      [`webhook-signature: v1,${"A".repeat(43)}=`, "webhook-signature: v1,***"],
      ["GET /export?format=srt&expires=1&signature=ab 200", "GET /export?*** 200"],
      ["https://s3.example/a.mp3?X-Amz-Date=1&X-Amz-Signature=ab#t", "https://s3.example/a.mp3?***#t"],
      ["https://x.blob.example/a?sv=1&sig=ab%3D", "https://x.blob.example/a?***"],
      ["https://a.example/?next=%2Fe%3Fsignature%3Dab", "https://a.example/?***"],
      ["https://a.example/search?q=design", "https://a.example/search?q=design"],
      ["feed https://user:pass@a.example/f", "feed https://***@a.example/f"],
      ["mail ann@a.example about https://a.example/@ann", "mail ann@a.example about https://a.example/@ann"],
    ]
    for (const [text, masked] of table) assert.strictEqual(mask(text), masked)
  })

  const part = FastCheck.oneof(
    FastCheck.string(),
    FastCheck.constantFrom("whsec_", "em_live_", "Bearer ", "?", "signature=", "://", "@", "v1=", " ", "***"),
  )
  const text = FastCheck.array(part).map((parts) => parts.join(""))

  it.prop("masking twice is masking once", { text }, (given) => {
    const once = mask(given.text)
    assert.strictEqual(mask(once), once)
  })

  it.prop(
    "nothing that we issue survives, wherever it stands",
    { random: FastCheck.uint8Array({ minLength: 64, maxLength: 64 }), before: text, after: text },
    ({ random, before, after }) => {
      const secret = Either.getOrThrow(makeWebhookSecret(random))
      const key = makeApiKey("live", random)
      const header = signWebhook({ secrets: [secret], body: "", timestamp: 1 })
      const link = signExportLink({ key: random, address: "/export", now: 1 }).address
      const shown = [secret, header, link]
      if (Either.isRight(key)) shown.push(key.right.value)
      for (const each of shown) {
        assert.notInclude(mask(`${before} ${each} ${after}`), each.slice(-30))
      }
    },
  )

  it("takes linear time", () => {
    for (const piece of [
      "whsec_",
      "em_live_a",
      "Bearer ",
      "?",
      "://",
      "v1=aaaa",
      "?signature=",
      "://a",
      "basic+",
    ]) {
      const long = piece.repeat(Math.ceil(2_000_000 / piece.length))
      const started = performance.now()
      mask(long)
      assert.isBelow(performance.now() - started, 2000, piece)
    }
  })
})
