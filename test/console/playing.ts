/** A recording of a minute in the player of the console. */
import type { EarmarkClient } from "@earmark/api/client"
import { writeWav } from "@earmark/core/audio"
import type { Watched } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

export const SECONDS = 60
const RATE = 16_000

/** A tone that goes on for as long as the recording does. */
const recording = () =>
  writeWav(Int16Array.from({ length: SECONDS * RATE }, (_, at) => 8000 * Math.sin(at / 9)))

/** Starts the service and opens a page of it, with a transcript whose recording can be played, for all tests of a file. */
export const setUpTalk = () => {
  let server: ConsoleServer
  let watched: Watched
  let client: EarmarkClient
  let played: string

  setUp({ page: { viewport: { width: 1280, height: 860 } } }, async (given) => {
    ;({ server, watched, client } = given)
    await client.credits.purchase({ credits: 600 })
    const { media_ref } = await client.upload(recording(), { filename: "talk.wav", contentType: "audio/wav" })
    played = (await client.transcribe({ media_ref }, { title: "A talk", diarize: true })).id
    // The element that plays is in no document: tests find it here.
    await watched.page.addInitScript(() => {
      const Original = globalThis.Audio
      Reflect.set(
        globalThis,
        "Audio",
        class {
          constructor() {
            const element = new Original()
            Reflect.set(globalThis, "player", element)
            // biome-ignore lint/correctness/noConstructorReturn: the page gets the element that the test sees
            return element
          }
        },
      )
    })
  })

  const openTalk = async (query = "") => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${played}${query}`)
    await page.locator(".text p").nth(3).waitFor()
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>(".player .primary")?.disabled)
    return page
  }

  const audio = () =>
    watched.page.evaluate(() => {
      const { currentTime, paused, playbackRate } = Reflect.get(globalThis, "player") as HTMLAudioElement
      return { currentTime, paused, playbackRate }
    })

  return {
    server: () => server,
    watched: () => watched,
    client: () => client,
    played: () => played,
    openTalk,
    audio,
  }
}
