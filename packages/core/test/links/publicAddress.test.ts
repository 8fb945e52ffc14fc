import { BlockList, isIP } from "node:net"
import {
  cidrContains,
  isAllowedAddress,
  isAllowedOverHttp,
  isAllowedPort,
  isPublicAddress,
  type PlainHttp,
  parseCidr,
  parseCidrList,
} from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const v4Text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".")

describe("public addresses", () => {
  // First and last address of each range that is not public, and the public neighbours of the range where there are any.
  const ranges: ReadonlyArray<
    readonly [first: string, last: string, before: string | null, after: string | null]
  > = [
    ["0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
    ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
    ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
    ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
    ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
    ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
    ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
    ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
    ["192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"],
    ["192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"],
    ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
    ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
    ["192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"],
    ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
    ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
    ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
    ["224.0.0.0", "255.255.255.255", "223.255.255.255", null],
    ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
    ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null],
    [
      "2001::",
      "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001:200::",
    ],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::", "2001:db9::"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::1", "2003::"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"],
  ]

  it("end and begin where the registry says", () => {
    for (const [first, last, before, after] of ranges) {
      assert.isFalse(isPublicAddress(first), first)
      assert.isFalse(isPublicAddress(last), last)
      if (before !== null) assert.isTrue(isPublicAddress(before), before)
      if (after !== null) assert.isTrue(isPublicAddress(after), after)
    }
  })

  it("are judged by the IPv4 address inside, where there is one", () => {
    const table: Readonly<Record<string, boolean>> = {
      "::ffff:8.8.8.8": true,
      "::ffff:808:808": true,
      "::FFFF:8.8.8.8": true,
      "[::ffff:8.8.8.8]": true,
      "0:0:0:0:0:ffff:127.0.0.1": false,
      "::ffff:127.0.0.1": false,
      "::ffff:7f00:1": false,
      "64:ff9b::8.8.8.8": true,
      "64:ff9b::7f00:1": false,
      "64:ff9b::a9fe:a9fe": false,
      "64:ff9b:1::8.8.8.8": false,
      "::127.0.0.1": false,
      "::8.8.8.8": false,
      "::ffff:0:127.0.0.1": false,
      "::ffff:0:8.8.8.8": false,
      "2002:7f00:1::": false,
      "2001:0:4136:e378:8000:63bf:3fff:fdd2": false,
    }
    for (const [address, expected] of Object.entries(table)) {
      assert.strictEqual(isPublicAddress(address), expected, address)
    }
  })

  it("are well-known ones", () => {
    for (const address of [
      "1.1.1.1",
      "8.8.8.8",
      "2606:4700:4700::1111",
      "2a00:1450:4001:80f::200e",
      "[2600::1]",
    ]) {
      assert.isTrue(isPublicAddress(address), address)
    }
    for (const address of [
      "::1",
      "fe80::1",
      "fc00::1",
      "fd12:3456::1",
      "ff02::1",
      "fec0::1",
      "100::1",
      "5f00::1",
    ]) {
      assert.isFalse(isPublicAddress(address), address)
    }
  })

  it("are never texts of another form", () => {
    const texts = [
      "",
      "localhost",
      "8.8.8",
      "8.8.8.8.8",
      "8.8.8.08",
      "8.8.8.0x8",
      "08.8.8.8",
      "8.8.8.256",
      "8.8.8.-8",
      " 8.8.8.8",
      "134744072",
      "8.8.8.8/32",
      "[8.8.8.8]",
      "８.8.8.8",
      "2600::1%eth0",
      "2600:::1",
      "2600::1::2",
      ":2600::1",
      "2600:1",
      "2600::12345",
      "2600::g",
      "2600:2:3:4:5:6:7:8:9",
      "2600:2:3:4:5:6:7:8::",
      "2600:2:3:4::5:6:7:8",
      "2600::8.8.8.8:1",
      "8.8.8.8::",
      "2600::8.8.8",
      "[2600::1",
      "2600::1]",
      "2600::1/128",
      "2".repeat(100_000),
      ":".repeat(100_000),
    ]
    for (const text of texts) assert.isFalse(isPublicAddress(text), text.slice(0, 40))
  })

  const word = FastCheck.nat({ max: 0xffff })
  const v6 = FastCheck.array(FastCheck.oneof(word, FastCheck.constantFrom(0, 0x2001, 0xffff, 0x64, 0xff9b)), {
    minLength: 8,
    maxLength: 8,
  }).map((words) => words.map((each) => each.toString(16)).join(":"))

  it.prop(
    "agree with node:net for any IPv4 address",
    { value: FastCheck.nat({ max: 0xffffffff }) },
    ({ value }) => {
      const denied = new BlockList()
      for (const [first, last] of ranges) if (isIP(first) === 4) denied.addRange(first, last)
      const address = v4Text(value)
      assert.strictEqual(isPublicAddress(address), !denied.check(address))
      assert.strictEqual(isPublicAddress(`::ffff:${address}`), !denied.check(address))
    },
  )

  it.prop("have one verdict in all written forms", { address: v6 }, ({ address }) => {
    const short = new URL(`http://[${address}]/`).hostname
    assert.strictEqual(isPublicAddress(address), isPublicAddress(short))
    assert.strictEqual(isPublicAddress(address.toUpperCase()), isPublicAddress(short.slice(1, -1)))
  })

  it.prop("any text gets an answer, and only addresses pass", { text: FastCheck.string() }, ({ text }) => {
    if (isPublicAddress(text)) assert.notStrictEqual(isIP(text.replace(/^\[(.*)\]$/, "$1")), 0)
  })
})

