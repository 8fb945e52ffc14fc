/** The one player of the page. It goes on while the views of a transcript change, and stops when the transcript is left. */
import type { MediaLink } from "@earmark/api/client"
import { ProblemError } from "@earmark/api/client"
import { signal } from "@preact/signals"
import { sentenceOf } from "../cache.js"
import { earmark, noteFailure } from "../session.js"
import { reading } from "../words/reading.js"
import { rateBeside, resumedAt } from "./placing.js"

/** `missing`: the recording was not kept. `failed`: it cannot be played, see `failure`. */
export type PlayerState = "empty" | "opening" | "ready" | "missing" | "failed"

const RATE = "earmark-rate"
const keptRate = Number(localStorage.getItem(RATE) ?? 1)

export const state = signal<PlayerState>("empty")
export const failure = signal("")
export const isPlaying = signal(false)
/** Seconds; of the moment that is heard. */
export const time = signal(0)
/** Whether a moment of it was chosen or played. */
export const hasBegun = signal(false)
/** Seconds of the recording; 0 until it is known. */
export const length = signal(0)
export const rate = signal(keptRate >= 0.5 && keptRate <= 3 ? keptRate : 1)
export const exactSeek = signal(true)

let audio: HTMLAudioElement | null = null
let opened: string | null = null
/** Where to begin when the recording is there. */
let wanted: number | null = null
/** It was asked to play and does not sound yet, or it was playing when its link ended or the server went away. */
let playsOn = false
/** Asks again for a recording whose server did not answer. */
let nextTry = 0
/** Looks whether it waits for sound in vain. */
let starving = 0
let wasPaused = false
/** A link that ended is replaced once; another failure is shown. */
let isRenewed = false
let frame = 0
/** The transcript whose recording plays as soon as it is open. */
let playedNext: string | null = null

/** Plays the recording of a transcript when it is opened next, at the moment that it is opened at. */
export const playWhenOpened = (id: string): void => {
  playedNext = id
}

const follow = (): void => {
  cancelAnimationFrame(frame)
  const look = () => {
    if (audio === null || audio.ended) return
    // One that lost its recording tells 0.
    if (wanted !== null || audio.readyState > 0) time.value = wanted ?? audio.currentTime
    if (!audio.paused) frame = requestAnimationFrame(look)
  }
  look()
}

const go = (seconds: number): void => {
  time.value = seconds
  // One that is asked for anew begins at what was wanted last.
  if (audio !== null && audio.readyState > 0 && wanted === null) audio.currentTime = seconds
  else wanted = seconds
}

/** Plays from a moment on; where it is paused it stays so. */
export const seek = (seconds: number): void => {
  wasPaused = false
  hasBegun.value = true
  go(Math.min(Math.max(0, seconds), length.peek() || Number.POSITIVE_INFINITY))
}

export const seekBy = (seconds: number): void => seek(time.peek() + seconds)

const pause = (): void => {
  wasPaused = true
  playsOn = false
  audio?.pause()
}

/** Milliseconds before a server that did not answer is asked again. */
const AWAY_FOR = 5000

/** Keeps the moment, and whether it plays, over what comes between. */
const hold = (): void => {
  playsOn ||= isPlaying.peek()
  wanted ??= time.peek()
}

/** The recording cannot be played now; `retry` goes on where it was. */
const fail = (detail: string): void => {
  cancelAnimationFrame(frame)
  hold()
  state.value = "failed"
  failure.value = detail
  isPlaying.value = false
}

const play = (): void => {
  if (audio === null) return
  if (wasPaused) go(resumedAt(wanted ?? audio.currentTime))
  wasPaused = false
  playsOn = true
  // The browser refuses where nobody has touched the page yet.
  audio.play().catch(() => {
    isPlaying.value = false
  })
}

const playIfWanted = (id: string): void => {
  if (playedNext !== id) return
  playedNext = null
  play()
}

export const toggle = (): void => {
  if (state.peek() !== "ready") return
  // What was asked of it, which `isPlaying` follows later: fast presses count, too.
  if (audio?.paused === false) pause()
  else play()
}

/** Plays from a moment on, also where it was paused. */
export const playFrom = (seconds: number): void => {
  seek(seconds)
  if (state.peek() === "ready") play()
}

export const setRate = (to: number): void => {
  rate.value = to
  localStorage.setItem(RATE, String(to))
  if (audio !== null) audio.playbackRate = to
}

