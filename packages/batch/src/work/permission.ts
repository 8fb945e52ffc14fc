/** Files and folders that the user of this command may not use. */
import { tmpdir } from "node:os"
import { SourceFailed } from "../SourceFailed.js"

const CODES = ["EACCES", "EPERM", "EROFS"]

/** The code of results, or of files in between, that this user may not write. */
export const OUTPUT_UNWRITABLE = "output_unwritable"
const TEMPORARY_UNWRITABLE = "temporary_unwritable"

const isNodeError = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && "code" in cause

/** What the system did not allow; null when it is something else. Whatever keeps a scratch folder from being made is that, too. */
export const refusedBySystem = (cause: unknown): NodeJS.ErrnoException | null =>
  isNodeError(cause) && (CODES.includes(cause.code ?? "") || cause.syscall === "mkdtemp") ? cause : null

export const noTemporaryFiles = (problem: string): SourceFailed =>
  new SourceFailed({
    code: TEMPORARY_UNWRITABLE,
    message: `Temporary files cannot be written to ${tmpdir()} (${problem}). Set TMPDIR to a folder that you may write to.`,
  })

/** What a failure of the machine comes from, where the system refused a file: the source, or what is written in between. */
export const explainRefusal = (cause: unknown): SourceFailed | null => {
  const refused = refusedBySystem(cause)
  if (refused === null) return null
  return refused.syscall === "open" || refused.syscall === "scandir"
    ? new SourceFailed({
        code: "source_forbidden",
        message: "You may not read it; change its permissions, or ask its owner.",
      })
    : noTemporaryFiles(refused.message)
}
