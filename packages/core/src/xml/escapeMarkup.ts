import { cleanText } from "../text/cleanText.js"

/** What XML cannot hold, not even escaped, beyond what is cleaned from all text. */
const NO_CHARACTER = /[\ufffe\uffff]/g

/** Text for an XML or HTML document, in an element or between double quotes. */
export const escapeMarkup = (text: string): string =>
  cleanText(text)
    .replace(NO_CHARACTER, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
