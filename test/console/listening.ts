/** Recordings whose sound tells the moment that is played, in the player of the console. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import type { Watched } from "./browser.js"
import { listenIn } from "./listenIn.js"
import { asM4a, PITCH, risingTone } from "./recording.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

export const SECONDS = 60

/** The height of the window, in pixels. */
export const HEIGHT = 480

export interface Said {
  readonly text: string
  readonly start: number
}

interface Talk {
  readonly id: string
  readonly words: ReadonlyArray<Said>
}

const upload = async (
  client: EarmarkClient,
  name: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<Talk> => {
  const { media_ref } = await client.upload(bytes, { filename: name, contentType })
  const { id } = await client.transcriptions.create({ media_ref, language: "en" })
  const job = await client.waitFor(id, { include: "words" })
  assert.strictEqual(job.status, "done")
  const segments = job.status === "done" ? job.segments : []
  const words = segments.flatMap(({ words = [] }) => words.map(({ text, start }) => ({ text, start })))
  return { id, words }
}

interface Now {
  readonly at: number
  readonly heard: number
  readonly isPaused: boolean
}

export const now = (page: Page): Promise<Now> =>
  page.evaluate(() => Reflect.get(globalThis, "listening").now())

/** Starts the service and opens a page of it, with a transcript of each of these recordings, for all tests of a file. */
export const setUpSound = (names: ReadonlyArray<"tone.wav" | "tone.m4a">) => {
  let server: ConsoleServer
  let browser: Browser
  let watched: Watched
  const talks = new Map<string, Talk>()

  setUp(
    { server: { decodes: true }, page: { viewport: { width: 1100, height: HEIGHT } } },
    async ({ client, ...given }) => {
      ;({ server, browser, watched } = given)
      await client.credits.purchase({ credits: 60 })
      const tone = risingTone(SECONDS)
      for (const name of names) {
        const [bytes, type] = name === "tone.wav" ? [tone, "audio/wav"] : [asM4a(tone), "audio/mp4"]
        talks.set(name, await upload(client, name, bytes, type))
      }
      await watched.page.addInitScript(listenIn, PITCH)
    },
  )

  const open = async (name: string, query = ""): Promise<Talk> => {
    const { page } = watched
    const talk = talks.get(name) ?? { id: "", words: [] }
    await page.goto(`${server.origin}/console/t/${talk.id}${query}`)
    await page.getByRole("button", { name: "Play", disabled: false }).waitFor()
    await page.locator(".text p").first().waitFor()
    return talk
  }

  const playTo = async (seconds: number) => {
    const { page } = watched
    if ((await now(page)).isPaused) await page.getByRole("button", { name: "Play" }).click()
    await page.waitForFunction(
      (least) =>
        Reflect.get(globalThis, "listening").now().at >= least &&
        !Reflect.get(globalThis, "listening").now().isPaused,
      seconds,
    )
  }

  return {
    server: () => server,
    browser: () => browser,
    watched: () => watched,
    talks,
    open,
    playTo,
  }
}
