/**
 * The text, as elements that nothing but this class touches: one for each line, in sections that the browser lays out when they are
 * seen, put in by slices, so that ten hours open at once. All of it is in the page: finding with the browser works.
 */
import { clockOf } from "../format.js"
import { reading } from "../words/reading.js"
import { type Line, voicesOf } from "./lines.js"
import { MARKS, mark, rangeIn } from "./marks.js"

const SECTION = 50
/** They fill most windows, and are drawn before the others. */
const FIRST_LINES = 20
/** Milliseconds of work before the browser may draw. */
const SLICE = 16
const LINE_HEIGHT = 29
const CHARACTERS_A_ROW = 68

export interface Found {
  readonly line: number
  /** From, and up to, in characters of the line. */
  readonly ranges: ReadonlyArray<readonly [number, number]>
}

interface TextFacts {
  /** Of the transcript. */
  readonly id: string
  readonly names: Readonly<Record<string, string>>
  readonly language: string | null
  /** `offset`: the character that was clicked; null where the line was chosen by a key. */
  readonly onChoose: (line: number, offset: number | null) => void
  /** The focus has come to a line. */
  readonly onFocus?: (line: number) => void
}

/** A scroll is a person's when none of ours was within so many milliseconds. */
const OWN_SCROLL = 200
/** So long the text stays where it is after a click: a second one is meant for the same word. */
const DOUBLE_CLICK = 600

/** The character at a point of the window. */
const offsetAt = (x: number, y: number): number | null => {
  const caret = document.caretPositionFromPoint?.(x, y)
  return caret?.offsetNode instanceof Text ? caret.offset : null
}

const set = (element: HTMLElement, name: string, value: string | null): void => {
  if (value !== null) element.setAttribute(name, value)
  else if (element.hasAttribute(name)) element.removeAttribute(name)
}

const isEdited = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.isContentEditable

export class TextView {
  readonly #host: HTMLElement
  readonly #facts: TextFacts
  #colours: ReadonlyMap<string, number> = new Map()
  #names: Readonly<Record<string, string>>
  #lines: ReadonlyArray<Line> = []
  #elements: Array<HTMLElement> = []
  /** What every line has. To copy it is faster than to make each anew. */
  readonly #blank = document.createElement("p")
  #section: HTMLElement | null = null
  #current = 0
  #frame = 0
  #timer = 0
  #spokenLine = -1
  #spokenPart = ""
  #ownScroll = 0
  #clicked = 0

