import { render } from "preact"
import { App } from "./App.js"
import { begin } from "./session.js"

const root = document.getElementById("app")
if (root !== null) {
  void begin()
  render(<App />, root)
}
