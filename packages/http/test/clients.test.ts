import { assert, describe, it } from "@effect/vitest"
import { clientAddress } from "../src/requests/clientAddress.js"

describe("clientAddress", () => {
  for (const [address, name] of [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::9", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["", ""],
  ] as const) {
    it(`${address} is ${name}`, () => assert.strictEqual(clientAddress(address), name))
  }
})
