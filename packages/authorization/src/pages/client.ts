import { isLoopbackName } from "@earmark/core/links"
import { escapeMarkup } from "@earmark/core/xml"

/** A client as a person should see it: what it calls itself, and where its answers really go. */
export interface ShownClient {
  /** What it calls itself: anything. */
  readonly name: string
  /** Where the answer of this request goes. */
  readonly redirectUri: string
  /** The address of its metadata document, when it has one. */
  readonly document: string | null
}

const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:"

export const isLoopback = (address: URL): boolean => isWeb(address) && isLoopbackName(address.hostname)

/** The place that an address leads to: its host in full, or the program that has its scheme. */
const placeOf = (address: string): string => {
  const url = new URL(address)
  if (isLoopback(url)) return `this computer (${url.host})`
  return isWeb(url) ? url.host : `the program for ${url.protocol}//`
}

/** An origin, or the scheme of a program, that means itself in a policy: no wildcard, and nothing that ends it. */
const PLAIN_SOURCE = /^[a-z][a-z0-9+.-]*:(?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?)?$/

/** What a page that leads to an address has to allow; null for what has no place in a policy. */
export const leadsTo = (address: string): string | null => {
  const url = new URL(address)
  const source = isWeb(url) ? url.origin : url.protocol
  return PLAIN_SOURCE.test(source) ? source : null
}

/** The client and its places, as facts. */
export const clientFacts = ({ name, redirectUri, document }: ShownClient): string => {
  const facts = [
    ["App", name],
    ...(document === null ? [] : [["Published by", new URL(document).host]]),
    ["Answer goes to", placeOf(redirectUri)],
  ]
  return facts.map(([what = "", said = ""]) => `<dt>${what}</dt><dd>${escapeMarkup(said)}</dd>`).join("")
}
