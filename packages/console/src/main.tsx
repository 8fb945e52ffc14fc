import { render } from "preact"
import { App } from "./App.js"
import { keepFocus } from "./focus.js"
import { place } from "./router.js"
import { routes } from "./routes.js"
import { begin } from "./session.js"

const root = document.getElementById("app")
if (root !== null) {
  void begin()
  keepFocus()
  // The code of the page is on its way while the service says who this is. Where it fails, the page says so.
  if (place.value !== null) routes[place.value.name]().catch(() => undefined)
  render(<App />, root)
}
