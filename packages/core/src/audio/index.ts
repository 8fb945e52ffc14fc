export { type ChannelLevels, type ChannelMeter, makeChannelMeter } from "./channelMeter.js"
export { type EnergyVoice, makeEnergyVoice, type VoiceSpan } from "./EnergyVoice.js"
export { makeStereoMixer, type StereoMixer } from "./mixing.js"
export { endOfId3, isLikeMp3, isSteadyMp3, type Mp3Frame, mp3FrameAt, mp3RunFrom } from "./mp3Frames.js"
export { makePeakMeter, PEAKS_PER_SECOND, type PeakMeter, peaksTo } from "./peaks.js"
export { quietestCut } from "./quietestCut.js"
export { makeResampler, type Resampler } from "./Resampler.js"
export { makeSampleRing, type SampleRing } from "./SampleRing.js"
export { SAMPLE_RATE, SAMPLES_PER_MILLISECOND, type SampleRange, toSample } from "./samples.js"
export {
  bytesPerSample,
  readWavChannel,
  readWavHeader,
  type WavEncoding,
  type WavHeader,
  WavInvalid,
  writeWav,
  writeWavHeader,
} from "./Wav.js"
export { LATEST_SPAN, makeWindowPlanner, type PlanShape, type WindowPlanner } from "./WindowPlanner.js"
