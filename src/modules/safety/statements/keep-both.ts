import { flag } from '#kernel/fields.ts'

/** Confirms saving a library item with the title of another one. */
export const keepBothFlag = flag({
  writeOnly: true,
  help: 'Confirms that two items of the same title are intended.',
})
