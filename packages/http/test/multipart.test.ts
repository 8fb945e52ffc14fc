import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { boundaryOf, makeMultipart, type PartEvent } from "../src/requests/multipart.js"

const CRLF = "\r\n"

/** The parts of a form that came in pieces of so many bytes; null where it is no form. */
const partsIn = (text: string | Buffer, size: number, boundary = "b") => {
  const bytes = Buffer.from(text)
  const multipart = makeMultipart(boundary)
  const events: Array<PartEvent> = []
  for (let at = 0; at < bytes.length; at += size) {
    const some = multipart.push(bytes.subarray(at, at + size))
    if (some === null) return null
    // What was pushed may be used again by whoever pushed it.
    for (const event of some)
      events.push(event.type === "bytes" ? { ...event, bytes: Buffer.from(event.bytes) } : event)
  }
  const parts: Array<{ name: string; filename: string | undefined; type: string | undefined; text: string }> =
    []
  let chunks: Array<Uint8Array> = []
  for (const event of events) {
    if (event.type === "begin") {
      chunks = []
      const { name, filename, contentType } = event.head
      parts.push({ name, filename, type: contentType, text: "" })
    } else if (event.type === "bytes") chunks.push(event.bytes)
    else {
      const last = parts.at(-1)
      if (last !== undefined) last.text = Buffer.concat(chunks).toString("latin1")
    }
  }
  return { parts, isWhole: multipart.isWhole() }
}

const part = (disposition: string, body: string, more = "") =>
  `--b${CRLF}Content-Disposition: form-data; ${disposition}${CRLF}${more}${CRLF}${body}${CRLF}`

describe("a form", () => {
  it("is the same in pieces of any size, with boundaries that almost are", () => {
    const body = `\r\n--a\r\n--\r\n-\r--b\n--b${"\r\n--".repeat(5)}x\r`
    const form = [
      "what stands before is nothing",
      CRLF,
      part('name="file"; filename="a;b.wav"', body, `Content-Type: audio/wav${CRLF}`),
      part('name="model"', "whisper-1"),
      part('name="empty"', ""),
      `--b--${CRLF}and behind it neither`,
    ].join("")
    const whole = partsIn(form, form.length)
    assert.deepStrictEqual(whole, {
      parts: [
        { name: "file", filename: "a;b.wav", type: "audio/wav", text: body },
        { name: "model", filename: undefined, type: undefined, text: "whisper-1" },
        { name: "empty", filename: undefined, type: undefined, text: "" },
      ],
      isWhole: true,
    })
    for (const size of [1, 2, 3, 5, 7, 11, 64]) assert.deepStrictEqual(partsIn(form, size), whole)
  })

  it("is whatever Node itself writes", async () => {
    const form = new FormData()
    form.set('odd "name"', "väl\nue")
    form.set("file", new Blob([Buffer.from([0, 255, 13, 10, 45, 45])]), '会議 "1".wav')
    const request = new Request("http://x", { method: "POST", body: form })
    const boundary = boundaryOf(request.headers.get("content-type") ?? undefined) ?? ""
    const read = partsIn(Buffer.from(await request.arrayBuffer()), 10, boundary)
    assert.deepStrictEqual(
      read?.parts.map(({ name, filename }) => [name, filename]),
      [
        ['odd "name"', undefined],
        ["file", '会議 "1".wav'],
      ],
    )
    assert.strictEqual(read?.parts[1]?.text, "\u0000\u00ff\r\n--")
  })

  for (const [disposition, name] of [
    ['name="file"; filename="plain.mp3"', "plain.mp3"],
    ["name=file; filename=plain.mp3", "plain.mp3"],
    ['name="file"; filename="a \\"b\\" c.mp3"', 'a "b" c.mp3'],
    ['name="file"; filename="C:\\talks\\new.mp3"', "C:\\talks\\new.mp3"],
    ['name="file"; filename="x.mp3"; filename*=UTF-8\'\'%E2%82%AC.mp3', "€.mp3"],
    ['name="file"; filename="x.mp3"; filename*=UTF-8\'\'%zz', "x.mp3"],
    ['name="file"; filename=""', ""],
  ] as const) {
    it(`knows the name in ${disposition}`, () => {
      assert.strictEqual(partsIn(`${part(disposition, "x")}--b--`, 9)?.parts[0]?.filename, name)
    })
  }

  it("is not whole without its last boundary", () => {
    assert.strictEqual(partsIn(part('name="file"', "x"), 100)?.isWhole, false)
  })

  it("is none with parts that have no name, or a head without end", () => {
    assert.isNull(partsIn(`--b${CRLF}Content-Type: audio/wav${CRLF}${CRLF}x${CRLF}--b--`, 100))
    assert.isNull(partsIn(`--b${CRLF}Content-Disposition: form-data; name="${"x".repeat(20_000)}`, 1000))
    assert.isNull(partsIn(`--b${"x".repeat(1000)}`, 100))
  })

  for (const [type, boundary] of [
    ["multipart/form-data; boundary=abc", "abc"],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b"', "a b"],
    ["multipart/form-data", null],
    ["multipart/form-data; boundary=", null],
    [`multipart/form-data; boundary=${"x".repeat(300)}`, null],
    ["application/json; boundary=abc", null],
    [undefined, null],
  ] as const) {
    it(`has its boundary from ${type?.slice(0, 60)}`, () => assert.strictEqual(boundaryOf(type), boundary))
  }

  it("takes time in proportion to its length, however often it almost ends", () => {
    const length = 4_000_000
    const bytes = Buffer.alloc(length, "\r\n--")
    const began = cpuMilliseconds()
    partsIn(
      Buffer.concat([Buffer.from(`--b${CRLF}Content-Disposition: form-data; name=f${CRLF}${CRLF}`), bytes]),
      4096,
    )
    assert.isBelow(cpuMilliseconds() - began, 5000)
  })
})
