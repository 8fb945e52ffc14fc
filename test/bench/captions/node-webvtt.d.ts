declare module "node-webvtt" {
  interface VttCue {
    readonly identifier: string
    readonly start: number
    readonly end: number
    readonly text: string
    readonly styles: string
  }
  const webvtt: {
    readonly parse: (text: string) => { readonly cues: ReadonlyArray<VttCue> }
    readonly compile: (file: { readonly valid: boolean; readonly cues: ReadonlyArray<VttCue> }) => string
  }
  export default webvtt
}
