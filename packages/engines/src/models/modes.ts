/** Models are public, and one folder may serve every user of a machine: all may read them, but only their owner changes them. */
export const PUBLIC_FILE = 0o644
export const PUBLIC_FOLDER = 0o755
