import { createHmac, timingSafeEqual } from "node:crypto"
import { isApiKey, makeApiKey, signWebhook, verifyWebhook } from "@earmark/core/signing"
import { seededRandom } from "@earmark/testkit"
import { Either } from "effect"
import { fastest, main, type Outcome, race, sized } from "./harness.js"

const ROUNDS = 9
const DELIVERIES = sized(20_000, 100)
const KEYS = sized(200_000, 999)
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const body = JSON.stringify({ id: "tr_1.done", data: { text: "x".repeat(980) } })
const timestamp = 1_700_000_000

/** The quickest plausible code that somebody would write by hand: no parsing beyond two splits, no typed answer. */
const handWritten = {
  sign: () =>
    `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
  verify: (header: string) => {
    const [time = "", signature = ""] = header.split(",")
    const expected = createHmac("sha256", secret)
      .update(`${time.slice(2)}.${body}`)
      .digest()
    return timingSafeEqual(expected, Buffer.from(signature.slice(3), "hex"))
  },
}

const repeat = (times: number, task: () => boolean) => () => {
  for (let turn = 0; turn < times; turn++) if (!task()) throw new Error("A genuine signature was refused")
}

const deliveries = (): Outcome => {
  const times = race(
    {
      earmark: repeat(DELIVERIES, () => {
        const header = signWebhook({ secrets: [secret], body, timestamp })
        return Either.isRight(verifyWebhook({ raw: body, header, secrets: [secret], now: timestamp }))
      }),
      handWritten: repeat(DELIVERIES, () => handWritten.verify(handWritten.sign())),
    },
    ROUNDS,
  )
  const [rivalName, rival] = fastest(times, "earmark")
  const perSecond = (milliseconds: number) => (DELIVERIES / milliseconds) * 1000
  const ratio = times.earmark / rival
  return {
    bench: "sign and verify a 1 kB body, per second",
    ours: perSecond(times.earmark),
    rival: perSecond(rival),
    rivalName,
    ratio,
    bar: "time <= 1.3x",
    pass: ratio <= 1.3,
  }
}

/** A flood of wrong keys: right length with a wrong checksum (the costly kind), one character short, and rubbish. */
const wrongKeys = (): ReadonlyArray<string> => {
  const random = seededRandom(7)
  return Array.from({ length: 999 }, (_, index) => {
    const bytes = Uint8Array.from({ length: 64 }, () => random() * 256)
    const { value } = Either.getOrThrow(makeApiKey("live", bytes))
    if (index % 3 === 0)
      return `${value.slice(0, -7)}${value.charAt(37) === "a" ? "b" : "a"}${value.slice(-6)}`
    return index % 3 === 1 ? value.slice(0, -1) : `Bearer ${value.slice(7)}`
  })
}

const SHAPE_ONLY = /^em_(?:live|test)_[0-9A-Za-z]{36}$/

/**
 * The bar is absolute: the regexp alone does about 30 million a second, and the keyed hash that every key costs which
 * gets past it about 0.4 million. A million a second is always cheaper than the hash, on a slow machine too.
 */
const malformedKeys = (): Outcome => {
  const keys = wrongKeys()
  const refuseAll = (isKey: (text: string) => boolean, expected: number) => () => {
    let passed = 0
    for (let turn = 0; turn < KEYS; turn++) if (isKey(keys[turn % keys.length] ?? "")) passed++
    if (passed !== expected) throw new Error(`${passed} wrong keys passed instead of ${expected}`)
  }
  const shaped = Array.from({ length: KEYS }, (_, turn) => turn).filter(
    (turn) => (turn % keys.length) % 3 === 0,
  )
  const times = race(
    { earmark: refuseAll(isApiKey, 0), regexp: refuseAll((text) => SHAPE_ONLY.test(text), shaped.length) },
    ROUNDS,
  )
  const perSecond = (milliseconds: number) => (KEYS / milliseconds) * 1000
  const ours = perSecond(times.earmark)
  return {
    bench: "refuse wrong API keys, per second",
    ours,
    rival: perSecond(times.regexp),
    rivalName: "regexp, which lets a third of them pass to the store",
    ratio: times.earmark / times.regexp,
    bar: ">= 1 million/s",
    pass: ours >= 1_000_000,
  }
}

await main({ run: async () => [deliveries(), malformedKeys()] })
