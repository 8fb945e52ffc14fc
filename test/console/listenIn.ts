import type { PITCH } from "./recording.js"

/** For a page, before its own scripts: finds the element that plays, and tells the moment that is heard from the pitch of the sound. */
export const listenIn = ({ from, rise }: typeof PITCH) => {
  let element: HTMLMediaElement | null = null
  let analyser: AnalyserNode | null = null
  const play = HTMLMediaElement.prototype.play
  HTMLMediaElement.prototype.play = function () {
    if (element !== this) {
      element = this
      const context = new AudioContext()
      analyser = context.createAnalyser()
      analyser.fftSize = 2048
      context.createMediaElementSource(this).connect(analyser).connect(context.destination)
    }
    return play.call(this)
  }
  /** From the first to the last time at which the sound rises through zero. */
  const hertzOf = (samples: Float32Array, rate: number): number => {
    let [first, last, turns] = [-1, -1, -1]
    for (let at = 1; at < samples.length; at++) {
      const [before = 0, now = 0] = [samples[at - 1], samples[at]]
      if (before > 0 || now <= 0) continue
      last = at - now / (now - before)
      if (first < 0) first = last
      turns += 1
    }
    return turns < 1 ? Number.NaN : (turns * rate) / (last - first)
  }
  const heard = (): number => {
    if (analyser === null) return Number.NaN
    const samples = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(samples)
    const { sampleRate } = analyser.context
    // The sound of the newest sample; the pitch is that of the middle.
    return (hertzOf(samples, sampleRate) - from) / rise + samples.length / sampleRate / 2
  }
  const steps: Array<{ text: string; at: number; heard: number }> = []
  const set = HighlightRegistry.prototype.set
  HighlightRegistry.prototype.set = function (name, highlight) {
    const text = name === "earmark-spoken" ? [...highlight].map(String).join(" ") : ""
    if (text !== "" && element?.paused === false && steps.at(-1)?.text !== text)
      steps.push({ text, at: element.currentTime, heard: heard() })
    return set.call(this, name, highlight)
  }
  /** What the timeline shows, in a canvas to read from. */
  const picture = () => {
    const shown = document.querySelector("canvas")
    if (shown === null) return null
    const copy = new OffscreenCanvas(shown.width, shown.height).getContext("2d", { willReadFrequently: true })
    copy?.drawImage(shown, 0, 0)
    return copy
  }
  Object.assign(globalThis, {
    listening: {
      picture,
      steps,
      now: () => ({ at: element?.currentTime ?? -1, heard: heard(), isPaused: element?.paused ?? true }),
    },
  })
}
