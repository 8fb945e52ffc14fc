import type { SourceRefused } from "@earmark/service"

export const BLOCKED =
  "The address is not on the public internet; allow its range with EARMARK_EGRESS_ALLOW when it is yours, or give the file."

/** Sentences about links say "upload the file" to customers of a service; here nobody uploads or pastes. */
const forFiles = (sentence: string): string =>
  sentence
    .replace(/\bupload the file\b/g, "download it and give the file")
    .replace(/\bpaste\b/g, "give")
    .replace(/\bPaste\b/g, "Give")

const LISTED = "earmark feed ADDRESS lists them, with the number that --episode takes."

/** Why a source cannot be used, for the one who runs the machine. */
export const sentenceOf = ({ failure, detail }: SourceRefused): string => {
  if (failure === "source_blocked") return BLOCKED
  const sentence = forFiles(detail)
  return failure === "episode_not_found" ? `${sentence} ${LISTED}` : sentence
}
