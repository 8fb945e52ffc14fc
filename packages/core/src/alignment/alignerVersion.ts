/** Another aligner finds other times: what was kept under one is of no use under another. */
export const ALIGNER_VERSION = 2
