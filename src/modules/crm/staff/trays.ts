/** Trays for leads that nobody is working on, by username, with labels. */
export const TRAY_LABELS = {
  after5: 'After 5',
  dead: 'Dead',
  duplicates: 'Duplicates',
  baddetails: 'Bad details',
} as const

const LABELS_BY_TRAY: ReadonlyMap<string, string> = new Map(Object.entries(TRAY_LABELS))
export const trayLabel = (username: string): string => LABELS_BY_TRAY.get(username) ?? username

/** Returns the name of a tray's staff record. A prefix distinguishes it from people's names. */
export const formatTrayStaffName = (username: string): string =>
  LABELS_BY_TRAY.has(username) ? `Tray: ${trayLabel(username)}` : username

/** Username of the tray with leads that are to be called from five o'clock onwards. */
export const AFTER_FIVE_TRAY = 'after5'
