import { assert, describe, it } from "@effect/vitest"
import { leadsTo } from "../src/pages/client.js"

describe("leadsTo", () => {
  it("is an origin, or the scheme of a program", () => {
    assert.strictEqual(leadsTo("https://app.example:8443/x;y,z"), "https://app.example:8443")
    assert.strictEqual(leadsTo("http://[::1]:3000/"), "http://[::1]:3000")
    assert.strictEqual(leadsTo("cursor://a;b,c/callback"), "cursor:")
  })

  it("is nothing where the host means something in a policy, also of an app that was registered before", () => {
    for (const host of ["a;sandbox", "a,b", "a'unsafe-inline'", "*.app.example", "*", "a(b)", "a!b", "a$b"]) {
      assert.isNull(leadsTo(`https://${host}/callback`), host)
    }
  })
})
