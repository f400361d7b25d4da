import { flag } from '#kernel/fields.ts'

/** True to save a library item even if another item has the same title. */
export const keepBothField = flag({
  writeOnly: true,
  help: 'Confirms that two items with the same title are intended.',
})
