import { confidentialIn } from '#kernel/resource.ts'

type Box = Readonly<Record<string, unknown>>
const isBox = (value: unknown): value is Box => value !== null && typeof value === 'object'

/** Does an answer hold something confidential of a record? */
export function holdsConfidential(data: unknown): boolean {
  if (!isBox(data)) return false
  const type = data['@type']
  const names = typeof type === 'string' ? confidentialIn(type) : []
  return (
    names.some((name) => data[name] !== undefined && data[name] !== null) || Object.values(data).some(holdsConfidential)
  )
}
