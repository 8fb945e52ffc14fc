import type { Sniffed } from "./Sniffed.js"
import { audioFrame, containerOf } from "./sniffBinary.js"
import { sniffText } from "./sniffText.js"

/** As many bytes as ever matter here; more may be given. */
export const SNIFFED_BYTES = 1024

/** What a file is, by its first bytes (1 KB is enough, less may do). Any bytes get an answer. */
export const sniff = (bytes: Uint8Array): Sniffed => {
  if (bytes.length === 0) return { kind: "empty" }
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES))
  // A raw frame has no signature but a few bits, which a text in UTF-16 may have too: it comes last.
  return containerOf(head) ?? sniffText(head) ?? audioFrame(head) ?? { kind: "unknown" }
}
