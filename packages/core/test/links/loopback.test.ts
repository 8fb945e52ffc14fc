import { assert, it } from "@effect/vitest"
import { isLoopbackName, isPrivateWay } from "../../src/links/index.js"

it("takes for this machine what no resolver can lead elsewhere", () => {
  for (const name of ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "[::1]"])
    assert.isTrue(isLoopbackName(name), name)
  for (const name of ["127.evil.example", "localhost.example", "127.0.0.1.example", "10.0.0.1", "::1", ""])
    assert.isFalse(isLoopbackName(name), name)
})

it("knows when a key cannot be read on its way: over https, and within this machine", () => {
  for (const address of ["https://a.example", "http://127.0.0.1:8787/", "http://localhost", "http://[::1]:1"])
    assert.isTrue(isPrivateWay(address), address)
  for (const address of ["http://a.example", "http://127.evil.example", "http://192.168.0.2"])
    assert.isFalse(isPrivateWay(address), address)
})
