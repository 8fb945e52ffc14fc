/** What an engine calls speakers. Names are laid over these alone: any other label is one that a person gave, and is changed itself. */
export const SPEAKER_LABEL = /^Speaker [1-9]\d{0,3}$/
