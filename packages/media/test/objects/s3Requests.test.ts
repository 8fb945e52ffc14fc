import { assert, it } from "@effect/vitest"
import { textOf, unexpected } from "../../src/objects/s3Requests.js"

it("an answer of S3 is read as XML, whatever stands around and inside its elements", () => {
  const text = `\n \n<?xml version="1.0" encoding="UTF-8"?>
<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <!-- <ETag>other</ETag> --><Owner><ETag>nested</ETag></Owner>
  <ETag a="1">&quot;one&#45;two&quot;</ETag></CompleteMultipartUploadResult>`
  assert.strictEqual(textOf({ text }, "ETag"), '"one-two"')
  assert.strictEqual(textOf({ text }, "UploadId"), undefined)
})

it("an answer that is no XML has no code, and stays out of the error", () => {
  for (const text of [
    "",
    "<html><body><Code>busy</body>",
    "<Error><Code>busy",
    `<!DOCTYPE a [<!ENTITY b "c">]><Error><Code>&b;</Code></Error>`,
  ])
    assert.strictEqual(
      unexpected("put", { status: 400, text }).cause,
      "S3 answered with status 400 (no code)",
    )
})
