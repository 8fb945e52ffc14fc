/** As many bytes as the name of a file may have on every common file system. */
const MOST_BYTES = 255

/** Names that mean a device on Windows, whatever their ending. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\s*\.|$)/i

/** Control characters, halves of characters, and marks that turn the reading direction, so that a name looks like another one. */
const HIDDEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** What separates folders or means something else than itself on some system. */
const SPECIAL = /[<>:"/\\|?*]/

/** Why a file may not be created under this name, on whatever system; null when it may. `extension`: the ending that it must have. */
export const problemOfFileName = (name: string, extension: string): string | null => {
  if (HIDDEN.test(name)) return "The name has control characters in it"
  if (SPECIAL.test(name)) return `The name has one of the characters < > : " / \\ | ? * in it`
  if (name.startsWith(".")) return "The name begins with a dot"
  if (DEVICES.test(name)) return "The name is reserved on Windows"
  if (!name.toLowerCase().endsWith(extension)) return `The name must end with ${extension} for this format`
  if (/^\s|\s$/.test(name)) return "The name begins or ends with a space"
  return Buffer.byteLength(name) > MOST_BYTES ? `The name is longer than ${MOST_BYTES} bytes` : null
}
