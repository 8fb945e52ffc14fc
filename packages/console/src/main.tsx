import { effect } from "@preact/signals"
import { render } from "preact"
import "./base.js"
import { App } from "./App.js"
import { NEWEST, transcripts } from "./data.js"
import { keepFocus } from "./focus.js"
import { place, query } from "./router.js"
import { routes } from "./routes.js"
import { account, begin } from "./session.js"

/** The list is asked for as soon as it is known for whom, and not only once its page is drawn. */
const askForList = () => {
  if (!account.value || place.peek()?.name !== "transcripts" || query.peek().size > 0) return
  transcripts.askAhead([{ limit: NEWEST }])
}

const root = document.getElementById("app")
if (root !== null) {
  void begin()
  keepFocus()
  // The code of the page is on its way while the service says who this is. Where it fails, the page says so.
  if (place.value !== null) routes[place.value.name]().catch(() => undefined)
  effect(askForList)
  render(<App />, root)
}
