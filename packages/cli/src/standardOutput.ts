import { fstatSync, readFileSync, statSync } from "node:fs"

/** The reader has gone away. */
export const isBrokenPipe = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "EPIPE"

const READ_AND_WRITE = 2

/**
 * Whether standard output was closed when the command began (`>&-`): Node opens the null device in its place, for
 * reading too, as nobody does who redirects in a shell. Some programs do to be rid of the output, so it is no failure.
 */
export const isStandardOutputClosed = (): boolean => {
  try {
    if (fstatSync(process.stdout.fd).rdev !== statSync("/dev/null").rdev) return false
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync("/proc/self/fdinfo/1", "utf8"))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & READ_AND_WRITE) !== 0
  } catch {
    return false
  }
}
