export const DEFAULT_COMMAND = "pocketsphinx_batch"
/** Where Debian's `pocketsphinx-en-us` puts it. */
export const DEFAULT_MODEL = "/usr/share/pocketsphinx/model/en-us"
