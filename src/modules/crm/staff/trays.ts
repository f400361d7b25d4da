/** Trays for leads that nobody works, by username, with labels. */
export const TRAYS = {
  after5: 'After 5',
  dead: 'Dead',
  duplicates: 'Duplicates',
  baddetails: 'Bad details',
} as const

const WORDS: ReadonlyMap<string, string> = new Map(Object.entries(TRAYS))
export const trayWords = (username: string): string => WORDS.get(username) ?? username

/** Name of a tray's staff record, recognisable among people. */
export const trayName = (username: string): string => (WORDS.has(username) ? `Tray: ${trayWords(username)}` : username)

/** Tray with leads that are called from five o'clock on. */
export const AFTER_FIVE = 'after5'
