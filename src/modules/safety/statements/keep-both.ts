import { flag } from '#kernel/fields.ts'

/** Confirms saving a library item with the title of another one. */
export const keepBoth = flag({
  writeOnly: true,
  help: 'Another one is called the same, and both are meant to be there.',
})
