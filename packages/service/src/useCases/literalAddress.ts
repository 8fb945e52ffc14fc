import { type Cidr, isAllowedAddress } from "@earmark/core/links"

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

/** What the text of a URL tells about where it leads. A name is judged when it is looked up. */
export const literalAddress = (url: string, allow: ReadonlyArray<Cidr>): "name" | "allowed" | "forbidden" => {
  const hostname = URL.canParse(url) ? new URL(url).hostname : ""
  if (!ADDRESS.test(hostname)) return "name"
  return isAllowedAddress(hostname.replace(/^\[|\]$/g, ""), allow) ? "allowed" : "forbidden"
}
