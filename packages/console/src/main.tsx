import { render } from "preact"
import "./base.js"
import { App } from "./App.js"
import { NEWEST, transcripts } from "./data.js"
import { keepFocus } from "./focus.js"
import { place, query } from "./router.js"
import { loadPage } from "./routes.js"
import { begin, followTabs, wasSignedIn } from "./session.js"

/** The list is asked for together with who this is, and not only once its page is drawn. A link in the address signs in first, and so does whoever was not signed in here. */
const askForList = () => {
  if (!wasSignedIn() || location.hash !== "" || place.peek()?.name !== "transcripts" || query.peek().size > 0)
    return
  transcripts.askAhead([{ limit: NEWEST }])
}

const root = document.getElementById("app")
if (root !== null) {
  askForList()
  followTabs()
  void begin()
  keepFocus()
  // The code of the page is on its way while the service says who this is. Where it fails, the page says so.
  if (place.value !== null) loadPage(place.value.name).catch(() => undefined)
  render(<App />, root)
}
