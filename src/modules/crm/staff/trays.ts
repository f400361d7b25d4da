/** Trays for leads that nobody works, by username, with labels. */
export const TRAY_LABELS = {
  after5: 'After 5',
  dead: 'Dead',
  duplicates: 'Duplicates',
  baddetails: 'Bad details',
} as const

const LABELS_BY_TRAY: ReadonlyMap<string, string> = new Map(Object.entries(TRAY_LABELS))
export const trayLabel = (username: string): string => LABELS_BY_TRAY.get(username) ?? username

/** Name of a tray's staff record, recognisable among people. */
export const trayStaffName = (username: string): string =>
  LABELS_BY_TRAY.has(username) ? `Tray: ${trayLabel(username)}` : username

/** Tray with leads that are called from five o'clock on. */
export const AFTER_FIVE_TRAY = 'after5'
