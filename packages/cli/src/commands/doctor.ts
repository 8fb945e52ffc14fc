import type { Finding } from "@earmark/engines"
import { defaultsPath } from "@earmark/runtime/user"
import { Effect } from "effect"
import { failed } from "../CommandFailed.js"
import { readDefaults, requireKnown } from "../defaults.js"
import type { Given } from "../grammar/Grammar.js"
import type { doctor as doctorSpec } from "../grammar/local.js"
import { print, printable } from "../output.js"

const HEADS: Readonly<Record<Finding["status"], string>> = {
  ok: "ok",
  missing: "MISSING",
  old: "OLD",
  unused: "-",
}

/** Wide enough for the names that are always there; a longer one moves the others. */
const NARROWEST = 15

const linesOf = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(NARROWEST, ...findings.map(({ name }) => name.length + 1))
  const lineOf = ({ name, status, detail, fix }: Finding): string => {
    const first = `${HEADS[status].padEnd(8)}${name.padEnd(width)}${detail}\n`
    return fix === null ? first : `${first}${"".padEnd(8 + width)}get it: ${fix}\n`
  }
  return findings.map(lineOf).join("")
}

/** What `earmark transcribe` does without being told on its command line. */
const examineDefaults = Effect.gen(function* () {
  const path = yield* defaultsPath
  return yield* readDefaults.pipe(
    Effect.tap(requireKnown),
    Effect.map((defaults): Finding => {
      const set = Object.entries(defaults).map(([name, value]) => `${name} ${printable(String(value))}`)
      const status = set.length > 0 ? "ok" : "unused"
      const detail = set.length > 0 ? `${set.join(", ")}, from ${path}` : `none are set in ${path}`
      return { name: "defaults", status, detail, fix: null }
    }),
    Effect.catchAll(({ message }) =>
      Effect.succeed<Finding>({
        name: "defaults",
        status: "missing",
        detail: printable(message),
        fix: null,
      }),
    ),
  )
})

/** With a setting that cannot be, no command works: the machine is looked at when it is mended. */
const invalidSetting = ({
  setting,
  message,
}: {
  readonly setting: string
  readonly message: string
}): Finding => ({
  name: "settings",
  status: "missing",
  detail: printable(message),
  fix: `set ${setting} to what it may be, or leave it out`,
})

export const doctor = (options: Given<typeof doctorSpec>) =>
  Effect.gen(function* () {
    const { examineMachine, examineUnknownSettings, readSettings } = yield* Effect.promise(
      () => import("../engines/host.js"),
    )
    const ofMachine = yield* Effect.matchEffect(readSettings, {
      onFailure: ({ invalid }) =>
        Effect.map(examineUnknownSettings, (unknown) => [...invalid.map(invalidSetting), ...unknown]),
      onSuccess: examineMachine,
    })
    const findings = [...ofMachine, yield* examineDefaults]
    yield* print(options.json ? `${JSON.stringify(findings, null, 2)}\n` : linesOf(findings))
    const missing = new Set(findings.filter(({ status }) => status === "missing").map(({ name }) => name))
    if (missing.size > 0)
      return yield* failed(`Missing or broken: ${[...missing].join(", ")}. The lines above say what to do.`)
  })
