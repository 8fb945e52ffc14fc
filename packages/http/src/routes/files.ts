import type { Export } from "@earmark/core/captions"
import type { Reply } from "../answers/Reply.js"

const TEXT = /^(text\/[^;]+|application\/x-subrip)$/

/** A transcript as a file to keep. */
export const fileReply = ({ chunks, contentType, extension }: Export, name: string): Reply => ({
  status: 200,
  headers: {
    "Content-Type": TEXT.test(contentType) ? `${contentType}; charset=utf-8` : contentType,
    "Content-Disposition": `attachment; filename="${name}${extension}"`,
  },
  body: chunks,
})