export const changeRate = (step: 1 | -1): void => setRate(rateBeside(rate.peek(), step))

/** A link to the recording; null where the transcript was left meanwhile. */
const linkTo = async (id: string): Promise<MediaLink | null> => {
  const link = await earmark.transcriptions.mediaLink(id)
  return opened === id ? link : null
}

/** Milliseconds without sound before one is told. */
const STARVED_FOR = 3000

const listen = (element: HTMLAudioElement, id: string): void => {
  // An element that was left tells what it did a moment later.
  const on = (name: string, run: () => void) =>
    element.addEventListener(name, () => {
      if (audio === element) run()
    })
  const goOn = () => {
    clearTimeout(nextTry)
    state.value = "ready"
    if (wanted !== null) element.currentTime = wanted
    wanted = null
    if (playsOn) play()
  }
  // Where the server answers, the browser goes on by itself, or says that it cannot.
  const starve = () => {
    const isStarved = element.seeking || (!element.paused && element.readyState < 3)
    if (audio !== element || !isStarved) return
    fail(reading.player.away)
    linkTo(id).catch((error) => refuse(id, error))
  }
  const wait = () => {
    clearTimeout(starving)
    starving = window.setTimeout(starve, STARVED_FOR)
  }
  on("waiting", wait)
  on("seeking", wait)
  on("canplay", () => {
    if (state.peek() === "failed") goOn()
  })
  on("loadedmetadata", () => {
    if (Number.isFinite(element.duration)) length.value = element.duration
    element.playbackRate = rate.peek()
    goOn()
    playIfWanted(id)
  })
  on("playing", () => {
    isPlaying.value = true
    playsOn = false
    hasBegun.value = true
    isRenewed = false
    follow()
  })
  on("pause", () => {
    if (!element.paused) return
    // Browsers take a server that went away for the end.
    if (element.ended && element.duration - time.peek() > 2) {
      fail(reading.player.away)
      void load(id)
      return
    }
    isPlaying.value = false
    wasPaused = !element.ended
    time.value = element.currentTime
  })
  on("seeked", () => {
    if (!element.ended) time.value = element.currentTime
  })
  on("error", () => {
    hold()
    if (isRenewed) return fail("")
    isRenewed = true
    void load(id)
  })
}

/** There is no link now. A server that did not answer is asked again. */
const refuse = (id: string, error: unknown): void => {
  if (opened !== id) return
  noteFailure(error)
  if (error instanceof ProblemError && error.code === "recording_not_kept") {
    state.value = "missing"
    failure.value = sentenceOf(error)
    return
  }
  fail(sentenceOf(error, reading.player.away))
  const isRefused = error instanceof ProblemError && error.status < 500
  clearTimeout(nextTry)
  if (!isRefused) nextTry = window.setTimeout(retry, AWAY_FOR)
}

/** Asks for a link to the recording, and goes on from it where one was. */
const load = async (id: string): Promise<void> => {
  try {
    const link = await linkTo(id)
    if (link === null) return
    exactSeek.value = link.exact_seek
    if (audio === null) {
      audio = new Audio()
      audio.preload = "metadata"
      listen(audio, id)
    } else hold()
    audio.src = link.url
  } catch (error) {
    refuse(id, error)
  }
}

/** Tries again what failed, at the moment where it was. */
export const retry = (): void => {
  clearTimeout(nextTry)
  if (opened === null || state.peek() !== "failed") return
  isRenewed = false
  void load(opened)
}

/** Leaves the recording that is open. */
export const close = (): void => {
  cancelAnimationFrame(frame)
  clearTimeout(nextTry)
  opened = null
  audio?.pause()
  audio?.removeAttribute("src")
  audio = null
  wanted = null
  wasPaused = false
  playsOn = false
  isRenewed = false
  state.value = "empty"
  isPlaying.value = false
  hasBegun.value = false
  time.value = 0
  length.value = 0
}

/** Opens the recording of a transcript, at a moment if one is given. It waits there. */
export const open = async (id: string, seconds: number, at: number | null): Promise<void> => {
  if (opened === id) {
    if (at !== null) seek(at)
    if (state.peek() === "ready") playIfWanted(id)
    return
  }
  // What was to be played and never opened is forgotten.
  if (playedNext !== id) playedNext = null
  close()
  opened = id
  state.value = "opening"
  length.value = seconds
  hasBegun.value = at !== null
  time.value = at ?? 0
  wanted = at
  await load(id)
}
