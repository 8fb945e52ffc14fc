/** About 200 tokens: what a prompt of Whisper models holds, with room to spare for scripts that need more tokens. */
const MOST_BYTES = 600

/** A vocabulary as the prompt of a model: as many of its first phrases as fit. */
export const promptOf = (
  vocabulary: ReadonlyArray<string>,
): { readonly prompt: string; readonly isTruncated: boolean } => {
  let prompt = ""
  for (const phrase of vocabulary) {
    const longer = prompt === "" ? phrase : `${prompt}, ${phrase}`
    if (Buffer.byteLength(longer) > MOST_BYTES) return { prompt, isTruncated: true }
    prompt = longer
  }
  return { prompt, isTruncated: false }
}
