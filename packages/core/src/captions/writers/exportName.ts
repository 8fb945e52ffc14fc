import { slugOf } from "../../text/slugOf.js"
import type { Export } from "./exportTranscript.js"

/** The name of an export as a file: its title, or the id of the transcription where it has none. */
export const exportName = ({ extension, title }: Pick<Export, "extension" | "title">, id: string): string =>
  `${slugOf(title ?? "") || id}${extension}`
