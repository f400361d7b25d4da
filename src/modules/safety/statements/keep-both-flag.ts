import { flag } from '#kernel/fields.ts'

/** Confirms saving a library item although another one has the same title. */
export const keepBothField = flag({
  writeOnly: true,
  help: 'Confirms that two items of the same title are intended.',
})
