import type { ChildEngine } from "../pool/childEngine.js"

/** How a scripted engine misbehaves, each in so many windows, counted over all of its processes; then it works. */
export interface Mischief {
  /** It kills itself in the middle of a window. */
  readonly crash?: number
  /** It never answers. */
  readonly hang?: number
  /** It answers words at times that the window does not have. */
  readonly garbage?: number
  /** It answers what is no answer at all. */
  readonly nonsense?: number
  /** It refuses the window. */
  readonly refuse?: number
  /** It dies while it loads. */
  readonly abort?: number
  /** Milliseconds for each window. */
  readonly delay?: number
  /** Bytes that each window leaks. */
  readonly leak?: number
}

/** Settings of the child: where the counts of all processes are kept, as one file each. */
interface ScriptedSettings extends Mischief {
  readonly folder: string
}

/**
 * The scripted engine inside its child: a word for every half second, made of the samples. It uses nothing from outside
 * itself; see `serveEngine`.
 */
export const scriptedEngine = (load: NodeJS.Require, host: NodeJS.Process): ChildEngine => {
  const files: typeof import("node:fs") = load("node:fs")
  const paths: typeof import("node:path") = load("node:path")
  let settings: ScriptedSettings = { folder: "" }
  const leaked: Array<Buffer> = []
  /** Whether this is still one of the first `times`: whoever makes the file of a turn has it. */
  const takesTurn = (name: string, times: number | undefined): boolean => {
    for (let turn = 0; turn < (times ?? 0); turn++) {
      try {
        files.closeSync(files.openSync(paths.join(settings.folder, `${name}-${turn}`), "wx"))
        return true
      } catch {
        // Somebody had this turn.
      }
    }
    return false
  }
  // @effect-diagnostics-next-line globalTimers:off -- runs in the child, where Effect is not
  const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const never = new Promise<never>(() => {})
  return {
    load: async (given) => {
      settings = Object.assign(settings, given)
      if (takesTurn("abort", settings.abort)) host.abort()
    },
    recognize: async (samples) => {
      if (settings.delay !== undefined) await later(settings.delay)
      if (takesTurn("crash", settings.crash)) {
        host.kill(host.pid, "SIGKILL")
        return never
      }
      if (takesTurn("hang", settings.hang)) for (;;);
      if (takesTurn("nonsense", settings.nonsense)) {
        host.send?.({ type: "result", words: "?" })
        return never
      }
      if (takesTurn("refuse", settings.refuse)) throw new Error("The scripted engine refuses this window.")
      if (settings.leak !== undefined) leaked.push(Buffer.alloc(settings.leak, 1))
      const length = Math.floor(samples.length / 16)
      const shift = takesTurn("garbage", settings.garbage) ? 1_000_000 : 0
      const words = Array.from({ length: Math.floor(length / 500) }, (_, index) => {
        const heard = samples.subarray(index * 8_000, (index + 1) * 8_000)
        const sum = heard.reduce((total, value) => (total * 31 + value) % 1_000_003, 7)
        const start = index * 500 + shift
        return { text: `w${Math.abs(sum).toString(36)}`, start, end: start + 400, confidence: 0.9 }
      })
      return { words, language: { code: "en", confidence: 0.9 }, warnings: [] }
    },
  }
}
