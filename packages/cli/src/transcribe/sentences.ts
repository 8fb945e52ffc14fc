import type { SourceRefused } from "@earmark/service"

export const BLOCKED =
  "The address is private, not on the public internet; when it is yours, allow its range (EARMARK_EGRESS_ALLOW=127.0.0.0/8 is this machine), or give the file."

/** Sentences about links say "upload the file" to customers of a service; here nobody uploads or pastes. */
const forFiles = (sentence: string): string =>
  sentence
    .replace(/\bupload the file\b/g, "download it and give the file")
    .replace(/\bpaste\b/g, "give")
    .replace(/\bPaste\b/g, "Give")

const LISTED = "earmark feed ADDRESS lists them, with the number that --episode takes."

/** Why a source cannot be used, for the one who runs the machine. */
export const sentenceOf = ({ failure, detail }: SourceRefused): string => {
  const sentence = forFiles(detail)
  if (failure === "source_blocked") return /\bports?\b/.test(detail) ? sentence : BLOCKED
  return failure === "episode_not_found" ? `${sentence} ${LISTED}` : sentence
}

/** Why something has no text that was stopped, and what to do. */
export const STOPPED =
  "It was stopped. earmark jobs retry goes on where it was, as does the command that it was begun with."
