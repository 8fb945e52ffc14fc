/** What the settings of this machine name beside the library. Loaded when it is needed: what speaks to a model is large. */
export { answerWithModel, withStaff } from "@earmark/runtime"
