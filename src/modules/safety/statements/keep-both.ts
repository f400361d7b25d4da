import { flag } from '#kernel/fields.ts'

/** Said by whoever makes something of the library that is called as another one is. */
export const keepBoth = flag({
  writeOnly: true,
  help: 'Another one is called the same, and both are meant to be there.',
})
