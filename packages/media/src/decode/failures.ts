import type { FailureCode } from "@earmark/core/jobs"
import { MachineTrouble, WorkFailed } from "@earmark/service"

/** Media that will never be decoded, and why, in a sentence for its owner. */
export const refuse = (code: FailureCode, detail: string, cause?: unknown): WorkFailed =>
  new WorkFailed({ code, isTransient: false, detail, ...(cause !== undefined && { cause }) })

/** The sentence for media of which more than `maxSeconds` are to be heard. */
export const tooLong = (maxSeconds: number): WorkFailed => {
  const [count, unit] = maxSeconds % 60 === 0 ? [maxSeconds / 60, "minute"] : [maxSeconds, "second"]
  return refuse(
    "media_too_long",
    `The media is longer than the ${count} ${count === 1 ? unit : `${unit}s`} that are allowed; take a part with start_at and end_at.`,
  )
}

export const notDecodable = (cause?: unknown): WorkFailed =>
  refuse(
    "unsupported_media",
    "The file is not audio or video that can be decoded; convert it, for example to MP3.",
    cause,
  )

export const incomplete = (): WorkFailed =>
  refuse("unsupported_media", "The file is incomplete: its index is missing; fetch the whole file again.")

/** The programs that decode cannot be used, so nothing is said of the file. The reason is for those who run the machine. */
export const decoderUnavailable = (message: string, isTransient = false): WorkFailed =>
  new WorkFailed({
    code: "internal_error",
    isTransient,
    detail: "The server cannot decode media at the moment; retry the job later.",
    cause: new MachineTrouble({ message }),
  })

/** Without ffmpeg and ffprobe; `notRunnable` is the one that a setting names in vain. */
export const noProgram = (
  notRunnable: { readonly program: string; readonly named: string } | null,
): WorkFailed =>
  decoderUnavailable(
    notRunnable === null
      ? "Only WAV files can be read without ffmpeg; install ffmpeg, or convert the file to WAV."
      : `Only WAV files can be read: the setting of ${notRunnable.program} is "${notRunnable.named}", which is not there or cannot be run. Correct the setting, or leave it out.`,
  )

/** The exit code of a program that cannot load its libraries. */
const NOT_LOADED = 127

/** The failure of a program that was started and never came to look at the file; null where it did, for then it says what is wrong. */
export const notLoaded = (
  program: "ffmpeg" | "ffprobe",
  { code, complaint }: { readonly code: number | null; readonly complaint: string },
): WorkFailed | null => {
  const words = complaint.trim().replaceAll(/\s+/g, " ")
  if (words === "") {
    return decoderUnavailable(
      `${program} ends with code ${code} without a word; check that it is the real program.`,
    )
  }
  return code === NOT_LOADED ? decoderUnavailable(`${program} cannot be run: ${words}`) : null
}