describe("ranges", () => {
  const holds = (range: string, address: string) => cidrContains(Either.getOrThrow(parseCidr(range)), address)

  it("contain what their prefix says", () => {
    const table: ReadonlyArray<readonly [range: string, address: string, holds: boolean]> = [
      ["127.0.0.1/32", "127.0.0.1", true],
      ["127.0.0.1/32", "127.0.0.2", false],
      ["127.0.0.1", "127.0.0.1", true],
      ["127.0.0.1", "::ffff:127.0.0.1", true],
      ["::ffff:127.0.0.1", "127.0.0.1", true],
      ["10.0.0.0/8", "10.255.0.1", true],
      ["10.0.0.0/8", "11.0.0.0", false],
      ["10.1.2.3/8", "10.9.9.9", true],
      ["192.168.16.0/20", "192.168.31.255", true],
      ["192.168.16.0/20", "192.168.32.0", false],
      ["0.0.0.0/0", "255.255.255.255", true],
      ["0.0.0.0/0", "2600::1", false],
      ["0.0.0.0/0", "64:ff9b::1.2.3.4", false],
      ["::/0", "2600::1", true],
      ["::/0", "1.2.3.4", false],
      ["::1", "::1", true],
      ["fd00::/8", "fdff::1", true],
      ["fd00::/8", "fe00::1", false],
      ["2001:db8::/33", "2001:db8:7fff::", true],
      ["2001:db8::/33", "2001:db8:8000::", false],
      ["10.0.0.0/8", "host", false],
    ]
    for (const [range, address, expected] of table) {
      assert.strictEqual(holds(range, address), expected, `${range} ${address}`)
    }
  })

  it("are refused when they are none", () => {
    for (const text of [
      "",
      "/8",
      "10.0.0.0/",
      "10.0.0.0/33",
      "::/129",
      "10.0.0/8",
      "host",
      "10.0.0.0/8/8",
      "10.0.0.0/-1",
    ]) {
      assert.isTrue(Either.isLeft(parseCidr(text)), text)
    }
  })

  it("come in lists, and one wrong range refuses the list by name", () => {
    assert.strictEqual(Either.getOrThrow(parseCidrList(" 127.0.0.1/32, ::1\n10.0.0.0/8,")).length, 3)
    assert.deepStrictEqual(parseCidrList("  "), Either.right([]))
    assert.include(Either.getOrThrow(Either.flip(parseCidrList("127.0.0.1, nonsense"))).message, '"nonsense"')
  })

  it("open what is not public", () => {
    const allow = Either.getOrThrow(parseCidrList("127.0.0.1/32"))
    assert.isTrue(isAllowedAddress("127.0.0.1", allow))
    assert.isTrue(isAllowedAddress("8.8.8.8", allow))
    assert.isFalse(isAllowedAddress("127.0.0.2", allow))
    assert.isFalse(isAllowedAddress("localhost", allow))
    assert.isFalse(isAllowedAddress("127.0.0.1", []))
    // Behind NAT64 the same bits are another host's loopback.
    assert.isFalse(isAllowedAddress("64:ff9b::7f00:1", allow))
  })

  it("are where plain http leads, unless it leads everywhere or nowhere", () => {
    const allow = Either.getOrThrow(parseCidrList("127.0.0.1/32, ::1"))
    const addresses = ["127.0.0.1", "::1", "8.8.8.8", "2606:4700::1111", "127.0.0.2", "localhost"]
    const plain = (how: PlainHttp) => addresses.filter((address) => isAllowedOverHttp(address, allow, how))
    assert.deepStrictEqual(plain("allowed"), ["127.0.0.1", "::1"])
    assert.deepStrictEqual(plain("on"), ["127.0.0.1", "::1", "8.8.8.8", "2606:4700::1111"])
    assert.deepStrictEqual(plain("off"), [])
    assert.isFalse(isAllowedOverHttp("8.8.8.8", [], "allowed"))
  })

  it.prop(
    "agree with node:net for any IPv4 range",
    {
      start: FastCheck.nat({ max: 0xffffffff }),
      flip: FastCheck.nat({ max: 31 }),
      bits: FastCheck.nat({ max: 32 }),
    },
    ({ start, flip, bits }) => {
      const list = new BlockList()
      list.addSubnet(v4Text(start), bits)
      const near = v4Text((start ^ (1 << flip)) >>> 0)
      assert.strictEqual(holds(`${v4Text(start)}/${bits}`, near), list.check(near))
    },
  )
})

it("ports are those of the web and the unprivileged ones", () => {
  for (const port of [80, 443, 1024, 8080, 65535]) assert.isTrue(isAllowedPort(port), String(port))
  for (const port of [0, 22, 79, 81, 444, 1023, 65536, -1, Number.NaN])
    assert.isFalse(isAllowedPort(port), String(port))
})
