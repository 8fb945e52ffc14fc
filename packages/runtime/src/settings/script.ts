import type { Script } from "@earmark/service"
import { Either } from "effect"
import type { Kind } from "./kinds.js"

const MUST = "parts such as delay=20-120,fail=0.15,crash=0.01 (milliseconds, shares from 0 to 1)"

const DELAY = /^(\d{1,7})(?:-(\d{1,7}))?$/
const SHARE = /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/

const partOf = (name: string, value: string): Partial<Script> | undefined => {
  if (name === "delay") {
    const [, from, to = from] = DELAY.exec(value) ?? []
    return from === undefined || Number(from) > Number(to) ? undefined : { delay: [Number(from), Number(to)] }
  }
  if ((name !== "fail" && name !== "crash") || !SHARE.test(value)) return undefined
  return name === "fail" ? { fail: Number(value) } : { crash: Number(value) }
}

/** How the scripted engine behaves. */
export const script: Kind<Partial<Script>> = {
  name: "`delay=FROM-TO`, `fail=SHARE`, `crash=SHARE` with commas between",
  isSecret: false,
  parse: (given) => {
    let made: Partial<Script> = {}
    for (const pair of given.split(",")) {
      const [name = "", value = ""] = pair.split("=").map((side) => side.trim())
      const part = partOf(name, value)
      if (part === undefined) return Either.left(MUST)
      made = { ...made, ...part }
    }
    return Either.right(made)
  },
}
