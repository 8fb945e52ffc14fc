const SECRET_PARAMETER = /auth|token|key|sig|secret|expires|hash|passw/i

/** The address of a recording that may be shown to anyone; null for one of another scheme, or with a login or a secret in it. */
export const publicMediaUrl = (address: string): string | null => {
  if (!URL.canParse(address)) return null
  const { protocol, username, searchParams } = new URL(address)
  if (protocol !== "https:" && protocol !== "http:") return null
  const hasSecret = username !== "" || [...searchParams.keys()].some((name) => SECRET_PARAMETER.test(name))
  return hasSecret ? null : address
}
