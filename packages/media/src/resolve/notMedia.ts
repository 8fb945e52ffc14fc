import type { Sniffed } from "@earmark/core/links"
import type { SourceRefused } from "@earmark/service"
import { refusal } from "./refusals.js"

const WHAT: Readonly<Partial<Record<Sniffed["kind"], string>>> = {
  archive: "an archive; unpack it and upload the recording",
  image: "an image; link the recording itself",
  document: "a document; link the recording itself",
  captions: "a caption file; link the recording that it belongs to",
  torrent: "a torrent; download it and upload the recording",
  page: "a web page under the name of a recording; link the recording itself",
}

const unsupported = (what: string): SourceRefused =>
  refusal("unsupported_media", "unsupported_media", `This address leads to ${what}.`)

/** Why what was found is not transcribed. */
export const notMedia = (sniffed: Sniffed): SourceRefused => {
  const what = WHAT[sniffed.kind]
  if (what !== undefined) return unsupported(what)
  if (sniffed.kind === "playlist") {
    return refusal(
      "source_not_supported",
      "source_unresolvable",
      "This is a stream or a playlist, not a recording; paste the address of the recorded file or clip.",
    )
  }
  const found = sniffed.kind === "empty" ? "nothing at all" : "neither media, nor a feed, nor a page"
  return refusal(
    "unresolvable_link",
    "source_unresolvable",
    `This address leads to ${found}; paste the address of the recording itself.`,
  )
}
