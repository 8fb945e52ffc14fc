import { deriveKeys, keyOfSealed, openSecret, parseSecretsKey, sealSecret } from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const bytes = Uint8Array.from({ length: 32 }, (_, index) => index)
const hex = (key: Uint8Array) => Buffer.from(key).toString("hex")

describe("the secrets key", () => {
  it("is 32 bytes in base64", () => {
    const text = Buffer.from(bytes).toString("base64")
    assert.deepStrictEqual(hex(Either.getOrThrow(parseSecretsKey(` ${text}\n`))), hex(bytes))
    for (const wrong of ["", "short", text.slice(1), `${text}=`, text.replace("=", ""), hex(bytes)]) {
      const error = Either.getOrThrow(Either.flip(parseSecretsKey(wrong)))
      assert.strictEqual(error.length, wrong.length)
      if (wrong.length > 2) assert.notInclude(error.message, wrong)
    }
  })

  it("gives the keys that openssl derives", () => {
    // openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:000102..1f -kdfopt "info:earmark/1/<label>" HKDF
    const keys = deriveKeys(bytes)
    assert.strictEqual(keys.id, "715b68a5")
    assert.strictEqual(
      hex(keys.webhookSecrets),
      "880428356898571f93d51430fd0bc990b6847064247a9ee41ae07b7181e2f490",
    )
    assert.strictEqual(hex(keys.pepper), "159ca8aea31b41cb61b2bebbf616082b66b99f60716e5dc1fd254b3dc8d45609")
    assert.strictEqual(hex(keys.cursors), "f9d560e92c0834d4ef306812497e6e1ebb4abdc1f67ae9248120b6429c71d5ec")
    assert.strictEqual(hex(keys.uploads), "744470e00095904e587866c06dc1a01709a71041ed0a33f13bbf16bf9fd7dba2")
    assert.strictEqual(
      hex(keys.exportLinks),
      "0e8511eaee702403e1d5cd41ca620b7f8df36aa70c25d0b82c05e1e4bc1216d8",
    )
    assert.strictEqual(hex(keys.shows), "167049ce72e6096a84d691e3560619424cfea0a71d5605eea676919d534ed05a")
  })
})

describe("sealed secrets", () => {
  const key = { id: "k1", key: bytes }
  const nonce = Uint8Array.from({ length: 12 }, (_, index) => index)
  const text = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
  // python3: AESGCM(bytes(range(32))).encrypt(bytes(range(12)), text, b'["k1","we_1"]') of the package cryptography
  const sealed =
    "1.k1.AAECAwQFBgcICQoL.MGqlfqa6g1rIAtb84K86CuCfxGWfNxs9CCih_Vw7RdpMReiu9plV2h_FOJX_42BQ1mSPiGBoTTohCmSwVsufI2Vy"

  const verdict = (given: string, keys = [key], place = "we_1") =>
    Either.match(openSecret({ keys, text: given, place }), {
      onLeft: (error) => error.reason,
      onRight: (opened) => opened,
    })

  it("are what another implementation of AES-256-GCM makes", () => {
    assert.deepStrictEqual(sealSecret({ key, nonce, text, place: "we_1" }), Either.right(sealed))
    assert.strictEqual(verdict(sealed), text)
  })

  it("open only with their key, in their place", () => {
    const other = { id: "k2", key: new Uint8Array(32) }
    assert.strictEqual(verdict(sealed, [other, key]), text)
    assert.strictEqual(verdict(sealed, [other]), "unknown_key")
    assert.strictEqual(verdict(sealed, [{ ...other, id: "k1" }]), "mismatch")
    assert.strictEqual(verdict(sealed, [key], "we_2"), "mismatch")
    assert.strictEqual(verdict(""), "malformed")
    assert.strictEqual(verdict(text), "malformed")
    assert.strictEqual(verdict(sealed.slice(0, 30)), "malformed")
  })

  it("tell the id of their key to everybody", () => {
    assert.strictEqual(keyOfSealed(sealed), "k1")
    for (const other of ["", text, sealed.slice(0, 30), null, undefined, { sealed }, 7]) {
      assert.strictEqual(keyOfSealed(other), null)
    }
  })

  it("have one written form only", () => {
    const stored = Either.getOrThrow(sealSecret({ key, nonce, text: "a", place: "we_1" }))
    assert.strictEqual(verdict(stored), "a")
    // 17 bytes leave two bits of the last character unused.
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const next = digits.charAt(digits.indexOf(stored.slice(-1)) + 1)
    assert.strictEqual(verdict(stored.slice(0, -1) + next), "mismatch")
  })

  it("need a whole nonce", () => {
    const short = sealSecret({ key, nonce: nonce.subarray(1), text, place: "we_1" })
    assert.deepInclude(Either.getOrThrow(Either.flip(short)), { needed: 12, given: 11 })
  })

  it.prop(
    "open to what was sealed; a changed character never does",
    {
      id: FastCheck.string({ minLength: 1, maxLength: 8 }),
      given: FastCheck.fullUnicodeString(),
      place: FastCheck.string(),
      position: FastCheck.nat(),
    },
    ({ id, given, place, position }) => {
      const own = { id, key: bytes }
      const stored = Either.getOrThrow(sealSecret({ key: own, nonce, text: given, place }))
      assert.deepStrictEqual(openSecret({ keys: [own], text: stored, place }), Either.right(given))
      const at = position % stored.length
      const changed = stored.slice(0, at) + (stored.charAt(at) === "A" ? "B" : "A") + stored.slice(at + 1)
      assert.isTrue(Either.isLeft(openSecret({ keys: [own], text: changed, place })))
    },
  )

  it.prop("any text gets an answer", { given: FastCheck.string() }, ({ given }) => {
    assert.strictEqual(verdict(given), "malformed")
  })
})
