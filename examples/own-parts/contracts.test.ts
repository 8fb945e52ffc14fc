// #region suites
import { conversation } from "@earmark/testkit"
import { onManualClock, rateLimiterContract, speechEngineContract } from "@earmark/testkit/contracts"
import { layer as engine } from "./engine.js"
import { layer as limiter } from "./limiter.js"

rateLimiterContract("mine", onManualClock(limiter))

const { samples } = conversation({ seed: 1, speakers: 1, turns: 2, seconds: [1.5, 2] })
const end = Math.floor(samples.length / 16)

speechEngineContract("mine", {
  layer: engine,
  spoken: { index: 0, start: 0, end, samples },
  language: "en",
  unknownLanguage: "de",
  crash: null,
})
// #endregion
