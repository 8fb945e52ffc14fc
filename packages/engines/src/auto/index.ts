export { layer, makeChosen } from "./Auto.js"
export { chooseEngine, type EngineChoice, type EngineName } from "./chooseEngine.js"
export { diarizerLayer } from "./diarizer.js"
export { defaultEngineSettings, type EngineSettings } from "./EngineSettings.js"
