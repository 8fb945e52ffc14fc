import { assert, describe, it } from "@effect/vitest"
import { presign, sha256, signHeaders } from "../../src/objects/sigv4.js"

/** The pair of keys that the documentation of S3 uses. */
const documented = {
  key: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
  service: "s3",
}
const datetime = "20130524T000000Z"
const host = "https://examplebucket.s3.amazonaws.com"

const signatureIn = (url: string) => new URL(url).searchParams.get("X-Amz-Signature")

describe("signatures of version 4", () => {
  it("are those of the documentation: a presigned GET", () => {
    const request = { method: "GET", url: new URL(`${host}/test.txt`), headers: {}, datetime }
    assert.strictEqual(
      signatureIn(presign(documented, request, 86_400)),
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    )
  })

  it("are those of the documentation: a GET of a range, by header", () => {
    const payload = sha256("")
    const headers = { range: "bytes=0-9", "x-amz-content-sha256": payload }
    const signed = signHeaders(documented, {
      method: "GET",
      url: new URL(`${host}/test.txt`),
      headers,
      payload,
      datetime,
    })
    assert.include(
      signed.authorization ?? "",
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    )
  })

  it("are those of the test suite: get-vanilla", () => {
    const key = {
      key: "AKIDEXAMPLE",
      secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      region: "us-east-1",
      service: "service",
    }
    const signed = signHeaders(key, {
      method: "GET",
      url: new URL("https://example.amazonaws.com/"),
      headers: {},
      payload: sha256(""),
      datetime: "20150830T123600Z",
    })
    assert.strictEqual(
      signed.authorization,
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    )
  })

  it("bind type and length of an upload", () => {
    const url = presign(
      documented,
      {
        method: "PUT",
        url: new URL(`${host}/uploads/acct_1/0.mp3`),
        headers: { "content-type": "audio/mpeg", "content-length": "5242880" },
        datetime,
      },
      3600,
    )
    assert.strictEqual(
      new URL(url).searchParams.get("X-Amz-SignedHeaders"),
      "content-length;content-type;host",
    )
    assert.strictEqual(signatureIn(url), "edf65e575450fecf71f8cfb9f14d9037e49cdd1a6d995ab5e78a290c06887934")
  })
})
