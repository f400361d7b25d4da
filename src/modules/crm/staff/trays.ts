/** Where leads are put that nobody works, by username, in words. */
export const TRAYS = {
  after5: 'After 5',
  dead: 'Dead',
  duplicates: 'Duplicates',
  baddetails: 'Bad details',
} as const

const WORDS: ReadonlyMap<string, string> = new Map(Object.entries(TRAYS))
export const trayWords = (username: string): string => WORDS.get(username) ?? username

/** What a tray's staff record is called: among people it says what it is. */
export const trayName = (username: string): string => (WORDS.has(username) ? `Tray: ${trayWords(username)}` : username)

/** The tray that is worked from five o'clock on. */
export const AFTER_FIVE = 'after5'
