import { bytesPerSample, type WavHeader } from "@earmark/core/audio"

/** How many samples a WAV file of a size holds in each channel: what is announced and is there. */
export const wavFrames = (header: WavHeader, size: number): number => {
  const frame = bytesPerSample[header.encoding] * header.channels
  const end = Math.min(size, header.dataStart + (header.dataBytes ?? Number.POSITIVE_INFINITY))
  return Math.floor((end - header.dataStart) / frame)
}
