import { toText } from '#kernel/text.ts'

type Values = Readonly<Record<string, unknown>>

export const toPolicyArrangementRow = (one: Values) => ({
  arrangement: toText(one['@id']),
  title: toText(one.title),
  text: toText(one.description),
})

/** Converts a library function and its holder to a row of a policy. */
export const toPolicyFunctionRow = ({ title, responsibilities }: Values, person = '') => ({
  function: toText(title),
  person,
  employee: 0,
  responsibilities: Array.isArray(responsibilities) ? responsibilities.map(toText).join('\n') : '',
})
