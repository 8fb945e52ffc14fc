const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i
/** Characters; a longer address is no address. */
const LONGEST = 8_192

/**
 * An address against its base; null when there is none. Absolute ones stay byte for byte: some hosts put an encoded
 * address into the path, and encoding it again breaks it.
 */
export const resolveAddress = (address: string | null, base: string | null): string | null => {
  if (address === null || address.length > LONGEST) return null
  if (base === null || ABSOLUTE.test(address) || !URL.canParse(address, base)) return address
  return new URL(address, base).href
}

/** The base inside an element with this `xml:base`. */
export const innerBase = (xmlBase: string | null, base: string | null): string | null =>
  resolveAddress(xmlBase, base) ?? base
