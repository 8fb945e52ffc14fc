/** What examines this machine. Loaded when somebody asks: engines are large. */
export { examineMachine, examineUnknownSettings, readSettings } from "@earmark/runtime"
