import { render } from "preact"
import { App } from "./App.js"
import { readAccount } from "./session.js"

const root = document.getElementById("app")
if (root !== null) {
  void readAccount()
  render(<App />, root)
}
