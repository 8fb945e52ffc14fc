import type { Transcription } from "@earmark/api/client"
import { words } from "../words.js"

/** What a transcription is called on the page. */
export const titleOf = ({ title, source_label }: Pick<Transcription, "title" | "source_label">): string =>
  title ?? source_label ?? words.list.untitled
