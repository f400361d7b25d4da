import { flag } from '#kernel/fields.ts'

/** Confirms saving a library item although another one has the same title. */
export const keepBothFlag = flag({
  writeOnly: true,
  help: 'Confirms that two items of the same title are intended.',
})
