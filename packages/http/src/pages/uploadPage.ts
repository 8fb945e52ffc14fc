import type { Reply } from "../answers/Reply.js"
import { htmlPage } from "./page.js"

const BODY =
  '<main class="plain"><h1>Upload a file</h1><p>Choose the file that this address was made for.</p><p><input type="file" id="file"></p><p id="state" role="status"></p></main>'

// The address to send to is this one without its first step; the type is the one that was announced.
const SCRIPT = `
const state = document.getElementById("state")
const address = location.pathname.replace(/^.*?\\/upload\\//, (found) => found.replace(/\\/upload\\/$/, "/")) + location.search
document.getElementById("file").addEventListener("change", async (event) => {
  const file = event.target.files[0]
  const announced = new URLSearchParams(location.search)
  if (!file) return
  if (String(file.size) !== announced.get("bytes")) {
    state.textContent = "This is another file: it should have " + announced.get("bytes") + " bytes, and has " + file.size + "."
    return
  }
  state.textContent = "Uploading…"
  try {
    const body = new Blob([file], { type: announced.get("type") })
    const answer = await fetch(address, { method: "PUT", body, headers: { "Content-Type": announced.get("type") } })
    state.textContent = answer.ok ? "Done. You can close this page." : (await answer.json()).detail
  } catch {
    state.textContent = "The connection broke. Choose the file again."
  }
})
`

/** A page where a person drops the file that an upload address was made for. */
export const uploadPage = (): Reply => htmlPage("Upload a file", BODY, SCRIPT)
