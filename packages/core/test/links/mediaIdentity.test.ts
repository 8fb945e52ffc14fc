import {
  fetchedAddress,
  looseMediaIdentity,
  mediaIdentity,
  sameMedia,
  stripCredentials,
  stripTracking,
} from "@earmark/core/links"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const file = "cdn.example.com/a/ep1.mp3"

describe("tracking prefixes", () => {
  const prefixes = [
    "dts.podtrac.com/redirect.mp3/",
    "www.podtrac.com/pts/redirect.mp3/",
    "dts.podtrac.com/pts/redirect.m4a/",
    "play.podtrac.com/npr-510289/",
    "play.podtrac.com/",
    "chtbl.com/track/A1B2/",
    "chtbl.com/track/",
    "chrt.fm/track/A1B2/",
    "media.blubrry.com/the_show/",
    "media.blubrry.com/the_show/p/",
    "mgln.ai/e/12/",
    "mgln.ai/e/",
    "pdst.fm/e/",
    "pdcn.co/e/",
    "flex.acast.com/",
    "2.gum.fm/",
    "pscrb.fm/rss/p/",
    "op3.dev/e/",
    "op3.dev/e,pg=00000000-0000-4000-8000-000000000001/",
    "op3.dev/e,pg=0,x=y/",
    "verifi.podscribe.com/rss/p/",
    "prfx.byspotify.com/e/",
    "claritaspod.com/measure/",
    "arttrk.com/p/AB1/",
    "tracking.swap.fm/track/ab1/",
    "pfx.vpixl.com/ab1/",
  ]

  it("are stripped one by one", () => {
    for (const prefix of prefixes)
      assert.strictEqual(stripTracking(`https://${prefix}${file}`), `https://${file}`, prefix)
  })

  it("are stripped with the scheme of the file, when it has one of its own", () => {
    assert.strictEqual(stripTracking(`https://op3.dev/e/http://${file}`), `http://${file}`)
    assert.strictEqual(stripTracking(`HTTPS://PDST.FM/e/${file}`), `HTTPS://${file}`)
    assert.strictEqual(stripTracking(`http://op3.dev/e/https://${file}`), `https://${file}`)
  })

  it("stay when nothing like a host follows", () => {
    for (const address of [
      "https://pdst.fm/e/",
      "https://pdst.fm/e/episode",
      "https://pdst.fm/e/episode.mp3",
      "https://op3.dev/e?x=cdn.example.com/a",
      "https://pdst.fm/other/cdn.example.com/a.mp3",
      "https://pdst.fm.example/e/cdn.example.com/a.mp3",
      "https://cdn.example.com/pdst.fm/e/other.example/a.mp3",
      "pdst.fm/e/cdn.example.com/a.mp3",
    ]) {
      assert.strictEqual(stripTracking(address), address)
    }
  })

  const prefix = FastCheck.constantFrom(...prefixes)
  it.prop(
    "are stripped however they are nested",
    { nested: FastCheck.array(prefix, { maxLength: 8 }) },
    ({ nested }) => {
      const address = `https://${nested.join("")}${file}`
      assert.strictEqual(stripTracking(address), `https://${file}`)
      assert.strictEqual(mediaIdentity(address), `https://${file}`)
    },
  )
})

describe("the address that is fetched", () => {
  it("is written plainly, with the services that count downloads", () => {
    const table: Readonly<Record<string, string>> = {
      "HTTPS://PDST.fm:443/e/cdn.example.com/a.mp3?utm_x=1#t=1": "https://pdst.fm/e/cdn.example.com/a.mp3",
      "HTTPS://CDN.Example.COM/a/ep1.mp3": `https://${file}`,
      "not an address": "not an address",
    }
    for (const [address, fetched] of Object.entries(table))
      assert.strictEqual(fetchedAddress(address), fetched)
    const long = `https://PDST.fm/e/cdn.example.com/${"a".repeat(9000)}`
    assert.strictEqual(fetchedAddress(long), long)
  })
})

