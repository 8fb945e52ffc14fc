import type { SourcePhase } from "@earmark/batch"
import type { HearingProgress } from "@earmark/service"
import { Clock, Effect } from "effect"
import { printable } from "../output.js"
import { clockOf, percentOf } from "./figures.js"

/** What is told of one source while the work on it goes on. */
interface Line {
  /** As people know the source. */
  readonly name: string
  /** A line that stays. */
  readonly note: (text: string) => Effect.Effect<void>
  readonly phase: (phase: SourcePhase) => Effect.Effect<void>
  readonly progress: (progress: HearingProgress) => Effect.Effect<void>
  /** How much of a download that this source waits for is there. */
  readonly download: (bytes: number, total: number) => Effect.Effect<void>
  /** Words as they come. */
  readonly heard: (start: number, text: string) => Effect.Effect<void>
  /** The source is done with: what moves is taken away. */
  readonly end: Effect.Effect<void>
}

/** Tells the one who waits how the work goes. Everything goes to standard error, never among the data. */
export interface Teller {
  /** A line that stays. */
  readonly note: (text: string) => Effect.Effect<void>
  /** Another source is begun; several may be under way. */
  readonly begin: (name: string, position: string) => Line
  /** How far the whole run is. */
  readonly whole: (over: number, all: number, secondsLeft: number | null) => Effect.Effect<void>
  /** The run is over: what tells of the whole of it is taken away. */
  readonly end: Effect.Effect<void>
}

const PHASES: Readonly<Record<SourcePhase, string>> = {
  uploading: "uploading",
  waiting: "waiting",
  waiting_for_credits: "waiting for credits",
  fetching: "looking for its text",
  decoding: "opening",
  transcribing: "listening",
  diarizing: "telling speakers apart",
  enriching: "writing",
  finalizing: "writing",
}

const BAR = 20
const STEP = 10

const barOf = (share: number): string => {
  const filled = Math.round(share * BAR)
  return `${"━".repeat(filled)}${"─".repeat(BAR - filled)}`
}

const NARROW = 60
const CLEAR = "\r\u001b[2K"
const UP = "\u001b[1A"

const write = (text: string) => Effect.sync(() => void process.stderr.write(text))

export interface TellerOptions {
  readonly quiet: boolean
  /** Every step in its line, where lines stay. */
  readonly verbose: boolean
  readonly colour: boolean
  /** Whether words are shown as they come: not when the result goes to the same terminal, nor when several sources speak at once. */
  readonly showsWords: boolean
}

const MEGABYTE = 1_000_000

const megabytesOf = (bytes: number, total: number): string =>
  `${Math.round(bytes / MEGABYTE)} of ${Math.round(total / MEGABYTE)} MB`

/** How fast it goes, from what was heard in this run: how long it will take is known from then on. */
const makePace = () => {
  let from: { readonly at: number; readonly seconds: number } | undefined
  return (now: number, { heardSeconds: seconds, secondsLeft }: HearingProgress): number | null => {
    if (secondsLeft === null) return null
    from ??= { at: now, seconds }
    const took = (now - from.at) / 1000
    return took < 1 || seconds <= from.seconds ? null : (seconds - from.seconds) / took
  }
}

const paceOf = (pace: number | null): string => (pace === null ? "" : `  ${pace.toFixed(1)}x`)

/** Where it is; nothing where the length is unknown, so that only the share can be told. */
const reachedOf = ({ heardSeconds, share }: HearingProgress): string =>
  heardSeconds === 0 && share !== null && share > 0 ? "" : `  ${clockOf(heardSeconds)}`

const leftOf = (secondsLeft: number | null): string =>
  secondsLeft === null ? "" : `  ${clockOf(secondsLeft)} left`

const wholeOf = (over: number, all: number, secondsLeft: number | null): string =>
  `${over} of ${all} done${leftOf(secondsLeft)}`

/** What is over sooner is told by its result alone, where lines stay. */
const PATIENCE = 10_000

