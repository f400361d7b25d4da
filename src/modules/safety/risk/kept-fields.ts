import { violation } from '#kernel/errors.ts'
import { cleanAnswer } from '#kernel/forms/clean.ts'
import { tooLongViolation } from '#kernel/forms/losses.ts'
import { isRow } from '#kernel/forms/rows.ts'
import { textOf } from '#kernel/text.ts'
import type { StoredFieldRules } from '#modules/documents/types/kind.ts'
import { methodStoredField } from '../shared-fields/kept-method.ts'

const MOST = 200

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const unreadable = (what: string, path: string) => violation(path, `${what} can’t be read`)

const tooManyItems = (path: string) =>
  violation(path, `Protective equipment can have at most ${MOST} items`, 'too_long')

/** Ids as numbers; older clients send `1,4,9`. */
const ppe: StoredFieldRules = {
  clean: (value) => cleanAnswer({ name: 'ppe', kind: 'imageCards', label: 'Protective equipment' }, value),
  wrong: (value, path) => {
    if (isEmpty(value)) return []
    const given = typeof value === 'string' ? value.split(',', MOST + 1) : value
    if (Array.isArray(given) && given.length > MOST) return [tooManyItems(path)]
    const ids = Array.isArray(given) ? given.map(Number) : [Number.NaN]
    return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? [] : [unreadable('Protective equipment', path)]
  },
}

/** Protective equipment as copied when it was chosen. */
const ppeItems: StoredFieldRules = {
  clean: (value) =>
    (Array.isArray(value) ? value : []).filter(isRow).map(({ id, label, image, iso7010 }) => ({
      id: Number(id),
      label: textOf(label),
      image: textOf(image),
      iso7010: textOf(iso7010) || null,
    })),
  wrong: (value, path) => {
    if (isEmpty(value)) return []
    if (!Array.isArray(value)) return [unreadable('Protective equipment', path)]
    if (value.length > MOST) return [tooManyItems(path)]
    return value.flatMap((item: unknown, i) => {
      const at = `${path}[${i}]`
      if (!isRow(item) || !Number.isSafeInteger(Number(item.id))) return [unreadable('Protective equipment', at)]
      return tooLongViolation('Protective equipment', textOf(item.label), 255, `${at}.label`) ?? []
    })
  },
}

export const riskStoredFields = { ppe, ppeItems, methodStatement: methodStoredField } as const
