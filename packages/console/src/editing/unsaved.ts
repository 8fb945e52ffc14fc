/** The keys under which drafts are kept begin so. */
export const DRAFTS = "earmark-draft "

/** Whether anything that was typed in this browser is not saved. */
export const hasDrafts = (): boolean => Object.keys(localStorage).some((key) => key.startsWith(DRAFTS))
