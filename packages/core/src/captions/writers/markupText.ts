import { cleanText } from "../cleanText.js"

/** Text for an XML or HTML document, in an element or between double quotes. */
export const escapeMarkup = (text: string): string =>
  cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