  constructor(host: HTMLElement, facts: TextFacts) {
    this.#host = host
    this.#facts = facts
    this.#names = facts.names
    this.#blank.dir = "auto"
    this.#blank.tabIndex = -1
    if (facts.language !== null) this.#blank.lang = facts.language
    host.addEventListener("click", this.#onClick)
    host.addEventListener("keydown", this.#onKey)
    host.addEventListener("focusin", this.#onFocus)
  }

  /** Shows lines in place of those before. Answers when all are in the page. */
  show(lines: ReadonlyArray<Line>): Promise<void> {
    this.#clear()
    this.#take(lines)
    return new Promise((resolve) => {
      const go = () => {
        const began = performance.now()
        while (this.#elements.length < lines.length && performance.now() - began < SLICE) this.#addSection()
        if (this.#elements.length < lines.length) this.#timer = window.setTimeout(go, 0)
        else resolve()
      }
      // What is read first is drawn first.
      this.#addSection()
      if (document.hidden) go()
      else
        this.#frame = requestAnimationFrame(() => {
          // After all that waits for the first lines to be drawn.
          this.#timer = window.setTimeout(() => {
            this.#timer = window.setTimeout(go, 0)
          }, 0)
        })
    })
  }

  /** Adds a line that has just been recognized. */
  append(line: Line): void {
    this.#lines = [...this.#lines, line]
    if (this.#section === null || this.#elements.length % SECTION === 0) this.#openSection()
    this.#section?.append(this.#element(line, this.#elements.length))
  }

  /** The element of a line. */
  elementOf(line: number): HTMLElement | undefined {
    this.#complete(line)
    return this.#elements[line]
  }

  /** The line that has the focus, or had it last. */
  currentLine(): number {
    return this.#current
  }

  /** Puts the focus on the line that had it last. */
  focus(): void {
    this.#go(this.#current)
  }

  /** Shows corrected lines where they stand. There are as many as before. */
  update(lines: ReadonlyArray<Line>): void {
    this.#take(lines)
    for (const [index, element] of this.#elements.entries()) {
      const line = lines[index]
      if (line === undefined) continue
      this.#label(element, line, index)
      if (!element.isContentEditable && element.textContent !== line.text) element.textContent = line.text
    }
  }

  /** Gives speakers other names. */
  rename(names: Readonly<Record<string, string>>): void {
    this.#names = names
    this.update(this.#lines)
  }

  /** Brings a line into the middle of the window. */
  reveal(line: number, { focus = false } = {}): void {
    this.#complete(line)
    const element = this.#elements[line]
    if (element === undefined) return
    this.#setCurrent(line)
    element.scrollIntoView({ block: "center", behavior: "instant" })
    if (focus) element.focus({ preventScroll: true })
  }

  /** Marks what was found, and one of it more. */
  mark(found: ReadonlyArray<Found>, current: number): void {
    const chosen = found[current]
    mark("found", this.#rangesOf(...found))
    mark("current", chosen === undefined ? [] : this.#rangesOf(chosen))
  }

  /** Shows what is heard: a part of a line, or all of it where its words have no times. */
  speak(line: number, part: readonly [number, number] | null): void {
    const now = `${line} ${part}`
    if (now === this.#spokenPart) return
    this.#spokenPart = now
    this.#complete(line)
    const element = this.#elements[line]
    if (line !== this.#spokenLine) {
      this.#elements[this.#spokenLine]?.classList.remove("spoken")
      element?.classList.add("spoken")
      this.#spokenLine = line
    }
    mark("spoken", part === null ? [] : rangeIn(element, part))
  }

  /** Brings the line that is heard into view, where it is not. */
  follow(line: number): void {
    if (performance.now() - this.#clicked < DOUBLE_CLICK) return
    this.#complete(line)
    const element = this.#elements[line]
    if (element === undefined) return
    const { top, bottom } = element.getBoundingClientRect()
    if (top > innerHeight * 0.1 && bottom < innerHeight * 0.75) return
    this.#ownScroll = performance.now()
    element.scrollIntoView({ block: "center", behavior: "instant" })
  }

  /** Whether the page was just scrolled by `follow`, and not by a person. */
  hasJustFollowed(): boolean {
    return performance.now() - this.#ownScroll < OWN_SCROLL
  }

  /** Marks words that the engine was not sure of. */
  doubt(found: ReadonlyArray<Found>): void {
    mark("doubts", this.#rangesOf(...found))
  }

  destroy(): void {
    this.#clear()
    this.#host.removeEventListener("click", this.#onClick)
    this.#host.removeEventListener("keydown", this.#onKey)
    this.#host.removeEventListener("focusin", this.#onFocus)
  }

  #clear(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#host.replaceChildren()
    this.#elements = []
    this.#section = null
    this.#current = 0
    this.#spokenLine = -1
    this.#spokenPart = ""
    for (const name of MARKS) mark(name, [])
  }

  #openSection(): void {
    this.#section = document.createElement("div")
    this.#section.className = "lines"
    this.#host.append(this.#section)
  }

  #addSection(): void {
    const from = this.#elements.length
    const lines = this.#lines.slice(from, from + (from === 0 ? FIRST_LINES : SECTION))
    this.#openSection()
    const rows = lines.reduce((sum, { text }) => sum + Math.ceil(text.length / CHARACTERS_A_ROW), 0)
    if (this.#section === null) return
    // Near the truth, or the scroll bar wanders.
    this.#section.style.containIntrinsicBlockSize = `auto ${rows * LINE_HEIGHT}px`
    this.#section.append(...lines.map((line, index) => this.#element(line, from + index)))
  }

  /** Puts in what is missing up to a line, at once. */
  #complete(line: number): void {
    while (this.#elements.length <= line && this.#elements.length < this.#lines.length) this.#addSection()
  }

  #rangesOf(...found: ReadonlyArray<Found>): ReadonlyArray<Range> {
    return found.flatMap(({ line, ranges }) => {
      this.#complete(line)
      return ranges.flatMap((part) => rangeIn(this.#elements[line], part))
    })
  }

  #take(lines: ReadonlyArray<Line>): void {
    this.#lines = lines
    this.#colours = new Map(
      voicesOf({ id: this.#facts.id, segments: lines }).map(({ label, colour }) => [label, colour]),
    )
  }

  /** What stands beside the text: when it is said, and who says it where the speaker changes. */
  #label(element: HTMLElement, line: Line, index: number): void {
    const isNew = index === 0 || this.#lines[index - 1]?.speaker !== line.speaker
    set(element, "data-time", clockOf(line.start))
    set(element, "data-edited", line.edited === true ? "" : null)
    // Among lines of speakers, one of nobody would seem to be of the speaker above.
    set(element, "data-speaker", isNew && this.#colours.size > 0 ? this.#nameOf(line) : null)
    set(
      element,
      "data-who",
      isNew && line.speaker !== null ? String(this.#colours.get(line.speaker) ?? 1) : null,
    )
  }

  #nameOf({ speaker }: Line): string {
    return speaker === null ? reading.editing.noSpeaker : (this.#names[speaker] ?? speaker)
  }

  #element(line: Line, index: number): HTMLElement {
    const element = this.#blank.cloneNode() as HTMLElement
    element.textContent = line.text
    if (index === this.#current) element.tabIndex = 0
    this.#label(element, line, index)
    this.#elements[index] = element
    return element
  }

  #setCurrent(line: number): void {
    const before = this.#elements[this.#current]
    if (before !== undefined) before.tabIndex = -1
    before?.removeAttribute("aria-current")
    this.#current = line
    const now = this.#elements[line]
    if (now !== undefined) now.tabIndex = 0
    now?.setAttribute("aria-current", "true")
  }

  readonly #indexOf = (target: EventTarget | null): number => {
    const element = target instanceof HTMLElement ? target.closest("p") : null
    return element === null ? -1 : this.#elements.indexOf(element)
  }

  readonly #onClick = ({ target, clientX, clientY }: MouseEvent): void => {
    this.#clicked = performance.now()
    // Text that is being selected is not a click.
    if (getSelection()?.isCollapsed === false || isEdited(target)) return
    const line = this.#indexOf(target)
    if (line < 0) return
    this.#setCurrent(line)
    this.#facts.onChoose(line, offsetAt(clientX, clientY))
  }

  readonly #onFocus = ({ target }: Event): void => {
    const line = this.#indexOf(target)
    if (line < 0) return
    this.#setCurrent(line)
    this.#facts.onFocus?.(line)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isEdited(event.target)) return
    const last = this.#elements.length - 1
    const to: Readonly<Record<string, number>> = {
      j: this.#current + 1,
      ArrowDown: this.#current + 1,
      k: this.#current - 1,
      ArrowUp: this.#current - 1,
      Home: 0,
      End: last,
    }
    const next = to[event.key]
    if (event.key === "Enter") this.#facts.onChoose(this.#current, null)
    else if (next === undefined) return
    else this.#go(Math.min(last, Math.max(0, next)))
    event.preventDefault()
  }

  #go(line: number): void {
    this.#setCurrent(line)
    const element = this.#elements[line]
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: "nearest", behavior: "instant" })
  }
}