describe("the identity of media", () => {
  it("keeps every byte that matters", () => {
    const table: Readonly<Record<string, string>> = {
      "HTTPS://CDN.Example.COM/a/ep1.mp3": `https://${file}`,
      "https://cdn.example.com:443/a/ep1.mp3#t=10": `https://${file}`,
      "http://cdn.example.com:80/a/ep1.mp3": `http://${file}`,
      "http://cdn.example.com:443/a/ep1.mp3": `http://cdn.example.com:443/a/ep1.mp3`,
      [`https://${file}?utm_source=x&id=1&fbclid=y&id=2`]: `https://${file}?id=1&id=2`,
      [`https://${file}?utm_source=x`]: `https://${file}`,
      [`https://${file}?`]: `https://${file}?`,
      [`https://${file}?a&&b=`]: `https://${file}?a&&b=`,
      [`https://${file}?updated=1&UTM_Medium=x`]: `https://${file}?updated=1`,
      "https://cdn.example.com": "https://cdn.example.com/",
      "https://cdn.example.com?a": "https://cdn.example.com/?a",
      "https://bücher.example/a": "https://xn--bcher-kva.example/a",
      "https://０x7f.1/a": "https://127.0.0.1/a",
      "https://h.example/https%3A%2F%2Fx.example%2Fa%20b.mp3":
        "https://h.example/https%3A%2F%2Fx.example%2Fa%20b.mp3",
      "https://h.example/%7Ea/../b//c;d?e=%e4+f": "https://h.example/%7Ea/../b//c;d?e=%e4+f",
      "https://h.example/Größe 1.mp3": "https://h.example/Größe 1.mp3",
      "https://User:Pass@H.example/a": "https://User:Pass@h.example/a",
      "https://PDST.fm/e/CHTBL.com/track/1/CDN.example.com/A.mp3?utm_x=1": "https://cdn.example.com/A.mp3",
      "https://ＰＤＳＴ.fm/e/cdn.example.com/A.mp3": "https://cdn.example.com/A.mp3",
      "ftp://H.example/a": "ftp://H.example/a",
      "not an address": "not an address",
      "": "",
    }
    for (const [address, identity] of Object.entries(table))
      assert.strictEqual(mediaIdentity(address), identity)
  })

  it("is the same over http and https, and loosely without parameters", () => {
    assert.isTrue(sameMedia(`http://pdst.fm/e/${file}`, `https://${file}?utm_source=x#t`))
    assert.isFalse(sameMedia(`https://${file}?id=1`, `https://${file}?id=2`))
    assert.isFalse(sameMedia(`https://${file}`, `https://${file.toUpperCase()}`))
    assert.isFalse(sameMedia(`http://${file}`, `ftp://${file}`))
    assert.strictEqual(looseMediaIdentity(`http://pdst.fm/e/${file}?id=1`), file)
  })

  const piece = FastCheck.oneof(
    FastCheck.fullUnicodeString({ maxLength: 4 }),
    FastCheck.constantFrom(
      "https://",
      "HTTP://",
      "pdst.fm/e/",
      "ＰＤＳＴ.fm/e/",
      "op3.dev/e,pg=1/",
      "chtbl.com/track/a/",
    ),
    FastCheck.constantFrom(
      "cdn.Example.com/",
      "?",
      "#",
      "&",
      "utm_a=1",
      "@",
      ":80",
      ":443",
      "%2F",
      "/",
      "..",
      "\\",
    ),
  )
  const address = FastCheck.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""))

  it.prop(
    "is its own identity",
    { address },
    (given) => {
      for (const text of [given.address, `https://${given.address}`]) {
        const identity = mediaIdentity(text)
        assert.strictEqual(mediaIdentity(identity), identity)
        assert.strictEqual(stripTracking(stripTracking(text)), stripTracking(text))
      }
    },
    { fastCheck: { numRuns: 3000 } },
  )

  it("has no prefix left, however many hide behind unusual letters", () => {
    for (const prefixes of [1, 5, 6, 50]) {
      const address = `https://${"ＰＤＳＴ.fm/e/".repeat(prefixes)}cdn.example/a.mp3`
      assert.strictEqual(mediaIdentity(address), "https://cdn.example/a.mp3", `${prefixes}`)
    }
  })

  it("is its own identity also where capitals make a host invalid", () => {
    assert.strictEqual(mediaIdentity("https://\u10a0/"), "https://xn--rkj/")
    assert.strictEqual(mediaIdentity("https://xn--rkj/"), "https://xn--rkj/")
  })

  it("takes linear time", () => {
    for (const part of ["pdst.fm/e/", "ＰＤＳＴ.fm/e/", "utm_a=1&", "a.", "@", "op3.dev/e,", "https://"]) {
      const started = cpuMilliseconds()
      for (const length of [8000, 5_000_000]) {
        mediaIdentity(`https://pdst.fm/e/${part.repeat(length / part.length)}`)
        mediaIdentity(`https://h.example/?${part.repeat(length / part.length)}`)
      }
      assert.isBelow(cpuMilliseconds() - started, 1000, part)
    }
  })
})

describe("logins in addresses", () => {
  it("are taken out, and nothing else changes", () => {
    const table: Readonly<Record<string, readonly [url: string, login: string | null]>> = {
      "https://ann:secret@h.example/f?a=%20": ["https://h.example/f?a=%20", "ann:secret"],
      "https://ann@h.example/": ["https://h.example/", "ann:"],
      "https://:secret@h.example/": ["https://h.example/", ":secret"],
      "https://a%40b:c%3Ad@h.example/": ["https://h.example/", "a@b:c:d"],
      "https://a@b:c@h.example/": ["https://h.example/", "a@b:c"],
      "https://%zz:%C3%BC@h.example/": ["https://h.example/", "%zz:ü"],
      "https://@h.example/": ["https://h.example/", null],
      "https://:@h.example/": ["https://h.example/", null],
      "https://h.example/@ann": ["https://h.example/@ann", null],
      "https://h.example?a=b:c@d": ["https://h.example?a=b:c@d", null],
      "ann@h.example": ["ann@h.example", null],
      "": ["", null],
    }
    for (const [address, [url, login]] of Object.entries(table)) {
      const authorization = login === null ? null : `Basic ${Buffer.from(login).toString("base64")}`
      assert.deepStrictEqual(stripCredentials(address), { url, authorization }, address)
    }
  })

  it.prop("never stay", { user: FastCheck.string(), password: FastCheck.string() }, ({ user, password }) => {
    const url = new URL("https://h.example/f")
    url.username = user
    url.password = password
    const stripped = stripCredentials(url.href)
    assert.strictEqual(stripped.url, "https://h.example/f")
    const login = stripped.authorization?.slice("Basic ".length)
    assert.strictEqual(login !== undefined, user !== "" || password !== "")
  })
})
