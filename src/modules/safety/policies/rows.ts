import { textOf } from '#kernel/text.ts'

type Values = Readonly<Record<string, unknown>>

/** An arrangement of the library as a policy keeps it. */
export const arrangementRow = (one: Values) => ({
  arrangement: textOf(one['@id']),
  title: textOf(one.title),
  text: textOf(one.description),
})

/** A function of the library, and who has it. */
export const functionRow = ({ title, responsibilities }: Values, person = '') => ({
  function: textOf(title),
  person,
  responsibilities: Array.isArray(responsibilities) ? responsibilities.map(textOf).join('\n') : '',
})
