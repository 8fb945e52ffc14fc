/** A browser for a file of tests, and pages that collect what must not happen. */
import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const executable = process.env.EARMARK_CHROMIUM ?? "chromium"

/** Why no page can be opened here; null when one can. */
export const browserMissing: string | null =
  spawnSync(executable, ["--version"]).status === 0
    ? null
    : "chromium is missing: install the package chromium, or name one with EARMARK_CHROMIUM"

if (browserMissing !== null) {
  if (process.env.CI === "true") throw new Error(browserMissing)
  process.stderr.write(`Tests of the console are skipped. ${browserMissing}\n`)
}

const pathOf = (): string => {
  if (executable.includes("/")) return executable
  return spawnSync("which", [executable], { encoding: "utf8" }).stdout.trim()
}

/** `fontSize`: what the reader has set for text, in pixels. */
export const openBrowser = ({ fontSize = 16 } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: pathOf(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--headless=new",
      "--disable-background-networking",
      `--blink-settings=defaultFontSize=${fontSize}`,
    ],
  })

export interface Watched {
  readonly page: Page
  /** CSP reports, requests to other hosts, errors in the console. Empty when all is well. */
  readonly faults: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** A page whose faults are collected. */
export const openPage = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> => {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" })
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("console", (message) => {
    // Browsers log answers of 401 (nobody is signed in) and 404 (there is no such thing): they are no faults.
    if (/status of (401|404)/.test(message.text())) return
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`)
  })
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error.message}`))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith("data:") && !url.startsWith("blob:"))
      faults.push(`foreign: ${url}`)
  })
  return { page, faults, close: () => context.close() }
}

/** Signs in with a key, as a person does. */
export const signIn = async (page: Page, origin: string, key: string): Promise<void> => {
  await page.goto(`${origin}/console`)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

/** Once what has changed is drawn: sizes that are watched follow with the frame after it. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/** Lays out what nobody has scrolled to: until then it has a size that was guessed, and axe sees it below what follows. */
const layOutAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const each of document.querySelectorAll<HTMLElement>("main *"))
      if (getComputedStyle(each).contentVisibility === "auto") each.style.contentVisibility = "visible"
  })

/** What axe finds, in a line each. */
export const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  await layOutAll(page)
  await drawn(page)
  await page.evaluate(await readFile(axe, "utf8"))
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, "axe").run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    })
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: Array<{ html: string; any: Array<{ message: string }> }> }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    )
  })
}
