import type { AudioWindow } from "@earmark/service"

const RATE = 16_000
const SECONDS = 2

/** A sound like that of a voice: a hum with its overtones, louder and softer four times a second. */
export const humming = (): AudioWindow => ({
  index: 0,
  start: 0,
  end: SECONDS * 1000,
  samples: Int16Array.from({ length: SECONDS * RATE }, (_, at) => {
    const time = (2 * Math.PI * at) / RATE
    const tones = [1, 2, 3, 5, 8].reduce((sum, tone) => sum + Math.sin(130 * tone * time) / tone, 0)
    return Math.round(4_000 * tones * (1 - Math.cos(4 * time)))
  }),
})
