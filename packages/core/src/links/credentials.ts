const LOGIN = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@/i

/**
 * The address without its login, and the login as the value of an Authorization header (null when there is none).
 * The rest of the address stays byte for byte.
 */
export const stripCredentials = (
  address: string,
): { readonly url: string; readonly authorization: string | null } => {
  const [whole, scheme, login] = LOGIN.exec(address) ?? []
  if (whole === undefined || scheme === undefined || login === undefined)
    return { url: address, authorization: null }
  const url = scheme + address.slice(whole.length)
  const colon = login.indexOf(":")
  const user = decoded(colon < 0 ? login : login.slice(0, colon))
  const password = decoded(colon < 0 ? "" : login.slice(colon + 1))
  if (user === "" && password === "") return { url, authorization: null }
  return { url, authorization: `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}` }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
