import { AccountId, makeId } from "@earmark/core/jobs"
import {
  decodeRequest,
  extensionOf,
  isSameMediaType,
  makeMediaRef,
  parseMediaRef,
  UploadRequest,
} from "@earmark/core/wire"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const account = AccountId.make(makeId("account", 1, new Uint8Array(10)))
const other = AccountId.make(makeId("account", 2, new Uint8Array(10)))
const uuid = "0b0f8d5a-4a5c-4a53-8a9c-0d6f3a1b2c3d"

it.each([
  ["audio/mpeg", "mp3"],
  ["AUDIO/MPEG", "mp3"],
  ["video/quicktime", "mov"],
  ["application/ogg", "ogg"],
  ["audio/x-unheard-of", "bin"],
  ["Audio/WebM; codecs=opus", "webm"],
  ["audio/constructor", "bin"],
  ["constructor", "bin"],
])("%s gets the extension %s", (contentType, extension) => {
  assert.strictEqual(extensionOf(contentType), extension)
})

it.each([
  ["audio/mpeg", true],
  ["video/x-matroska", true],
  ["Application/Ogg", true],
  ["application/octet-stream", false],
  ["application/oggs", false],
  ["text/plain", false],
  ["audio/", false],
  ["audio/webm;codecs=opus", true],
  ['video/mp4 ; codecs="avc1.42E01E, mp4a.40.2"', true],
  ["application/rss+xml; charset=utf-8", true],
  ["text/html;x=audio/mpeg", false],
  ["audio/mpeg;", false],
  ["audio/mpeg;codecs", false],
  ["audio/mpeg;a=b\r\nx: y", false],
  ['audio/mpeg;a="b\nc"', false],
  [`audio/mpeg${";a=b".repeat(5)}`, false],
  ["audio/mpeg\r\nx: y", false],
  [" audio/mpeg", false],
])("content type %s: %s", (contentType, accepted) => {
  const decoded = decodeRequest(UploadRequest)({ filename: "a.mp3", content_type: contentType, bytes: 1 })
  assert.strictEqual(Either.isRight(decoded), accepted)
})

it.each([
  ["audio/mpeg", "AUDIO/MPEG", true],
  ["audio/webm;codecs=opus", "Audio/WebM; codecs=opus", true],
  ["audio/webm;codecs=opus", "audio/webm", false],
  ["audio/mpeg", "audio/mp3", false],
  ["audio/mpeg", "", false],
])("%s and %s are the same: %s", (one, other, same) => {
  assert.strictEqual(isSameMediaType(one, other), same)
})

it("a content type without an end takes no time", () => {
  const decode = decodeRequest(UploadRequest)
  for (const long of [`a${" ".repeat(100_000)}`, `audio/mpeg${" ;".repeat(500_000)}`]) {
    const before = process.cpuUsage().user
    assert.isTrue(Either.isLeft(decode({ filename: "a", content_type: long, bytes: 1 })))
    assert.isFalse(isSameMediaType("audio/mpeg", long))
    assert.isBelow((process.cpuUsage().user - before) / 1000, 500)
  }
})

it("an upload has at least one byte", () => {
  const decode = decodeRequest(UploadRequest)
  for (const bytes of [0, -1, 1.5, "1", Number.MAX_SAFE_INTEGER + 1]) {
    assert.isTrue(Either.isLeft(decode({ filename: "a", content_type: "audio/mpeg", bytes })), String(bytes))
  }
})

describe("a media_ref", () => {
  const reference = makeMediaRef(account, uuid, "audio/mpeg")

  it("has the shape of the contract and is good for its own account only", () => {
    assert.strictEqual(reference, `uploads/${account}/${uuid}.mp3`)
    assert.strictEqual(Either.getOrThrow(parseMediaRef(reference, account)), reference)
    assert.isTrue(Either.isLeft(parseMediaRef(reference, other)))
  })

  it.each([
    "",
    `uploads/${account}/../${other}/${uuid}.mp3`,
    `uploads/${account}/${uuid}`,
    `uploads/${account}/${uuid}.mp3/..`,
    `uploads/${account}/${uuid}.mp3\n`,
    `/uploads/${account}/${uuid}.mp3`,
    `uploads/${account}/${uuid}.%2e`,
    `uploads/${account}/${uuid.toUpperCase()}.mp3`,
    `uploads//${uuid}.mp3`,
  ])("%s is not one", (text) => {
    assert.isTrue(Either.isLeft(parseMediaRef(text, account)))
  })
})
