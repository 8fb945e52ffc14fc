const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i

/**
 * An address against its base. Absolute ones stay byte for byte: some hosts put an encoded address into the path,
 * and encoding it again breaks it.
 */
export const resolveAddress = (address: string, base: string | null): string => {
  if (base === null || address === "" || ABSOLUTE.test(address)) return address
  const resolved = URL.canParse(address, base) ? new URL(address, base).href : address
  return resolved
}

/** The base inside an element with this `xml:base`. */
export const innerBase = (xmlBase: string | null, base: string | null): string | null =>
  xmlBase === null || xmlBase === "" ? base : resolveAddress(xmlBase, base)
