import {
  canonicalUpload,
  signExportLink,
  signUpload,
  type UploadRequest,
  verifyExportLink,
  verifyUpload,
} from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const key = Uint8Array.from({ length: 32 }, (_, index) => index)
const otherKey = Uint8Array.from({ length: 32 }, () => 7)
const now = 1_700_000_000

describe("presigned uploads", () => {
  const request = {
    method: "PUT",
    path: "/uploads/acct_1/0b8e1f5e-0000-4000-8000-000000000001.mp3",
    contentType: "audio/mpeg",
    length: 1234,
    account: "acct_1",
    expiresAt: now + 3600,
  }
  // printf 'earmark upload 1\n["PUT","/uploads/acct_1/0b8e1f5e-0000-4000-8000-000000000001.mp3","audio/mpeg",1234,"acct_1",1700003600]' |
  //   openssl dgst -sha256 -mac HMAC -macopt hexkey:000102..1f
  const signature = "ecf72a361738c0b9641c07ca58cb1f013259344d8634e337c3e8ae314f8e4438"

  const verdict = (changed: Partial<typeof request>, more: { signature?: string; now?: number } = {}) =>
    Either.match(verifyUpload({ key, request: { ...request, ...changed }, signature, now, ...more }), {
      onLeft: (error) => error.reason,
      onRight: () => "good",
    })

  it("equal what openssl computes", () => assert.strictEqual(signUpload(key, request), signature))

  it("are bound to every part of the request", () => {
    assert.strictEqual(verdict({}), "good")
    assert.strictEqual(verdict({ method: "POST" }), "mismatch")
    assert.strictEqual(verdict({ path: `${request.path}/` }), "mismatch")
    assert.strictEqual(verdict({ contentType: "audio/mp4" }), "mismatch")
    assert.strictEqual(verdict({ length: 1235 }), "mismatch")
    assert.strictEqual(verdict({ account: "acct_2" }), "mismatch")
    assert.strictEqual(verdict({ expiresAt: now + 3601 }), "mismatch")
    assert.strictEqual(verdict({}, { signature: signUpload(otherKey, request) }), "mismatch")
  })

  it("expire, and say so only when they are genuine", () => {
    assert.strictEqual(verdict({}, { now: now + 3599 }), "good")
    assert.strictEqual(verdict({}, { now: now + 3600 }), "expired")
    assert.strictEqual(verdict({}, { now: Number.NaN }), "expired")
    assert.strictEqual(verdict({ length: 1 }, { now: now + 3600 }), "mismatch")
  })

  it("are malformed when a part cannot be one", () => {
    assert.strictEqual(verdict({}, { signature: signature.toUpperCase() }), "malformed")
    assert.strictEqual(verdict({}, { signature: "" }), "malformed")
    for (const wrong of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.strictEqual(verdict({ length: wrong }), "malformed")
      assert.strictEqual(verdict({ expiresAt: wrong }), "malformed")
    }
  })

  // Few letters, all the separators: the requests that a careless form would mix up.
  const field = FastCheck.oneof(
    FastCheck.string({
      unit: FastCheck.constantFrom('"', ",", "\\", "\n", "[", "a", "\ud800"),
      maxLength: 4,
    }),
    FastCheck.fullUnicodeString({ maxLength: 4 }),
  )
  const anyRequest = FastCheck.record({
    method: field,
    path: field,
    contentType: field,
    length: FastCheck.nat({ max: 11 }),
    account: field,
    expiresAt: FastCheck.nat({ max: 11 }),
  })

  const bytesOf = (given: UploadRequest) => Buffer.from(canonicalUpload(given)).toString("hex")

  it.prop("no two requests share a canonical form", { left: anyRequest, right: anyRequest }, (given) => {
    const { left, right } = given
    const same =
      left.method === right.method &&
      left.path === right.path &&
      left.contentType === right.contentType &&
      left.length === right.length &&
      left.account === right.account &&
      left.expiresAt === right.expiresAt
    assert.strictEqual(bytesOf(left) === bytesOf(right), same)
  })

  it.prop("moving the border between two fields changes the form", { text: field }, ({ text }) => {
    const forms = new Set<string>()
    for (let border = 0; border <= text.length; border++) {
      forms.add(bytesOf({ ...request, path: text.slice(0, border), contentType: text.slice(border) }))
    }
    assert.strictEqual(forms.size, text.length + 1)
  })
})

describe("export links", () => {
  const address = "/api/v1/transcriptions/tr_1/export?format=srt"
  // printf 'earmark export 1\n/api/v1/transcriptions/tr_1/export?format=srt&expires=1700000900' |
  //   openssl dgst -sha256 -mac HMAC -macopt hexkey:000102..1f
  const signed = `${address}&expires=1700000900&signature=a0791b757bed9f87ebcf873739bd7eaf8553592f5595240c01797511d7b502cf`

  const verdict = (given: string, at = now) =>
    Either.match(verifyExportLink({ key, address: given, now: at }), {
      onLeft: (error) => error.reason,
      onRight: (link) => link.expiresAt,
    })

  it("live for 15 minutes", () => {
    assert.deepStrictEqual(signExportLink({ key, address, now }), { address: signed, expiresAt: now + 900 })
    assert.strictEqual(verdict(signed), now + 900)
    assert.strictEqual(verdict(signed, now + 899), now + 900)
    assert.strictEqual(verdict(signed, now + 900), "expired")
    assert.strictEqual(signExportLink({ key, address, now, lifetimeSeconds: 60 }).expiresAt, now + 60)
  })

  it("may have no other parameter", () => {
    const bare = signExportLink({ key, address: "/export", now }).address
    assert.match(bare, /^\/export\?expires=/)
    assert.strictEqual(verdict(bare), now + 900)
  })

  it("hold for exactly the address that was signed", () => {
    assert.strictEqual(verdict(signed.replace("srt", "vtt")), "mismatch")
    assert.strictEqual(verdict(signed.replace("tr_1", "tr_2")), "mismatch")
    assert.strictEqual(verdict(signed.replace("0900", "0901")), "mismatch")
    assert.strictEqual(verdict(signed.replace("&expires", "&expires=1800000000&expires")), "mismatch")
    assert.strictEqual(verdict(`${signed}&expires=1800000000`), "malformed")
    assert.strictEqual(verdict(`${signed}&format=txt`), "malformed")
    assert.strictEqual(verdict(signed.toUpperCase()), "malformed")
    assert.strictEqual(verdict(address), "malformed")
    assert.strictEqual(verdict(""), "malformed")
    assert.strictEqual(verdict(`/${"a".repeat(9000)}${signed}`), "malformed")
  })

  it.prop(
    "verify for any path and query",
    { path: FastCheck.webPath(), query: FastCheck.webQueryParameters() },
    (given) => {
      const link = signExportLink({ key, address: `${given.path}?${given.query}`, now })
      assert.strictEqual(verdict(link.address), link.expiresAt)
      assert.strictEqual(verdict(`x${link.address}`), "mismatch")
    },
  )

  it.prop("any address gets an answer", { given: FastCheck.string() }, ({ given }) => {
    assert.isString(verdict(given))
  })
})
