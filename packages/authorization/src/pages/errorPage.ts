import { escapeMarkup } from "@earmark/core/xml"
import { type Page, pageOf } from "./frame.js"

/** Tells a person that an app asked for something that cannot be. Nothing leads back to the app: its address may be the mistake. */
export const errorPage = (status: number, sentence: string, code: string): Page =>
  pageOf({
    title: "This did not work",
    status,
    body: `<h1>This did not work</h1><p>${escapeMarkup(sentence)}</p><p class="soft">Go back to the app and connect again. If it happens again, tell whoever makes the app: <code>${escapeMarkup(code)}</code></p>`,
  })
