export const DEFAULT_COMMAND = "whisper-cli"