/** Lines that stay: each phase and each tenth once, of what takes its time. */
const plain = ({ verbose, quiet }: TellerOptions): Teller => {
  const note = (text: string) => (quiet ? Effect.void : write(`${text}\n`))
  let tenths = 0
  const whole: Teller["whole"] = (over, all, secondsLeft) =>
    Effect.suspend(() => {
      const reached = Math.floor((over / all) * STEP)
      if (reached <= tenths || over === all || secondsLeft === null) return Effect.void
      tenths = reached
      return note(wholeOf(over, all, secondsLeft))
    })
  const begin = (name: string, position: string): Line => {
    const shown = `${position}${printable(name)}`
    const pace = makePace()
    let phase = ""
    let told = 0
    let fetched = 0
    let began: number | undefined
    const line = (text: string) => note(`${shown}: ${text}`)
    const isToldAt = (now: number) => {
      began ??= now
      return verbose || now - began >= PATIENCE
    }
    return {
      name,
      note,
      phase: (next) =>
        Effect.gen(function* () {
          if (PHASES[next] === phase) return
          phase = PHASES[next]
          if (isToldAt(yield* Clock.currentTimeMillis)) yield* line(phase)
        }),
      progress: (progress) =>
        Effect.gen(function* () {
          const { share, secondsLeft } = progress
          const now = yield* Clock.currentTimeMillis
          const speed = pace(now, progress)
          if (share === null || !isToldAt(now)) return
          const tenth = Math.floor((share * 100) / STEP) * STEP
          if (tenth <= told) return
          told = tenth
          yield* line(`${tenth} %${reachedOf(progress)}${paceOf(speed)}${leftOf(secondsLeft)}`)
        }),
      download: (bytes, total) =>
        Effect.suspend(() => {
          const tenth = Math.floor((bytes * 100) / total / STEP) * STEP
          if (tenth <= fetched) return Effect.void
          fetched = tenth
          return line(`downloading models, ${tenth} %`)
        }),
      heard: () => Effect.void,
      end: Effect.void,
    }
  }
  return { note, begin, whole, end: Effect.void }
}

const cut = (text: string, width: number) =>
  text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`

/** A line that moves for each source under way, with what stays above them, and the whole run below them. */
const moving = ({ colour, showsWords }: TellerOptions): Teller => {
  const lines = new Map<symbol, string>()
  let below = ""
  let drawn = 0
  const tint = (text: string) => (colour ? `\u001b[36m${text}\u001b[39m` : text)
  const dim = (text: string) => (colour ? `\u001b[2m${text}\u001b[22m` : text)
  const columns = () => process.stderr.columns || 80

  /** Takes away what moves, writes what stays, and draws what moves again: in one go, so that nothing flickers. */
  const draw = (above = "") =>
    Effect.suspend(() => {
      const erased = drawn === 0 ? "" : CLEAR + (UP + CLEAR).repeat(drawn - 1)
      const moving = [...lines.values(), ...(below === "" ? [] : [below])]
      drawn = moving.length
      return write(`${erased}${above}${moving.join("\n")}`)
    })

  const note = (text: string) => draw(`${text}\n`)

  const showBelow = (text: string) =>
    Effect.suspend(() => {
      if (text === below) return Effect.void
      below = text
      return draw()
    })

  const whole: Teller["whole"] = (over, all, secondsLeft) =>
    showBelow(cut(`${wholeOf(over, all, secondsLeft)}  ${barOf(over / all)}`, columns() - 1))

  const begin = (name: string, position: string): Line => {
    const key = Symbol(name)
    const shown = `${position}${printable(name)}`
    const pace = makePace()
    const show = (text: string) => {
      lines.set(key, text)
      return draw()
    }
    const showBar = (share: number | null, figures: string, title = shown) =>
      Effect.suspend(() => {
        const width = columns() - 1
        const bar = width < NARROW || share === null ? "" : `  ${barOf(share)}`
        const head = cut(title, Math.max(8, width - figures.length - bar.length - 2))
        return show(`${head}${tint(bar)}  ${figures}`)
      })
    return {
      name,
      note,
      phase: (next) => Effect.suspend(() => show(cut(`${shown}  ${PHASES[next]} ...`, columns() - 1))),
      progress: (progress) =>
        Effect.gen(function* () {
          const { share, secondsLeft } = progress
          const speed = pace(yield* Clock.currentTimeMillis, progress)
          const figures = `${percentOf(share)}${reachedOf(progress)}${paceOf(speed)}${leftOf(secondsLeft)}`
          yield* showBar(share, figures)
        }),
      download: (bytes, total) => showBar(bytes / total, megabytesOf(bytes, total), "downloading models"),
      heard: (start, text) =>
        showsWords && text !== "" ? note(`${dim(clockOf(start / 1000))}  ${printable(text)}`) : Effect.void,
      end: Effect.suspend(() => (lines.delete(key) ? draw() : Effect.void)),
    }
  }
  return { note, begin, whole, end: showBelow("") }
}

export const makeTeller = (options: TellerOptions): Teller =>
  process.stderr.isTTY && !options.quiet ? moving(options) : plain(options)
