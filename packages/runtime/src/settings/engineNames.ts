/** The speech engines that somebody may choose. */
export const engineNames = ["auto", "sherpa", "whisper", "openai", "pocketsphinx"] as const
