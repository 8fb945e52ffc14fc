/** The whole recording in one strip: its waveform, who speaks, what may be wrong, and the moment that is heard. */
import { computed, effect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { clockOf } from "../format.js"
import { shownAt } from "../player/placing.js"
import { length, seek, time } from "../player/player.js"
import { reading } from "../words/reading.js"
import { barsOf, columnsOf, type Stretch, shareOf } from "./geometry.js"

const text = reading.player

export interface Marked extends Stretch {
  readonly kind: "gap" | "repeat" | "doubt" | "low"
}

export interface TimelineProps {
  /** One byte a point; empty where nothing is known of the sound. */
  readonly points: Uint8Array
  readonly turns: ReadonlyArray<Stretch & { readonly colour: number | null }>
  readonly marks: ReadonlyArray<Marked>
  /** Of the words that were found. */
  readonly hits: ReadonlyArray<number>
}

const BAR = 3
const LANE = 4
const COLOURS = { gap: "--bad", repeat: "--who-4", doubt: "--warn", low: "--who-2" } as const
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowUp: 5,
  PageDown: -60,
  PageUp: 60,
}

type ColourOf = (name: string) => string

/** The colours of the page as a canvas takes them: those in use now, looked up once each. */
const coloursOf = (canvas: HTMLCanvasElement): ColourOf => {
  const known = new Map<string, string>()
  // With reduced motion every property has a transition, of next to no time: it would tell the colour before.
  canvas.style.transitionProperty = "none"
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    canvas.style.color = `var(${name})`
    const { color } = getComputedStyle(canvas)
    known.set(name, color)
    return color
  }
}

const draw = (
  canvas: HTMLCanvasElement,
  { points, turns, marks, hits }: TimelineProps,
  seconds: number,
  colour: ColourOf,
) => {
  const scale = devicePixelRatio
  const width = Math.round(canvas.clientWidth * scale)
  const height = Math.round(canvas.clientHeight * scale)
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext("2d")
  if (context === null || width === 0) return
  const lane = LANE * scale
  const middle = (height - lane) / 2
  const played = shareOf(time.peek(), seconds) * width
  context.clearRect(0, 0, width, height)
  const columns = Math.max(1, Math.floor(width / (BAR * scale)))
  const step = width / columns
  for (const [column, bar] of barsOf(points, columns).entries()) {
    const tall = Math.max(scale, bar * (height - lane - 4 * scale))
    context.fillStyle = colour(column * step < played ? "--accent" : "--edge")
    context.fillRect(column * step, middle - tall / 2, step - scale, tall)
  }
  for (const turn of turns) {
    if (turn.colour === null) continue
    const [from, to] = columnsOf(turn, seconds, width)
    context.fillStyle = colour(`--who-${turn.colour}`)
    context.fillRect(from, height - lane, to - from, lane)
  }
  context.globalAlpha = 0.35
  for (const mark of marks) {
    const [from, to] = columnsOf(mark, seconds, width)
    context.fillStyle = colour(COLOURS[mark.kind])
    context.fillRect(from, 0, Math.max(2 * scale, to - from), height - lane)
  }
  context.globalAlpha = 1
  context.fillStyle = colour("--mark-now")
  for (const hit of hits) context.fillRect(shareOf(hit, seconds) * width, 0, 2 * scale, 6 * scale)
  context.fillStyle = colour("--ink")
  context.fillRect(Math.min(width - 2 * scale, played), 0, 2 * scale, height)
}

/** A slider over the time: pointer, arrows, Home and End. */
export const Timeline = (props: TimelineProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const shown = canvas.current
    if (shown === null) return
    let colours = coloursOf(shown)
    const paint = () => draw(shown, props, length.peek(), colours)
    const sized = new ResizeObserver(paint)
    sized.observe(shown)
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    const onScheme = () => {
      colours = coloursOf(shown)
      paint()
    }
    scheme.addEventListener("change", onScheme)
    const second = computed(() => Math.floor(shownAt(time.value, length.value)))
    const stopTelling = effect(() => {
      const seconds = Math.round(length.value)
      slider.current?.setAttribute("aria-valuenow", String(second.value))
      slider.current?.setAttribute("aria-valuemax", String(seconds))
      slider.current?.setAttribute("aria-valuetext", text.at(clockOf(second.value), clockOf(seconds)))
    })
    // Drawn again when the mark has moved by a pixel: in a long recording that takes seconds.
    const pixel = computed(() => Math.round(shareOf(time.value, length.value) * shown.width))
    const stopDrawing = effect(() => {
      if (pixel.value >= 0) draw(shown, props, length.value, colours)
    })
    return () => {
      stopTelling()
      stopDrawing()
      sized.disconnect()
      scheme.removeEventListener("change", onScheme)
    }
  }, [props.points, props.turns, props.marks, props.hits])
  const seekTo = ({ clientX }: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    if (box !== undefined) seek(shareOf(clientX - box.left, box.width) * length.peek())
  }
  return (
    <div
      class="strip"
      ref={slider}
      role="slider"
      tabIndex={0}
      aria-label={text.timeline}
      aria-valuemin={0}
      aria-valuenow={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event)
      }}
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (step !== undefined) seek(time.peek() + step)
        else if (event.key === "Home") seek(0)
        else if (event.key === "End") seek(length.peek())
        else return
        event.preventDefault()
      }}
    >
      <canvas ref={canvas} />
    </div>
  )
}
