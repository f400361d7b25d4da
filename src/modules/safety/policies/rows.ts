import { textOf } from '#kernel/text.ts'

type Values = Readonly<Record<string, unknown>>

export const toArrangementRow = (one: Values) => ({
  arrangement: textOf(one['@id']),
  title: textOf(one.title),
  text: textOf(one.description),
})

/** Library function as a row of a policy, with its holder. */
export const toFunctionRow = ({ title, responsibilities }: Values, person = '') => ({
  function: textOf(title),
  person,
  responsibilities: Array.isArray(responsibilities) ? responsibilities.map(textOf).join('\n') : '',
})
